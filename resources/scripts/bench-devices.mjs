// Gives every GPU the same work, first each one alone, then all of them together in one engine, and compares the times; meanwhile
// nvidia-smi tells on which GPUs memory is taken. Three kinds of work, each again and again. "set": the set of an R-MAT graph, from a view
// that the first run prepares; nearly all of it is the host's reading and copying. "rounds": the matching of a long grid, edges of equal
// weight and ties by id: as many rounds as it has rows, 64 queued at a time. "rescan": that of a square grid by the paper's method, which
// looks at all open vertices in every round: it keeps the GPU busy. Needs Node 24, the built program, and nvidia-smi for the memory.
//   node resources/scripts/bench-devices.mjs [--devices gpu:0,gpu:1,gpu:2,gpu:3] [--work set,rounds,rescan] [--scale 22] [--edge-factor 16]
//                                            [--rows 16384] [--side 1024] [--repeats 15] [--memory 1GiB] [--one-run]
// --memory streams the view of the set in batches. --one-run computes one graph of as many times the size on all devices, too.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { median } from './bench-figures.mjs'
import { ServiceInProcess } from './service-in-process.mjs'

const SAMPLE_MS = 200
const LIMIT = 1.15
const COLUMNS = 64
const UNITS = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }
const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: 'gpu:0,gpu:1,gpu:2,gpu:3' },
    work: { type: 'string', default: 'set,rounds,rescan' },
    scale: { type: 'string', default: '22' },
    rows: { type: 'string', default: '16384' },
    side: { type: 'string', default: '1024' },
    'edge-factor': { type: 'string', default: '16' },
    repeats: { type: 'string', default: '15' },
    memory: { type: 'string' },
    'one-run': { type: 'boolean', default: false },
  },
})
const devices = values.devices.split(',')
const repeats = Number(values.repeats)
const [scale, edgeFactor] = [Number(values.scale), Number(values['edge-factor'])]
const [, figure, unit] = /^(\d+)([KMG]iB)$/.exec(values.memory ?? '') ?? []
const memoryBytes = figure === undefined ? undefined : Number(figure) * UNITS[unit]

/** MiB in use on each GPU, by its PCI address; empty where there is no nvidia-smi. */
function gpuMemory() {
  const asked = ['--query-gpu=pci.bus_id,memory.used', '--format=csv,noheader,nounits']
  const { stdout, status } = spawnSync('nvidia-smi', asked, { encoding: 'utf8' })
  if (status !== 0) return new Map()
  return new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(', '))
      .map(([address, used]) => [address, Number(used)]),
  )
}

/** Before anything was opened: devices stay open between runs. */
const before = gpuMemory()

/** The most that was in use on each GPU beyond what was before, while the work went on. */
async function watched(work) {
  const most = new Map(before)
  const look = () => {
    for (const [address, used] of gpuMemory()) most.set(address, Math.max(used, most.get(address) ?? 0))
  }
  const timer = setInterval(look, SAMPLE_MS)
  const result = await work()
  clearInterval(timer)
  return { result, grown: [...most].map(([address, used]) => `${address} +${used - before.get(address)} MiB`) }
}

const host = new ServiceInProcess()
const byId = { algorithm: 'ld-gpu', ties: 'id', weights: 'unit' }
const grid = (name, rows, columns) => host.generate({ model: 'grid', rows, columns, name })
const works = {
  set: {
    request: { dataset: 'share', memoryBytes },
    make: () => host.generate({ model: 'rmat', scale, edgeFactor, name: 'share' }),
  },
  rounds: {
    request: { dataset: 'long', ...byId },
    make: () => grid('long', Number(values.rows), COLUMNS),
  },
  rescan: {
    request: { dataset: 'square', method: 'rescan', ...byId },
    make: () => grid('square', Number(values.side), Number(values.side)),
  },
}

/** Runs one after another on one device, or on several together; milliseconds of each. */
async function lane(request, device, count) {
  const rows = []
  for (let i = 0; i < count; i++) {
    const run = await host.wait(await host.start({ ...request, device }))
    if (run.state !== 'done') throw new Error(`${device}: ${run.state}, ${JSON.stringify(run.failure)}`)
    const { readMs, computeMs, kernelMs } = run.record.outcome.time
    rows.push({ hash: run.hash, wallMs: readMs + computeMs, computeMs, kernelMs })
  }
  return rows
}

/** What the runs of one device took. */
const words = (rows) =>
  `read and compute ${median(rows.map(({ wallMs }) => wallMs)).toFixed(1)} ms, compute ${median(rows.map(({ computeMs }) => computeMs)).toFixed(2)} ms, ` +
  `kernels ${median(rows.map(({ kernelMs }) => kernelMs)).toFixed(3)} ms`

/** All devices at work all the time: those that are done first go on until the last one is. */
async function together(request) {
  let busy = devices.length
  return Promise.all(
    devices.map(async (device) => {
      await lane(request, device, 1)
      const rows = await lane(request, device, repeats)
      busy--
      while (busy > 0) await lane(request, device, 1)
      return rows
    }),
  )
}

const time = (rows) => median(rows.map(({ wallMs }) => wallMs))
const computing = (rows) => median(rows.map(({ computeMs }) => computeMs))

/** @returns the rows of the first device alone */
async function compare(name, { request, make }) {
  await make()
  console.log(`\n${name}`)
  const alone = []
  for (const device of devices) {
    await lane(request, device, 2)
    const { result, grown } = await watched(() => lane(request, device, repeats))
    console.log(`${device} alone: ${words(result)}; memory ${grown.join(', ') || 'not known'}`)
    alone.push(result)
  }
  const all = await watched(() => together(request))
  for (const [i, device] of devices.entries()) console.log(`${device} with the others: ${words(all.result[i])}`)
  console.log(`memory together: ${all.grown.join(', ') || 'not known'}`)
  const hashes = new Set([...alone.flat(), ...all.result.flat()].map(({ hash }) => hash))
  const timesAlone = (figure) => all.result.map((rows, i) => (figure(rows) / figure(alone[i])).toFixed(3)).join(', ')
  const slowest = Math.max(...all.result.map(time)) / Math.max(...alone.map(time))
  console.log(`times as long as alone, each: ${timesAlone(time)}; wanted: at most ${LIMIT}`)
  console.log(`computing alone, without the host's reading: ${timesAlone(computing)}`)
  console.log(`the slowest of all takes ${slowest.toFixed(3)} times as long as the slowest alone`)
  console.log(hashes.size === 1 ? 'all results are the same' : `DIFFERENT results: ${[...hashes].join(' ')}`)
  return alone[0]
}

const { devices: facts } = await host.service.call('devices', {})
for (const { id, name, pciAddress } of facts.filter(({ id }) => devices.includes(id)))
  console.log(`${id}: ${name} ${pciAddress ?? ''}`)
const alone = {}
for (const name of values.work.split(',')) alone[name] = await compare(name, works[name])

if (values['one-run'] && alone.set !== undefined) {
  const larger = scale + Math.round(Math.log2(devices.length))
  await host.generate({ model: 'rmat', scale: larger, edgeFactor, name: 'whole' })
  const whole = { ...works.set.request, dataset: 'whole' }
  await lane(whole, values.devices, 1)
  const { result, grown } = await watched(() => lane(whole, values.devices, repeats))
  console.log(
    `one run of 2^${larger} vertices on ${values.devices}: ${words(result)}; memory ${grown.join(', ') || 'not known'}`,
  )
  const kernels = (rows) => median(rows.map(({ kernelMs }) => kernelMs))
  console.log(
    `its busiest worker's kernels take ${(kernels(result) / kernels(alone.set)).toFixed(2)} times those of one alone`,
  )
}
await host.close()

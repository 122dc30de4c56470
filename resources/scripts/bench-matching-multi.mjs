// LD-GPU on 1, 2 and 4 GPUs, on an R-MAT and a uniform graph with random3 weights: with so little memory that the heads of the lists do
// not fit one GPU, which then streams them, and with all of its memory, where one GPU computes alone and says so. Medians of runs of
// one engine in turns, after some that prepare the view and warm devices and threads; then the bytes that each round exchanges, beside those of whole arrays.
// Needs Node 24 and the built program.
//   node resources/scripts/bench-matching-multi.mjs [--devices gpu:0,gpu:1,gpu:2,gpu:3] [--counts 1,2,4] [--scale 24] [--edge-factor 16]
//     [--vertices 16777216] [--degree 16] [--memory MIB] [--repeats 5] [--warm 3] [--only rmat|uniform]
//     [--file rmat=FILE]... [--json FILE]
// --file names a file with the graph of that name, which is imported in place of making it.
// --memory: MiB of each GPU. By default 13.5 bytes a vertex: the state and the heads of half of the vertices, but not of all.
// Times: "compute" from the first command to the mates in host memory, waiting for other workers included and reading left out; "read" of
// the view, before and meanwhile, with the search in what the host reads; "all" is both. Each is that of the slowest worker.
import { writeFileSync } from 'node:fs'
import { median, printTable } from './bench-figures.mjs'
import { deviceCounts, deviceText } from './device-counts.mjs'
import { ServiceInProcess } from './service-in-process.mjs'

const { devices, counts, repeats, scale, edgeFactor, only, json, file, ...given } = deviceCounts({
  vertices: { type: 'string', default: String(2 ** 24) },
  degree: { type: 'string', default: '16' },
  repeats: { type: 'string', default: '5' },
  warm: { type: 'string', default: '3' },
  file: { type: 'string', multiple: true, default: [] },
  only: { type: 'string' },
})
const MIB = 2 ** 20
const BYTES_A_VERTEX = 13.5
const sum = (all) => all.reduce((total, value) => total + value, 0)
const graphs = {
  rmat: { model: 'rmat', scale, edgeFactor, name: 'rmat' },
  uniform: { model: 'uniform', vertices: Number(given.vertices), degree: Number(given.degree), name: 'uniform' },
}
const host = new ServiceInProcess()
const files = Object.fromEntries(file.map((word) => word.split('=')))
const found = []
let differ = false

async function once(dataset, device, memoryBytes) {
  const request = { algorithm: 'ld-gpu', dataset, device, weights: 'random3', memoryBytes }
  const run = await host.wait(await host.start(request))
  if (run.state !== 'done') throw new Error(`${device}: ${run.state}, ${JSON.stringify(run.failure)}`)
  return { ...run.record.outcome, hash: run.hash }
}

const seriesOf = (outcome, name) => outcome.series.find((each) => each.name === name)?.values ?? []
const most = (outcome, name) => Math.max(0, ...seriesOf(outcome, name))

/** Runs on each number of devices, in turns: whatever warms up or slows down does so for all. */
async function runsOf(dataset, memoryBytes) {
  const runs = counts.map(() => [])
  for (let turn = 0; turn < Number(given.warm) + repeats; turn++)
    for (const [i, count] of counts.entries())
      runs[i].push(await once(dataset, devices.slice(0, count).join(','), memoryBytes))
  return runs
}

function rowOf(count, runs, hashes) {
  const warm = runs.slice(-repeats)
  for (const { hash } of runs) hashes.add(hash)
  const of = (figure) => median(warm.map(figure))
  const last = warm.at(-1)
  const [exchanged, whole] = ['bytes exchanged', 'bytes of whole arrays'].map((name) => seriesOf(last, name))
  return {
    row: {
      devices: count,
      workers: last.options.workers,
      all: of((outcome) => most(outcome, 'computing and reading of each worker')),
      compute: of(({ time }) => time.computeMs),
      read: of(({ time }) => time.readMs),
      kernels: of(({ time }) => time.kernelMs),
      host: of((outcome) => most(outcome, 'pointing on the host')),
      exchange: of((outcome) => most(outcome, 'exchange of each worker')),
      wait: of((outcome) => most(outcome, 'waiting of each worker')),
      rounds: last.rounds,
      'exchanged, MB': sum(exchanged) / 1e6,
      'whole arrays, MB': sum(whole) / 1e6,
      'view read, %': last.counters.viewReadPercent,
    },
    exchanged,
    whole,
  }
}

function graphOf(choice) {
  const source = files[choice.name]
  return source === undefined
    ? host.generate(choice)
    : host.service.call('datasets.import', { source, name: choice.name })
}

async function measure(choice) {
  const { dataset } = await graphOf(choice)
  const first = await once(dataset.name, devices[0])
  const { vertices, arcs, viewBytes } = first.plan
  const hashes = new Set([first.hash])
  const memoryBytes = Math.ceil(given.memoryBytes ?? BYTES_A_VERTEX * vertices + 4 * MIB)
  console.log(`\n${choice.name}: ${vertices} vertices, ${arcs} arcs, view of ${Math.round(viewBytes / 1e6)} MB`)
  console.log(deviceText(first), `medians of ${repeats}, ms`)
  for (const budget of [memoryBytes, undefined]) {
    console.log(budget === undefined ? '\nAll memory\n' : `\n${Math.round(budget / MIB)} MiB of each device\n`)
    const runs = await runsOf(dataset.name, budget)
    const rows = counts.map((count, i) => rowOf(count, runs[i], hashes))
    printTable(rows.map(({ row }) => row))
    found.push({ graph: choice.name, vertices, arcs, viewBytes, memoryBytes: budget ?? null, rows })
    const { row, exchanged, whole } = rows.at(-1)
    if (exchanged.length === 0) continue
    console.log(`\nBytes that ${row.devices} workers exchange in each round, and those of whole arrays:\n`)
    printTable(exchanged.map((bytes, i) => ({ round: i + 1, exchanged: bytes, 'whole arrays': whole[i] })))
  }
  if (hashes.size > 1) differ = true
  const hashText = [...hashes].join(', ')
  console.log(hashes.size === 1 ? `\nAll runs made the matching ${hashText}.` : `\nMATCHINGS DIFFER: ${hashText}`)
}

try {
  for (const choice of Object.values(graphs)) if (only === undefined || only === choice.name) await measure(choice)
  if (json !== undefined) writeFileSync(json, JSON.stringify(found, null, 2))
  if (differ) process.exitCode = 1
} finally {
  await host.close()
}

// Computes the set of one R-MAT or uniform graph on 1, 2 and 4 GPUs, with everything in their memory and with so little of it that one GPU has to
// stream: medians, and where the time of each worker goes. Runs of one engine, in turns, after one that prepares the view and warms
// the devices. Needs Node 24 and the built program.
//   node resources/scripts/bench-multi.mjs [--devices gpu:0,gpu:1,gpu:2,gpu:3] [--counts 1,2,4] [--scale 24] [--edge-factor 16]
//                                          [--model rmat|uniform] [--priority degree] [--memory MIB] [--repeats 9] [--json FILE]
// A uniform graph has 2^scale vertices, of as many neighbours on average as the edge factor says. multi-chart.mjs draws what --json writes.
// --memory: MiB of each GPU in the second part. By default so little that the view fits the largest number of GPUs together and no
// fewer. The time is that of computing, copies and reads while it goes on included; "loaded" adds what was read before.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, printTable } from './bench-figures.mjs'
import { deviceCounts, deviceText } from './device-counts.mjs'
import { ServiceInProcess } from './service-in-process.mjs'

const { devices, counts, repeats, scale, edgeFactor, model, priority, json, ...given } = deviceCounts({
  model: { type: 'string', default: 'rmat' },
  priority: { type: 'string', default: 'degree' },
  repeats: { type: 'string', default: '9' },
})
const MIB = 2 ** 20
const LANES = ['kernel', 'exchange', 'wait', 'copy in', 'disk read']
const traces = mkdtempSync(join(tmpdir(), 'bench-multi-'))
const host = new ServiceInProcess()
const hashes = new Set()

async function once(dataset, device, memoryBytes, traceFile) {
  const request = { algorithm: 'mg-mis', dataset, device, priority, memoryBytes, traceFile }
  const run = await host.wait(await host.start(request))
  if (run.state !== 'done') throw new Error(`${device}: ${run.state}, ${JSON.stringify(run.failure)}`)
  hashes.add(run.hash)
  return run.record.outcome
}

/** Milliseconds of each lane of each worker; nested spans of a lane count once. */
function lanesOf(traceFile) {
  const { traceEvents } = JSON.parse(readFileSync(traceFile, 'utf8'))
  const names = new Map(
    traceEvents.filter(({ name }) => name === 'process_name').map(({ pid, args }) => [pid, args.name]),
  )
  return [...names].map(([pid, worker]) => {
    const spans = (lane) => traceEvents.filter((event) => event.ph === 'X' && event.pid === pid && event.cat === lane)
    return { worker, ...Object.fromEntries(LANES.map((lane) => [lane, covered(spans(lane))])) }
  })
}

function covered(spans) {
  let [total, end] = [0, -Infinity]
  for (const { ts, dur } of spans.toSorted((x, y) => x.ts - y.ts)) {
    total += Math.max(0, ts + dur - Math.max(end, ts))
    end = Math.max(end, ts + dur)
  }
  return total / 1000
}

async function part(title, dataset, memoryBytes) {
  console.log(`\n${title}${memoryBytes === undefined ? '' : `: ${Math.round(memoryBytes / MIB)} MiB of each GPU`}\n`)
  const rows = []
  for (const count of counts) {
    const device = devices.slice(0, count).join(',')
    const runs = []
    for (let turn = 0; turn <= repeats; turn++) runs.push(await once(dataset, device, memoryBytes))
    const traceFile = join(traces, `${count}.json`)
    await once(dataset, device, memoryBytes, traceFile)
    const warm = runs.slice(1)
    const of = (figure) => median(warm.map(figure))
    rows.push({
      gpus: count,
      computeMs: of(({ time }) => time.computeMs),
      kernelMs: of(({ time }) => time.kernelMs),
      waitMs: of(({ time }) => time.exchangeMs),
      readMs: of(({ time }) => time.readMs),
      loadedMs: of(({ time }) => time.computeMs + time.readMs),
      passes: warm[0].passes,
      exchangedKb: warm[0].bytes.exchanged / 1000,
      readMb: of(({ bytes }) => bytes.read) / 1e6,
      entriesPercent: warm[0].counters.entriesPercent,
      lanes: lanesOf(traceFile),
    })
  }
  const shown = ['gpus', 'computeMs', 'kernelMs', 'waitMs', 'readMs', 'loadedMs', 'passes', 'exchangedKb', 'readMb']
  printTable(rows, shown)
  console.log(
    '\nWhere the time of one run goes, ms (a span of one lane may lie within another; not all is in the compute time):\n',
  )
  printTable(rows.flatMap(({ gpus, lanes }) => lanes.map((lane) => ({ gpus, ...lane }))))
  return { title, memoryBytes, rows }
}

try {
  const size = model === 'uniform' ? { vertices: 2 ** scale, degree: edgeFactor } : { scale, edgeFactor }
  const { dataset } = await host.generate({ model, ...size, name: `${model}-${scale}-${edgeFactor}` })
  const first = await once(dataset.name, devices[0])
  const { vertices, viewBytes, deviceBytes } = first.plan
  const most = Math.max(...counts)
  // States, lists and the gathering of the result are on every device; the slabs are shared out.
  const slabs = viewBytes - 4 * vertices
  const shared = deviceBytes - slabs + slabs / most
  const memoryBytes = given.memoryBytes ?? Math.ceil(1.15 * shared)
  console.log(`${dataset.name}: ${vertices} vertices, view of ${Math.round(viewBytes / 1e6)} MB, ${priority}`)
  console.log(deviceText(first), `medians of ${repeats}`)
  const parts = [
    await part('Everything in memory', dataset.name),
    await part('Little memory', dataset.name, memoryBytes),
  ]
  console.log(
    hashes.size === 1 ? `\nAll runs made the set ${[...hashes][0]}.` : `\nSETS DIFFER: ${[...hashes].join(', ')}`,
  )
  if (json !== undefined) writeFileSync(json, JSON.stringify({ vertices, viewBytes, parts }, null, 2))
  if (hashes.size !== 1) process.exitCode = 1
} finally {
  await host.close()
  rmSync(traces, { recursive: true, force: true })
}

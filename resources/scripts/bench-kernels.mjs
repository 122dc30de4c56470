// Times the kernels of a set (priority degree) and of a matching (weights random3, ties hash) from the canonical lists on, which the GPU
// holds: keys, states and all rounds, by GPU timestamps, when its clocks have risen. Needs Node 24, which runs the sources.
//   node resources/scripts/bench-kernels.mjs GRAPH.gr... [--repeats 7] [--by-kernel]
import './raw-kernels.mjs'
import { closeSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { median } from './bench-figures.mjs'
const { openDevice } = await import('../../workers/device/open-device.ts')
const { DeviceScan } = await import('../../workers/algorithms/ecl-mis/device-scan.ts')
const { DeviceMatching } = await import('../../workers/algorithms/ld-gpu/device-matching.ts')
const { GaloisGr } = await import('../../workers/graph/galois-gr.ts')
const { GraphPieces } = await import('../../workers/graph/graph-pieces.ts')
const { memoryCopy } = await import('../../kernels/memory-copy.ts')
const { Matching } = await import('../../workers/graph/matching.ts')
const { setOrder } = await import('../../workers/graph/set-order.ts')
const { openToRead } = await import('../../workers/streaming/open-to-read.ts')
const { ScanBoard } = await import('../../workers/streaming/scan-board.ts')
const { Trace } = await import('../../workers/trace.ts')

const { values: options, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: { repeats: { type: 'string', default: '7' }, 'by-kernel': { type: 'boolean', default: false } },
})
const repeats = Number(options.repeats)
const signal = { aborted: false }
const WARM_MS = 1000
const COPIED = 1 << 24
const COPIES = 32
/** Room for the rest of the last list of a batch. */
const TAIL_PIECES = 64
const PIECE_BYTES = 1 << 20
const device = await openDevice('gpu:0')
const launch = device.launch.bind(device)

await device.prepare([memoryCopy])
const [original, copied] = [await device.allocate('original', COPIED), await device.allocate('copied', COPIED)]

/** Copies memory until a device that was idle has come back to speed. */
async function raiseClocks() {
  for (const startMs = performance.now(); performance.now() - startMs < WARM_MS;) {
    const params = { count: COPIED, stride: 1 << 20 }
    for (let i = 0; i < COPIES; i++) device.launch(memoryCopy, params.stride, params, { original, copied })
    await device.read(copied, 0, 1)
    await device.takeKernelMs()
  }
}

/** Milliseconds of runs, each with the clocks up, and of one more by kernel. */
async function timed(prepared) {
  const run = async () => {
    await raiseClocks()
    return prepared()
  }
  const times = []
  for (let i = 0; i < repeats; i++) times.push(await run())
  device.launch = (kernel, ...rest) => {
    device.phase(kernel.name)
    launch(kernel, ...rest)
  }
  await run()
  const phases = await device.takePhaseMs()
  device.launch = launch
  device.phase('')
  return { ms: times, phases }
}

function show(name, what, { ms, phases }) {
  console.log(
    `${name} ${what}: ${median(ms).toFixed(3)} ms (${Math.min(...ms).toFixed(3)} to ${Math.max(...ms).toFixed(3)})`,
  )
  if (options['by-kernel'])
    for (const [kernel, each] of Object.entries(phases).filter(([name]) => name !== memoryCopy.name))
      console.log(`  ${kernel}: ${each.toFixed(3)} ms`)
}

async function timeSet(graph, file) {
  const { vertices, arcs, bytes } = graph
  const pieces = new GraphPieces(graph, file)
  const order = setOrder({ priority: 'degree', seed: 0, vertices, arcs }, pieces.sampleDegrees())
  const batchPieces = Math.min(pieces.units + 2, Math.floor(device.maxBufferBytes / PIECE_BYTES) - TAIL_PIECES - 1)
  const batchWords = Math.min(bytes, (batchPieces + TAIL_PIECES) * PIECE_BYTES) / 4
  const poolWords = Math.max(4 * vertices, Math.ceil(arcs / 8))
  const layout = { batchPieces, batchWords: Math.ceil(batchWords), buffers: 2, records: vertices, poolWords }
  return timed(async () => {
    const setup = { graph, crcs: undefined, order, unitsAPiece: 1, board: new ScanBoard().words, traced: false }
    const scan = await DeviceScan.open(device, setup, layout, file, new Trace(false), signal)
    try {
      await device.takeKernelMs()
      await scan.index()
      await scan.scan(async () => {})
      await scan.settle()
      return await device.takeKernelMs()
    } finally {
      scan.release()
    }
  })
}

async function timeMatching(graph, file) {
  const order = { weights: 2, ties: 0, seedLow: 0, seedHigh: 0, least: 0 }
  const setup = {
    graph,
    crcs: undefined,
    order,
    candidates: 4,
    unitsAPiece: 1,
    board: new Int32Array(8),
    traced: false,
  }
  const match = await DeviceMatching.open(device, setup, file, new Trace(false), signal)
  try {
    await match.index()
    await match.scan(true, () => {})
    const times = await timed(async () => {
      await device.takeKernelMs()
      match.scanAgain()
      await match.rounds(Infinity, async () => {})
      return device.takeKernelMs()
    })
    const pointers = new Uint32Array(graph.vertices)
    await match.pointers(pointers)
    return { ...times, ...new Matching(pointers).summary(), rounds: match.open.length }
  } finally {
    match.release()
  }
}

for (const path of paths) {
  const { file: graph } = GaloisGr.open(path)
  const file = openToRead(path)
  const name = `${basename(path)} (${graph.arcs} arcs)`
  show(name, 'set', await timeSet(graph, file))
  const matching = await timeMatching(graph, file)
  show(name, `matching of ${matching.pairs} pairs, ${matching.hash}, ${matching.rounds} rounds`, matching)
  closeSync(file)
}
device.close()
process.exit(0)

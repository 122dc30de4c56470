// Kernels of a set (priority degree) and of a matching (weights random3, ties hash) from the canonical lists on, which the GPU holds: keys,
// states and all rounds, by GPU timestamps, each after a second of copies that raise the clocks.
import '../../test/support/raw-imports.mjs'
import { spawnSync } from 'node:child_process'
import { listed } from '../program.mjs'
import { median } from '../table.mjs'
const { openDevice } = await import('../../workers/device/open-device.ts')
const { DeviceScan } = await import('../../workers/algorithms/ecl-mis/device-scan.ts')
const { DeviceMatching } = await import('../../workers/algorithms/ld-gpu/device-matching.ts')
const { BATCH_PIECES } = await import('../../workers/algorithms/ld-gpu/match-setup.ts')
const { GaloisGr } = await import('../../workers/graph/galois-gr.ts')
const { GraphPieces } = await import('../../workers/graph/graph-pieces.ts')
const { sliceOf } = await import('../../workers/graph/graph-pieces.ts')
const { memoryCopy } = await import('../../kernels/memory/memory-copy.ts')
const { Matching } = await import('../../workers/graph/matching.ts')
const { setOrder } = await import('../../workers/graph/set-order.ts')
const { openBytes } = await import('../../workers/graph/graph-file.ts')
const { PieceScan, ScanBoard } = await import('../../workers/streaming/piece-scan.ts')
const { writeVite } = await import('../write-vite.mjs')

const signal = { aborted: false }
const WARM_MS = 1000
const COPIED = 1 << 24
const COPIES = 32
/** Room for the rest of the last list of a batch. */
const TAIL_PIECES = 64
const PIECE_BYTES = 1 << 20

/** A device that copies memory until it has come back to speed. */
async function openWarm(id) {
  const device = await openDevice(id)
  await device.prepare([memoryCopy])
  const [original, copied] = [await device.allocate('original', COPIED), await device.allocate('copied', COPIED)]
  const params = { count: COPIED, stride: 1 << 20 }
  const raiseClocks = async () => {
    for (const startMs = performance.now(); performance.now() - startMs < WARM_MS;) {
      for (let i = 0; i < COPIES; i++) device.launch(memoryCopy, params.stride, params, { original, copied })
      await device.read(copied, 0, 1)
      await device.takeKernelMs()
    }
  }
  return { device, raiseClocks }
}

async function repeated(warm, repeats, once) {
  const times = []
  for (let i = 0; i < repeats; i++) {
    await warm.raiseClocks()
    times.push(await once())
  }
  return times
}

async function timeSet(warm, graph, file, repeats) {
  const { device } = warm
  const { vertices, arcs, bytes } = graph
  const pieces = new GraphPieces(graph, file)
  const order = setOrder({ priority: 'degree', seed: 0, vertices, arcs }, pieces.sampleDegrees().degrees)
  const batchPieces = Math.min(pieces.units + 2, Math.floor(device.maxBufferBytes / PIECE_BYTES) - TAIL_PIECES - 1)
  const batchWords = Math.min(bytes, (batchPieces + TAIL_PIECES) * PIECE_BYTES) / 4
  const poolWords = Math.max(4 * vertices, Math.ceil(arcs / 8))
  const layout = { batchPieces, batchWords: Math.ceil(batchWords), buffers: 2, records: vertices, poolWords }
  return repeated(warm, repeats, async () => {
    const own = sliceOf(pieces, undefined)
    const setup = { graph, crcs: undefined, order, unitsAPiece: 1, own, board: new ScanBoard().words, traced: false }
    const scan = await DeviceScan.open(device, setup, layout, new PieceScan(setup, file, signal))
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

async function timeMatching(warm, graph, file, repeats) {
  const { device } = warm
  const order = { weights: 2, ties: 0, seedLow: 0, seedHigh: 0, least: 0 }
  const setup = {
    graph,
    crcs: undefined,
    order,
    readsWeights: false,
    comparesDegrees: false,
    candidates: 4,
    unitsAPiece: 1,
    board: new ScanBoard().words,
    traced: false,
  }
  const layout = { batchPieces: BATCH_PIECES, side: 'front', keepsLists: true, room: 0 }
  const pointers = new Uint32Array(graph.vertices)
  let rounds = 0
  const times = await repeated(warm, repeats, async () => {
    const match = new DeviceMatching(device, setup, layout, new PieceScan(setup, file, signal))
    await match.open()
    try {
      await device.takeKernelMs()
      await match.scan(true, () => {})
      await match.match(true, true, async () => {})
      const kernelMs = await device.takeKernelMs()
      await match.rounds.pointers(pointers)
      rounds = match.rounds.open.length
      return kernelMs
    } finally {
      match.release()
    }
  })
  return { times, rounds, ...new Matching(pointers).summary() }
}

/** Median of the times that the authors' ECL-MIS prints, in milliseconds; undefined where no program is named. */
function authorsMs(program, file, repeats) {
  if (program === '') return undefined
  const times = Array.from({ length: repeats }, () => {
    const { status, stdout } = spawnSync(program, [file], { encoding: 'utf8' })
    const seconds = Number(/compute time: ([\d.]+)/.exec(stdout ?? '')?.[1])
    if (status !== 0 || !(seconds > 0)) throw new Error(`${program} ${file} prints no "compute time"`)
    return 1000 * seconds
  })
  return median(times)
}

export async function* measure(program, { graphs, device, repeats, authors, vite }) {
  const warm = await openWarm(device)
  for (const name of listed(graphs)) {
    const path = program.canonicalFile(program.dataset(name))
    const { file: graph } = GaloisGr.open(path)
    const file = openBytes(graph)
    const set = await timeSet(warm, graph, file, Number(repeats))
    const matching = await timeMatching(warm, graph, file, Number(repeats))
    file.close()
    if (vite !== '') writeVite(path, vite, name)
    yield {
      graph: name,
      arcs: graph.arcs,
      'set, ms': set,
      'set, authors, ms': authors === '' ? undefined : authorsMs(authors, program.file(name, 'egr'), Number(repeats)),
      'matching, ms': matching.times,
      rounds: matching.rounds,
      pairs: matching.pairs,
      'hash of the matching': matching.hash,
    }
  }
  warm.device.close()
}

import { tcCandidates } from '../../../kernels/tc-mis/tc-candidates.ts'
import { tcCountsMatrix } from '../../../kernels/tc-mis/tc-counts-matrix.ts'
import type { TcCounts } from '../../../kernels/tc-mis/tc-counts.ts'
import { tcUpdate } from '../../../kernels/tc-mis/tc-update.ts'
import type { Device } from '../../device/device.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { type PreparedTiles, prepareTiles } from '../../graph/tiles/prepare-tiles.ts'
import {
  tileFileBytes,
  CHUNK_BYTES,
  INDEX_WORDS,
  TILE_COLUMNS,
  TILE_ROWS,
  TILE_WORDS,
  chunksOf,
} from '../../graph/tiles/tile-file.ts'
import type { JobContext } from '../../base/job.ts'
import type { RunArgs } from '../../contract/jobs.ts'
import { Trace } from '../../base/trace.ts'
import { verifyIndependentSet } from '../../verify/verify-independent-set.ts'
import type { Algorithm, Answer, AnswerRecord, Run } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import { setResult } from '../set-answer.ts'
import { isTraced } from '../worker-report.ts'
import { type TilePlan, countsKernel, tcChoiceOf, estimateTiles, planTiles } from './plan-tiles.ts'
import { type RoundNotes, type TcCheckpoint, allocateState, releaseState, startOf } from './tc-state.ts'
import { keysOf } from './keys.ts'
import { ThreePhases } from './three-phases.ts'
import { TileStore } from './tile-store.ts'
import { VertexSet } from '../../graph/vertex-set.ts'

/** TC-MIS (arXiv 2605.29604): a set by products over tiles of the adjacency matrix, for several seeds at once. */
export const tcMis: Algorithm = {
  requireOptions: (options) => void tcChoiceOf(options),
  plan: estimateTiles,
  improvePasses: () => 0,
  severalGpus: 'impossible',
  kernels: () => [],
  compute: computeTcMis,
}

async function computeTcMis(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, device } = run
  const prepared = prepareTiles(args, graph, job)
  try {
    const checkpoint = checkpointOf(args, prepared)
    const trace = new Trace(isTraced(args))
    const computed = await compute(run, prepared, checkpoint, trace, job)
    const { set } = computed.best
    const record = recordOf(args, device, prepared, computed)
    return {
      bytes: set.bytes,
      workers: [{ device: device.facts, spans: trace.spans }],
      record: () => record,
      verify: () => verifyIndependentSet(graph, run.labels(), set, undefined, job),
      checkpoint,
    }
  } finally {
    prepared.tileFile.close()
  }
}

function checkpointOf(args: RunArgs, { tileFile }: PreparedTiles): TcCheckpoint | undefined {
  const { heuristic, seeds } = tcChoiceOf(args)
  const { graph, format, vertices } = tileFile.header
  return Checkpoint.of(args, { graph, order: `${heuristic}-${args.seed}-${seeds}`, tiles: format, vertices })
}

interface Computed {
  readonly best: BestSet
  readonly notes: RoundNotes
  readonly plan: TilePlan
  readonly store: TileStore
  readonly kernel: TcCounts
  readonly keysMs: number
  readonly computeMs: number
  readonly kernelMs: number
  /** Milliseconds of the phases `candidates`, `counts` and `update`; empty where the device has no clock for them. */
  readonly phaseMs: Readonly<Record<string, number>>
}

async function compute(
  { args, graph, device }: Run,
  { tileFile }: PreparedTiles,
  checkpoint: TcCheckpoint | undefined,
  trace: Trace,
  job: JobContext,
): Promise<Computed> {
  const { heuristic, seeds } = tcChoiceOf(args)
  const { vertices, arcs, tiles } = tileFile.header
  const plan = planTiles(args, { vertices, tiles }, device, seeds)
  const keysFrom = performance.now()
  const keys = keysOf(heuristic, { vertices, arcs, degrees: degreesOf(graph), seed: args.seed }, seeds, job.signal)
  const keysMs = performance.now() - keysFrom
  const kernel = countsKernel(device.facts, args.counting)
  await device.prepare([tcCandidates, kernel, tcUpdate])
  const store = new TileStore(device, tileFile, plan, trace)
  const state = await allocateState(device, vertices, seeds)
  try {
    const task = { device, graph, store, batches: plan.batches, seeds, keys, counts: kernel, checkpoint, trace }
    await device.takeKernelMs()
    await device.takePhaseMs()
    const startMs = performance.now()
    const phases = new ThreePhases(task, state, job)
    const members = await phases.run(startOf(checkpoint))
    const computeMs = performance.now() - startMs - store.readMs
    const [kernelMs, phaseMs] = [await device.takeKernelMs(), await device.takePhaseMs()]
    const best = bestSet(members, vertices, seeds)
    return { best, notes: phases.notes, plan, store, kernel, keysMs, computeMs, kernelMs, phaseMs }
  } finally {
    store.release()
    releaseState(device, state)
  }
}

function degreesOf(graph: GaloisGr): Uint32Array {
  const offsets = graph.readOffsets(0, graph.vertices)
  const degrees = new Uint32Array(graph.vertices)
  for (let v = 0; v < graph.vertices; v++) degrees[v] = offsets[v + 1]! - offsets[v]!
  return degrees
}

function countersOf({ tileFile }: PreparedTiles, computed: Computed): Record<string, number> {
  const { best, notes, kernel, phaseMs, keysMs } = computed
  const { tiles, arcs } = tileFile.header
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
  const phases = Object.entries({ phase1Ms: 'candidates', phase2Ms: 'counts', phase3Ms: 'update' })
  return {
    ...Object.fromEntries(phases.flatMap(([name, phase]) => (phase in phaseMs ? [[name, phaseMs[phase]!]] : []))),
    tensorCores: kernel === tcCountsMatrix ? 1 : 0,
    tiles,
    fill: tiles === 0 ? 0 : (100 * arcs) / (tiles * TILE_ROWS * TILE_COLUMNS),
    tileBytes: CHUNK_BYTES * chunksOf(tiles),
    tilesRead: sum(notes.tilesRead),
    phase2Bytes: sum(countedBytes(tiles, notes)),
    keysMs,
    bestSeed: best.kept,
  }
}

/** Bytes that phase 2 must read in each round: the index of each tile, and the bits of each that is not skipped. */
const countedBytes = (tiles: number, { tilesRead }: RoundNotes): number[] =>
  tilesRead.map((read) => 4 * (INDEX_WORDS * tiles + TILE_WORDS * read))

function recordOf(args: RunArgs, device: Device, prepared: PreparedTiles, computed: Computed): AnswerRecord {
  const { best, notes, plan, store, computeMs, kernelMs } = computed
  const { heuristic, seeds } = tcChoiceOf(args)
  const { vertices, arcs, tiles } = prepared.tileFile.header
  const { batches, hostBytes, deviceBytes } = plan
  return {
    devices: [device.facts],
    options: {
      priority: heuristic,
      seed: args.seed,
      seeds,
      counting: args.counting ?? 'auto',
      batches,
      memoryBytes: args.memoryBytes ?? null,
    },
    result: setResult(best.set),
    rounds: notes.left.length,
    roundCounts: notes.left.map((undecided, i) => ({ round: i + 1, undecided })),
    counters: countersOf(prepared, computed),
    series: [
      { name: 'sizes', of: 'seed', unit: '', values: best.sizes },
      { name: 'phase2Bytes', unit: 'bytes', values: countedBytes(tiles, notes) },
    ],
    time: { prepareMs: prepared.buildMs, computeMs, kernelMs, exchangeMs: 0, readMs: store.readMs },
    bytes: {
      read: prepared.tileFile.bytesRead,
      toDevice: device.copied.toDevice,
      fromDevice: device.copied.fromDevice,
      exchanged: 0,
    },
    passes: batches === 0 ? 0 : Math.ceil(store.loads / batches),
    plan: { vertices, arcs, batches, hostBytes, deviceBytes, tileBytes: tileFileBytes(tiles) },
  }
}

export interface BestSet {
  readonly set: VertexSet
  /** Of the set of each seed. */
  readonly sizes: readonly number[]
  /** Which of them was kept: the largest, the first of several. */
  readonly kept: number
}

/**
 * The largest of the sets that TC-MIS found, by size.
 * @param members words of 32 vertices, those of the seeds side by side
 */
export function bestSet(members: Uint32Array, vertices: number, seeds: number): BestSet {
  const segments = Math.ceil(vertices / 32)
  const sizes = new Array<number>(seeds).fill(0)
  for (let at = 0; at < segments * seeds; at++)
    for (let word = members[at]!; word !== 0; word &= word - 1) sizes[at % seeds]!++
  const kept = sizes.indexOf(Math.max(...sizes))
  const set = new VertexSet(vertices)
  for (let v = 0; v < vertices; v++) if (((members[(v >>> 5) * seeds + kept]! >>> (v & 31)) & 1) === 1) set.add(v)
  return { set, sizes, kept }
}

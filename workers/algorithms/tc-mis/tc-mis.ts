/**
 * TC-MIS (Nijhara, Banerjee, arXiv 2605.29604) as an Algorithm: a maximal independent set by products over tiles of the adjacency matrix, for
 * several seeds at once, of which the largest set is kept. Here are its keys (h1, h2, h3, section 3.3), checkpoints and the record;
 * three-phases.ts has Algorithm 2, tiles-on-device.ts the tiles and the plan, graph/tiles builds and stores tiles beside the dataset. On real
 * graphs tiles are nearly empty: ecl-mis is faster.
 */

import { tcCandidates } from '../../../kernels/tc-mis/tc-candidates.ts'
import { tcCountsMatrix } from '../../../kernels/tc-mis/tc-counts-matrix.ts'
import { tcUpdate } from '../../../kernels/tc-mis/tc-update.ts'
import {
  type PreparedTiles,
  type TileHeader,
  tileFileBytes,
  TILE_CHUNK_BYTES,
  INDEX_WORDS,
  TILE_COLUMNS,
  TILE_ROWS,
  TILE_WORDS,
  tileChunks,
  prepareTiles,
} from '../../graph/tiles/tile-file.ts'
import { type JobContext, type StopSignal, throwIfCancelled } from '../../base/job.ts'
import type { RunArgs } from '../../contract/jobs.ts'
import { Trace } from '../../base/trace.ts'
import { verifyIndependentSet } from '../../verify/verify-independent-set.ts'
import type { Algorithm, Answer, AnswerRecord, Run } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import { setResult } from '../set-answer.ts'
import { isTraced, percent } from '../worker-report.ts'
import { type TilePlan, countsKernel, tcChoiceOf, estimateTiles, planTiles, TileStore } from './tiles-on-device.ts'
import { type RoundNotes, type TcCheckpoint, ThreePhases } from './three-phases.ts'
import { VertexSet } from '../../graph/vertex-set.ts'
import { degreesOf } from '../../graph/degrees.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { type SetOrder, setOrder, eclPriority, rankVertices, vertexHash } from '../../graph/set-order.ts'

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
  const { seeds } = tcChoiceOf(args)
  const prepared = prepareTiles(args, graph, job)
  const { tileFile } = prepared
  const { vertices } = tileFile.header
  const trace = new Trace(isTraced(args))
  const plan = planTiles(args, tileFile.header, device, seeds)
  const store = new TileStore(device, tileFile, plan, trace)
  const checkpoint = checkpointOf(args, tileFile.header)
  let phases: ThreePhases | undefined
  try {
    const keysFrom = performance.now()
    const keys = keysOf(graph, args, job.signal)
    const keysMs = performance.now() - keysFrom
    const counts = countsKernel(device.facts, args.counting)
    await device.prepare([tcCandidates, counts, tcUpdate])
    const orders = ordersOf(graph, args)
    const task = { device, graph, store, batches: plan.batches, seeds, keys, orders, counts, checkpoint, trace }
    phases = await ThreePhases.open(task, job)
    await device.takeKernelMs()
    await device.takePhaseMs()
    const [startMs, readMs] = [performance.now(), store.readMs]
    const members = await phases.run()
    const computeMs = performance.now() - startMs - (store.readMs - readMs)
    const [kernelMs, phaseMs] = [await device.takeKernelMs(), await device.takePhaseMs()]
    const best = bestSet(members, vertices, seeds)
    const isTensor = counts === tcCountsMatrix
    const computed = { best, notes: phases.notes, plan, store, isTensor, keysMs, computeMs, kernelMs, phaseMs }
    const record = recordOf(run, prepared, computed)
    const { set } = best
    return {
      bytes: set.bytes,
      workers: [{ device: device.facts, spans: trace.spans }],
      record: () => record,
      verify: () => verifyIndependentSet(graph, run.labels(), set, undefined, job),
      checkpoint,
    }
  } finally {
    store.release()
    phases?.release()
    tileFile.close()
  }
}

function checkpointOf(args: RunArgs, { format, vertices }: TileHeader): TcCheckpoint | undefined {
  const { heuristic, seeds } = tcChoiceOf(args)
  return Checkpoint.of(args, { order: `${heuristic}-${args.seed}-${seeds}`, tiles: format, vertices })
}

interface Computed {
  readonly best: BestSet
  readonly notes: RoundNotes
  readonly plan: TilePlan
  readonly store: TileStore
  readonly isTensor: boolean
  readonly keysMs: number
  readonly computeMs: number
  readonly kernelMs: number
  /** Milliseconds of the phases `candidates`, `counts` and `update`; empty where the device has no clock for them. */
  readonly phaseMs: Readonly<Record<string, number>>
}

function recordOf({ args, device }: Run, { tileFile, buildMs }: PreparedTiles, computed: Computed): AnswerRecord {
  const { best, notes, plan, store, isTensor, keysMs, computeMs, kernelMs, phaseMs } = computed
  const { heuristic: priority, seeds } = tcChoiceOf(args)
  const { seed, counting = 'auto', memoryBytes = null } = args
  const { vertices, arcs, tiles } = tileFile.header
  const { batches, hostBytes, deviceBytes } = plan
  // What phase 2 must read in each round: the index of each tile, and the bits of each that is not skipped.
  const phase2Bytes = notes.tilesRead.map((read) => 4 * (INDEX_WORDS * tiles + TILE_WORDS * read))
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
  const phases = Object.entries({ phase1Ms: 'candidates', phase2Ms: 'counts', phase3Ms: 'update' })
  return {
    devices: [device.facts],
    options: { priority, seed, seeds, counting, batches, memoryBytes },
    result: setResult(best.set),
    rounds: notes.left.length,
    roundCounts: notes.left.map((undecided, i) => ({ round: i + 1, undecided })),
    counters: {
      ...Object.fromEntries(phases.flatMap(([name, phase]) => (phase in phaseMs ? [[name, phaseMs[phase]!]] : []))),
      tensorCores: isTensor ? 1 : 0,
      tiles,
      fill: percent(arcs, tiles * TILE_ROWS * TILE_COLUMNS),
      tileBytes: TILE_CHUNK_BYTES * tileChunks(tiles),
      tilesRead: sum(notes.tilesRead),
      phase2Bytes: sum(phase2Bytes),
      keysMs,
      bestSeed: best.kept,
    },
    series: [
      { name: 'sizes', of: 'seed', unit: '', values: best.sizes },
      { name: 'phase2Bytes', unit: 'bytes', values: phase2Bytes },
    ],
    time: { prepareMs: buildMs, computeMs, kernelMs, exchangeMs: 0, readMs: store.readMs },
    bytes: { read: tileFile.bytesRead, ...device.copied, exchanged: 0 },
    passes: batches === 0 ? 0 : Math.ceil(store.loads / batches),
    plan: { vertices, arcs, batches, hostBytes, deviceBytes, tileBytes: tileFileBytes(tiles) },
  }
}

interface BestSet {
  readonly set: VertexSet
  /** The size of each seed's set. */
  readonly sizes: readonly number[]
  /** Which of them was kept: the largest, the first of several. */
  readonly kept: number
}

/**
 * The largest of the sets that TC-MIS found, by size.
 * @param members words of 32 vertices, those of the seeds side by side
 */
function bestSet(members: Uint32Array, vertices: number, seeds: number): BestSet {
  const segments = Math.ceil(vertices / 32)
  const sizes = new Array<number>(seeds).fill(0)
  for (let at = 0; at < segments * seeds; at++)
    for (let word = members[at]!; word !== 0; word &= word - 1) sizes[at % seeds]!++
  const kept = sizes.indexOf(Math.max(...sizes))
  const set = new VertexSet(vertices)
  for (let v = 0; v < vertices; v++) if (((members[(v >>> 5) * seeds + kept]! >>> (v & 31)) & 1) === 1) set.add(v)
  return { set, sizes, kept }
}

/**
 * Keys of the heuristics of TC-MIS (arXiv 2605.29604, section 3.3).
 * - h1: a hash of the id; no two are alike. The set is that of priority `hash`.
 * - h2: the byte of ECL-MIS, so that neighbours may tie: then both are candidates, and both are out with their neighbours. A second
 *   table without ties is for the vertices that have no member beside them afterwards.
 * - h3: the byte of ECL-MIS, ties to the larger id: conflicts are resolved before any vertex is out. The set is that of
 *   priority `ecl`.
 * The greater key goes first.
 * @param signal looked at before each seed
 * @returns tables to compare one after another: a word for each vertex and seed, seeds side by side
 */
function keysOf(graph: GaloisGr, args: RunArgs, signal: StopSignal): Uint32Array[] {
  const { vertices, arcs } = graph
  const { heuristic, seeds } = tcChoiceOf(args)
  const input = { vertices, arcs, degrees: degreesOf(graph) }
  const spread = (keysOfSeed: (seed: number) => ArrayLike<number>): Uint32Array => {
    const keys = new Uint32Array(Math.max(1, vertices * seeds))
    for (let s = 0; s < seeds; s++) {
      throwIfCancelled(signal)
      const own = keysOfSeed((args.seed + s) >>> 0)
      for (let v = 0; v < vertices; v++) keys[v * seeds + s] = own[v]!
    }
    return keys
  }
  const hashes = (): Uint32Array =>
    spread((seed) => Uint32Array.from({ length: vertices }, (_, v) => vertexHash(v, seed)))
  const bytes = (): Uint32Array => spread((seed) => eclPriority({ ...input, seed }))
  const ranks = (): Uint32Array => spread((seed) => rankVertices('ecl', { ...input, seed }).rank)
  return { h1: () => [hashes()], h2: () => [bytes(), ranks()], h3: () => [ranks()] }[heuristic]()
}

/** The orders of the seeds without ties: those of the last table. */
function ordersOf({ vertices, arcs }: GaloisGr, args: RunArgs): SetOrder[] {
  const { heuristic, seeds } = tcChoiceOf(args)
  const priority = heuristic === 'h1' ? 'hash' : 'ecl'
  return Array.from({ length: seeds }, (_, s) =>
    setOrder({ priority, seed: (args.seed + s) >>> 0, vertices, arcs }, new Uint32Array(0)),
  )
}

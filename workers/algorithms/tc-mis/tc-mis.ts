import type { Device } from '../../device/device.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { PreparedTiles } from '../../graph/tiles/prepare-tiles.ts'
import { prepareTiles } from '../../graph/tiles/prepare-tiles.ts'
import { tileStatistics } from '../../graph/tiles/tile-file.ts'
import { INDEX_WORDS, TILE_WORDS } from '../../graph/tiles/tile-format.ts'
import type { JobContext } from '../../base/job.ts'
import type { RunArgs } from '../../contract/jobs.ts'
import { Trace } from '../../base/trace.ts'
import type { TraceSpan } from '../../base/trace.ts'
import { verifyIndependentSet } from '../../verify/verify-independent-set.ts'
import type { Algorithm, Answer, AnswerRecord, Run } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import { setResult } from '../set-answer.ts'
import { isTraced } from '../write-traces.ts'
import type { BestSet } from './best-set.ts'
import { bestSet } from './best-set.ts'
import type { TcChoice } from './choice.ts'
import { tcChoiceOf } from './choice.ts'
import { estimateTiles, planTilesExactly } from './estimate-tiles.ts'
import { keysOf } from './keys.ts'
import { PieceStore } from './piece-store.ts'
import type { TilePlan } from './plan-tiles.ts'
import { planTiles } from './plan-tiles.ts'
import type { TcCheckpoint } from './tc-state.ts'
import { keeperOf, startOf } from './tc-state.ts'
import type { TcResult } from './three-phases.ts'
import { threePhases } from './three-phases.ts'

/** TC-MIS (arXiv 2605.29604): a set by products over tiles of the adjacency matrix, for several seeds at once. */
export const tcMis: Algorithm = {
  requireOptions: (options) => void tcChoiceOf(options),
  plan: estimateTiles,
  planExactly: planTilesExactly,
  improvePasses: () => 0,
  severalGpus: 'impossible',
  kernels: () => [],
  compute: computeTcMis,
}

async function computeTcMis(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, device } = run
  const choice = tcChoiceOf(args)
  const prepared = prepareTiles(args, job)
  try {
    const checkpoint = checkpointOf(args, choice, prepared)
    const computed = await compute(device, args, choice, graph, prepared, checkpoint, job)
    const { set } = computed.best
    const record = recordOf(args, choice, device, prepared, computed)
    return {
      bytes: set.bytes,
      workers: [{ device: device.facts, spans: computed.spans }],
      record: () => record,
      verify: () => verifyIndependentSet(graph, run.labels(), set, undefined, job),
      checkpoint,
    }
  } finally {
    prepared.tileFile.close()
  }
}

function checkpointOf(
  args: RunArgs,
  { heuristic, seeds }: TcChoice,
  { tileFile }: PreparedTiles,
): TcCheckpoint | undefined {
  const { graph, format, vertices } = tileFile.header
  return Checkpoint.of(args, { graph, order: `${heuristic}-${args.seed}-${seeds}`, tiles: format, vertices })
}

interface Computed {
  readonly best: BestSet
  readonly result: TcResult
  readonly plan: TilePlan
  readonly readMs: number
  readonly loads: number
  readonly keysMs: number
  readonly spans: readonly TraceSpan[]
}

async function compute(
  device: Device,
  args: RunArgs,
  { heuristic, seeds }: TcChoice,
  graph: GaloisGr,
  { tileFile }: PreparedTiles,
  checkpoint: TcCheckpoint | undefined,
  job: JobContext,
): Promise<Computed> {
  const { vertices, arcs } = tileFile.header
  const trace = new Trace(isTraced(args))
  const listOffsets = Uint32Array.from(graph.readOffsets(0, vertices))
  const tables = { listOffsets, records: tileFile.readWords('records') }
  const plan = planTiles(args, tileFile, tables, device, seeds)
  const keysFrom = performance.now()
  const degrees = new Uint32Array(vertices)
  for (let v = 0; v < vertices; v++) degrees[v] = listOffsets[v + 1]! - listOffsets[v]!
  const keys = keysOf(heuristic, { vertices, arcs, degrees, seed: args.seed }, seeds, job.signal)
  const keysMs = performance.now() - keysFrom
  const store = new PieceStore(device, graph, tileFile, tables, plan.pieceBytes, trace)
  try {
    const { listBatches, tileBatches, isResident } = plan
    const task = {
      device,
      store,
      graph,
      listBatches,
      tileBatches,
      vertices,
      seeds,
      keys,
      counting: args.counting,
      isResident,
      trace,
      start: startOf(checkpoint),
      keeper: checkpoint && keeperOf(checkpoint),
    }
    const result = await threePhases(task, job)
    const best = bestSet(result.members, vertices, seeds)
    return { best, result, plan, readMs: store.readMs, loads: store.loads, keysMs, spans: trace.spans }
  } finally {
    store.release()
  }
}

/** Bytes that phase 2 must read in each round: the index of each tile looked at, and the bits of each tile that may matter. */
function countedBytes({ tilesLookedAt, tilesRead }: TcResult): number[] {
  return tilesLookedAt.map((looked, i) => 4 * (INDEX_WORDS * looked + TILE_WORDS * tilesRead[i]!))
}

function countersOf({ tileFile }: PreparedTiles, { result, best, keysMs }: Computed): Record<string, number> {
  const { tiles, fill, bytes } = tileStatistics(tileFile.header)
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
  const phases = Object.entries({ phase1Ms: 'candidates', phase2Ms: 'counts', phase3Ms: 'update' })
  return {
    ...Object.fromEntries(
      phases.flatMap(([name, phase]) => (phase in result.phaseMs ? [[name, result.phaseMs[phase]!]] : [])),
    ),
    tensorCores: result.isOnTensorCores ? 1 : 0,
    tiles,
    fill: 100 * fill,
    tileBytes: bytes,
    tilesLookedAt: sum(result.tilesLookedAt),
    tilesRead: sum(result.tilesRead),
    phase2Bytes: sum(countedBytes(result)),
    keysMs,
    bestSeed: best.kept,
  }
}

function recordOf(
  args: RunArgs,
  { heuristic, seeds }: TcChoice,
  device: Device,
  prepared: PreparedTiles,
  computed: Computed,
): AnswerRecord {
  const { best, result, plan, readMs, loads } = computed
  const batches = plan.listBatches.length + plan.tileBatches.length
  const series = [
    { name: 'sizes', of: 'seed', unit: '', values: best.sizes } as const,
    { name: 'phase2Bytes', unit: 'bytes', values: countedBytes(result) },
  ]
  return {
    devices: [device.facts],
    options: {
      priority: heuristic,
      seed: args.seed,
      seeds,
      counting: args.counting ?? 'auto',
      batches: plan.plan.batches,
      memoryBytes: args.memoryBytes ?? null,
    },
    result: setResult(best.set),
    rounds: result.rounds,
    roundCounts: result.roundCounts,
    counters: countersOf(prepared, computed),
    series,
    time: {
      prepareMs: prepared.buildMs,
      computeMs: result.computeMs,
      kernelMs: result.kernelMs,
      exchangeMs: 0,
      readMs,
    },
    bytes: {
      read: prepared.tileFile.bytesRead,
      toDevice: device.copied.toDevice,
      fromDevice: device.copied.fromDevice,
      exchanged: 0,
    },
    passes: batches === 0 ? 0 : Math.ceil(loads / batches),
    plan: plan.plan,
  }
}

import type { Device } from '../../device/device.ts'
import { openDevice } from '../../device/open-device.ts'
import { openLabels } from '../../graph/labels.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { openGraph } from '../../graph/open-graph.ts'
import type { PreparedTiles } from '../../graph/tiles/prepare-tiles.ts'
import { prepareTiles } from '../../graph/tiles/prepare-tiles.ts'
import { tileStatistics } from '../../graph/tiles/tile-file.ts'
import { INDEX_WORDS, TILE_WORDS } from '../../graph/tiles/tile-format.ts'
import { removeResult, writeResult } from '../../graph/result-file.ts'
import type { JobContext } from '../../base/job.ts'
import type { RunArgs, RunOutcome } from '../../contract/jobs.ts'
import { Trace } from '../../base/trace.ts'
import { verifyIndependentSet } from '../../verify/verify-independent-set.ts'
import { Checkpoint } from '../checkpoint.ts'
import { requirePlanned } from '../plan.ts'
import { isTraced, writeTraces } from '../write-traces.ts'
import type { BestSet } from './best-set.ts'
import { bestSet } from './best-set.ts'
import type { TcChoice } from './choice.ts'
import { tcChoiceOf } from './choice.ts'
import { keysOf } from './keys.ts'
import { PieceStore } from './piece-store.ts'
import type { TilePlan } from './plan-tiles.ts'
import { planTiles } from './plan-tiles.ts'
import type { TcResult } from './tc-mis.ts'
import { tcMis } from './tc-mis.ts'
import type { TcCheckpoint } from './tc-state.ts'
import { keeperOf, startOf } from './tc-state.ts'

/** TC-MIS from a dataset to a verified set: cuts the tiles, plans, computes, stores the set, verifies. */
export async function runTcMis(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  tcChoiceOf(args)
  const device = await openDevice(args.device)
  try {
    requirePlanned(args, [device.facts])
    return await tcMisOn(device, args, job)
  } finally {
    device.close()
  }
}

/** The same on a device that is open. */
export async function tcMisOn(device: Device, args: RunArgs, job: JobContext): Promise<RunOutcome> {
  const startMs = performance.now()
  const choice = tcChoiceOf(args)
  const graph = openGraph(args.folder, args.checksum, job)
  let prepared: PreparedTiles | undefined
  try {
    prepared = prepareTiles(args, job)
    const checkpoint = checkpointOf(args, choice, prepared)
    const computed = await compute(device, args, choice, graph, prepared, checkpoint, job)
    writeResult(args.resultFile, computed.best.set.bytes)
    const labels = openLabels(args.folder, graph.vertices)
    const totalMs = performance.now() - startMs
    const verification = args.verify
      ? await verifyIndependentSet(graph, labels, computed.best.set, undefined, job)
      : null
    checkpoint?.remove()
    const outcome = outcomeOf(args, choice, device, prepared, computed, totalMs)
    return { ...outcome, verification, resumed: checkpoint?.resumed }
  } catch (error) {
    removeResult(args.resultFile)
    throw error
  } finally {
    prepared?.tileFile.close()
    graph.close()
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
    const result = await tcMis(task, job)
    writeTraces(args, [{ device: device.facts, spans: trace.spans }])
    const best = bestSet(result.members, vertices, seeds)
    return { best, result, plan, readMs: store.readMs, loads: store.loads, keysMs }
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

function outcomeOf(
  args: RunArgs,
  { heuristic, seeds }: TcChoice,
  device: Device,
  prepared: PreparedTiles,
  computed: Computed,
  totalMs: number,
): Omit<RunOutcome, 'verification'> {
  const { best, result, plan, readMs, loads } = computed
  const { size, hash } = best.set.summary()
  const { vertices } = prepared.tileFile.header
  const batches = plan.listBatches.length + plan.tileBatches.length
  const series = [
    { name: 'sizes', of: 'seed', unit: '', values: best.sizes } as const,
    { name: 'phase2Bytes', unit: 'bytes', values: countedBytes(result) },
  ]
  return {
    algorithm: 'tc-mis',
    devices: [device.facts],
    options: {
      priority: heuristic,
      seed: args.seed,
      seeds,
      counting: args.counting ?? 'auto',
      batches: plan.plan.batches,
      memoryBytes: args.memoryBytes ?? null,
    },
    result: { kind: 'independent-set', size, fraction: vertices === 0 ? 0 : size / vertices, hash },
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
      totalMs,
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

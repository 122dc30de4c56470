/**
 * Runs of algorithms whose workers each own a range of vertices (cores, components, colouring, searches, distances, spins, and the papers' own
 * protocols): the coordinator starts a worker for each device, or for each thread of a processor that holds all lists, computes along as the
 * first one, and makes the record of what all report. Ranges have about equal arcs. range-task.ts is the side of one worker.
 */

import type { JobContext } from '../base/job.ts'
import { coordinate, shareSums } from '../threads/barrier.ts'
import { runInThread } from '../threads/thread-pool.ts'
import type { AnswerRecord, Run } from './algorithm.ts'
import { arcBatchBytes, cutRanges } from './arc-store.ts'
import { budgetsOf, threadsOf, type PlanEstimate, type PlanRequest } from './plan-request.ts'
import type { Checkpointer } from './checkpoint.ts'
import { estimateArcs } from './plan-arcs.ts'
import { type RangeReport, type RangeTask, type RangeWorks, barrierOf, onRangeWorker } from './range-task.ts'
import { isTraced, percent, together, workerRecord } from './worker-report.ts'

/** The plan of workers that each own a range with about equal arcs. @param spaceBytes of a worker that owns so many vertices */
export function planRanges(
  request: PlanRequest,
  spaceBytes: (own: number) => number,
  hostBytes: number,
  wordsAnArc = 1,
): PlanEstimate {
  const { size, devices } = request
  const own = Math.ceil(size.vertices / devices.length)
  const workers = devices.map(() => ({ vertices: own, spaceBytes: spaceBytes(own), wordsAnArc }))
  return estimateArcs(request, workers, { hostBytes })
}

export const boundsOf = ({ graph, devices }: Pick<Run, 'graph' | 'devices'>): number[] =>
  cutRanges(graph, devices.length)

/** A run whose processors are a worker for each of their threads. */
export interface ThreadedRun extends Run {
  /** Workers of a device, which report as one. */
  readonly each: number
  /** Whether all workers are processors, and hold their lists at once. */
  readonly holdsLists: boolean
}

/** Each device as so many workers as a processor has threads for. */
export function withThreads(run: Run): Omit<ThreadedRun, 'holdsLists'> {
  const each = threadsOf(run.graph, run.devices.length)
  return { ...run, devices: run.devices.flatMap((device) => Array.from({ length: each }, () => device)), each }
}

/**
 * Makes threads the workers if only processors compute and hold all lists at once; else a device is a worker.
 * @param spaceBytes of a worker that owns so many vertices
 */
export function onThreads(run: Run, spaceBytes: (own: number) => number, wordsAnArc = 1): ThreadedRun {
  const threaded = withThreads(run)
  const holdsLists = holdLists(run, spaceBytes, wordsAnArc)
  const fits = holdsLists && holdLists(threaded, spaceBytes, wordsAnArc)
  return { ...(fits ? threaded : { ...run, each: 1 }), holdsLists }
}

/** Whether all workers are processors, and hold their lists at once. */
export function holdLists(run: Run, spaceBytes: (own: number) => number, wordsAnArc = 1): boolean {
  const { args, graph, devices } = run
  if ((args.batches ?? 1) > devices.length) return false
  const bounds = boundsOf(run)
  const budgets = budgetsOf(devices, args.memoryBytes)
  return devices.every(({ kind }, worker) => {
    const [low, high] = [bounds[worker]!, bounds[worker + 1]!]
    const arcs = graph.readOffsets(high, high)[0]! - graph.readOffsets(low, low)[0]!
    const listBytes = arcBatchBytes({ count: high - low, arcs }, wordsAnArc)
    return kind === 'cpu' && spaceBytes(high - low) + listBytes <= budgets[worker]!
  })
}

/** The report of each device for which several threads computed. */
function reportsOfDevices(reports: readonly RangeReport[], each: number): RangeReport[] {
  return Array.from({ length: reports.length / each }, (_, device) => {
    const threads = reports.slice(device * each, (device + 1) * each)
    const [first] = threads as [RangeReport]
    const own = threads.reduce((sum, { deviceBytes, sharedBytes }) => sum + deviceBytes - sharedBytes, 0)
    return {
      ...{ ...first, ...together(threads, 'beside') },
      prepareMs: Math.max(...threads.map(({ prepareMs }) => prepareMs)),
      deviceBytes: own + first.sharedBytes,
    }
  })
}

export interface RangesDone<Outcome> {
  /** The outcome of the coordinator. */
  readonly outcome: Outcome
  readonly reports: readonly RangeReport[]
  readonly startMs: number
  readonly endMs: number
}

interface RangesGiven<Notes> {
  /** The ranges of the workers; absent: about equal arcs. */
  readonly bounds?: readonly number[]
  /** The first worker here, where there are other ranks. */
  readonly first?: number
  readonly before?: Notes | undefined
  readonly checkpointer?: Checkpointer<Notes> | undefined
}

/** Computes on all workers of a run, the first one here, and settles when the graph is known to be sound. */
export async function runRanges<Shared, Outcome, Notes>(
  run: Run & Partial<ThreadedRun>,
  job: JobContext,
  shared: Shared,
  works: RangeWorks<Shared, Outcome, Notes>,
  { bounds = boundsOf(run), first: from = 0, before, checkpointer }: RangesGiven<Notes> = {},
): Promise<RangesDone<Outcome>> {
  const { args, graph, device, devices, each = 1 } = run
  const startMs = performance.now()
  const common = {
    ...{ graph: graph.handle, bounds, shared, before, traced: isTraced(args) },
    ...{ batches: Math.ceil((args.batches ?? 1) / (bounds.length - 1)), ...shareSums(devices.length) },
    threads: threadsOf(graph, devices.filter(({ kind }) => kind === 'cpu').length),
  }
  const budgets = budgetsOf(devices, args.memoryBytes)
  const [first, ...others] = devices.map(({ id }, i) => ({
    ...{ ...common, device: id, worker: from + i, budgetBytes: budgets[i]! },
  }))
  const follow = (task: RangeTask<Shared, Notes>): Promise<RangeReport> => runInThread(works.follow, task, task.device)
  const { control } = common
  const barrier = barrierOf(first!, works, job.signal)
  const { own, reports } = await coordinate(control, job, others.map(follow), () =>
    onRangeWorker(first!, device, barrier, job, works, checkpointer),
  )
  const endMs = performance.now()
  await run.checked()
  return { outcome: own.outcome, reports: reportsOfDevices([own.report, ...reports], each), startMs, endMs }
}

type RangeRecord = Omit<AnswerRecord, 'result'>

interface RangeCosts {
  readonly hostBytes: number
  /** The time at which it began to prepare, before the workers did. */
  readonly fromMs?: number
}

/** Offsets at the ends of ranges are read for both sides: that is no other pass. */
const OVERLAP = 1 / 16

/** The record of a run in rounds, of which `found` has the vertices that are undecided after each. */
export function roundsRecord(run: Run, found: RangesDone<readonly number[]>, costs: RangeCosts): RangeRecord {
  const record = rangeRecord(run, found, costs)
  const { vertices, arcs, file } = run.graph
  // Of each batch one offset more than it has vertices.
  const passBytes = 8 * (vertices + record.plan.batches) + 4 * arcs
  return {
    ...record,
    options: { ...record.options, batches: record.plan.batches },
    rounds: found.outcome.length,
    roundCounts: found.outcome.map((undecided, i) => ({ round: i + 1, undecided })),
    passes: Math.max(1, Math.ceil(record.bytes.read / Math.max(1, passBytes) - OVERLAP)),
    counters: { readPercent: percent(record.bytes.read, file.bytes) },
  }
}

/** The part of a record that is the same for all of them. */
export function rangeRecord(
  { args, graph }: Run,
  { reports, startMs, endMs }: RangesDone<unknown>,
  { hostBytes, fromMs = startMs }: RangeCosts,
): RangeRecord {
  const { vertices, arcs } = graph
  const { devices, time, bytes, series } = workerRecord(reports)
  const prepareMs = Math.max(...reports.map((report) => report.prepareMs))
  const counters: Record<string, number> = {}
  for (const report of reports)
    for (const [name, count] of Object.entries(report.counters)) counters[name] = (counters[name] ?? 0) + count
  return {
    devices,
    options: { seed: args.seed, batches: args.batches ?? null, memoryBytes: args.memoryBytes ?? null },
    rounds: 1,
    roundCounts: [],
    counters,
    series,
    time: {
      prepareMs: startMs - fromMs + prepareMs,
      computeMs: Math.max(0, endMs - startMs - prepareMs),
      ...time,
    },
    bytes,
    passes: 1,
    plan: {
      ...{ vertices, arcs, hostBytes, batches: reports.reduce((sum, { batches }) => sum + batches, 0) },
      deviceBytes: Math.max(...reports.map(({ deviceBytes }) => deviceBytes)),
    },
  }
}

import type { JobContext } from '../base/job.ts'
import type { RunArgs, RunResult } from '../contract/jobs.ts'
import { warmThreads } from '../threads/thread-pool.ts'
import type { AnswerRecord, Run } from './algorithm.ts'
import { cutRanges } from './arc-store.ts'
import type { PlanEstimate, PlanRequest } from './estimate.ts'
import { estimateArcs } from './plan-arcs.ts'
import { type RangeReport, type RangeTask, type RangeWorks, onRangeWorkers } from './range-task.ts'
import { isTraced, percent, workerFigures, workerSeries } from './worker-report.ts'

/** The plan of workers that each own a range with about equal arcs. @param spaceBytes of a worker that owns so many vertices */
export function planRanges(
  request: PlanRequest,
  spaceBytes: (own: number) => number,
  hostBytes: number,
  wordsAnArc = 1,
): PlanEstimate {
  const { size, devices } = request
  const own = Math.ceil(size.vertices / devices.length)
  const workers = devices.map(() => ({ vertices: own, oneIn: 1, spaceBytes: spaceBytes(own), wordsAnArc }))
  return estimateArcs(request, workers, hostBytes)
}

export const rangesOf = ({ graph, devices }: Pick<Run, 'graph' | 'devices'>): number[] =>
  cutRanges(graph, devices.length)

/** The tasks of all workers. */
export function rangeTasks<Shared extends { readonly control: Int32Array }>(
  { args, graph, devices }: Run,
  bounds: readonly number[],
  shared: Shared,
): RangeTask<Shared>[] {
  const { memoryBytes } = args
  const batches = Math.ceil((args.batches ?? 1) / devices.length)
  const common = { graph: graph.handle, bounds, shared, batches, memoryBytes, traced: isTraced(args) }
  return devices.map(({ id }, worker) => ({ ...common, device: id, worker }))
}

export interface RangesDone<Outcome> {
  readonly outcome: Outcome
  readonly reports: readonly RangeReport[]
  readonly startMs: number
  readonly endMs: number
}

/** Computes on all workers of a run. @param follow the task of the other workers' threads (engine/task-thread.ts) */
export async function runRanges<Shared extends { readonly control: Int32Array }, Outcome>(
  run: Run,
  job: JobContext,
  shared: Shared,
  follow: string,
  works: RangeWorks<Shared, Outcome>,
): Promise<RangesDone<Outcome>> {
  const { device, devices } = run
  const startMs = performance.now()
  warmThreads(devices.length - 1)
  const bounds = rangesOf(run)
  const tasks = rangeTasks(run, bounds, shared)
  const done = await onRangeWorkers(tasks, follow, device, job, works)
  return { ...done, startMs, endMs: performance.now() }
}

/** The record of a run in rounds, of which `found` has the vertices that are undecided after each. `beforeMs`: what went before. */
export function roundsRecord(
  run: Run,
  found: RangesDone<readonly number[]>,
  result: RunResult,
  { hostBytes, beforeMs }: { readonly hostBytes: number; readonly beforeMs: number },
): AnswerRecord {
  const { reports, outcome, startMs, endMs } = found
  const record = rangeRecord(run, reports, result, { startMs, endMs, hostBytes })
  const { vertices, arcs, file } = run.graph
  return {
    ...record,
    time: { ...record.time, prepareMs: beforeMs + record.time.prepareMs },
    options: { ...record.options, batches: record.plan.batches },
    rounds: outcome.length,
    roundCounts: outcome.map((undecided, i) => ({ round: i + 1, undecided })),
    passes: Math.max(1, Math.ceil(record.bytes.read / Math.max(1, 8 * vertices + 4 * arcs))),
    counters: { readPercent: percent(record.bytes.read, file.bytes) },
  }
}

/** The part of a record that is the same for all of them. */
export function rangeRecord(
  { args, graph }: Run,
  reports: readonly RangeReport[],
  result: RunResult,
  {
    startMs,
    hostBytes,
    endMs = performance.now(),
  }: { readonly startMs: number; readonly hostBytes: number; readonly endMs?: number },
): AnswerRecord {
  const { vertices, arcs } = graph
  const { devices, time, bytes } = workerFigures(reports)
  const prepareMs = Math.max(...reports.map((report) => report.prepareMs))
  const batches = reports.reduce((sum, report) => sum + report.batches, 0)
  return {
    devices,
    options: chosen(args),
    result,
    rounds: 1,
    roundCounts: [],
    counters: {},
    series: workerSeries(reports),
    time: { prepareMs, computeMs: Math.max(0, endMs - startMs - prepareMs), ...time },
    bytes,
    passes: 1,
    plan: {
      vertices,
      arcs,
      batches,
      hostBytes,
      deviceBytes: Math.max(...reports.map(({ deviceBytes }) => deviceBytes)),
    },
  }
}

const chosen = ({ seed, memoryBytes, batches }: RunArgs): AnswerRecord['options'] => ({
  seed,
  batches: batches ?? null,
  memoryBytes: memoryBytes ?? null,
})

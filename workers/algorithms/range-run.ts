import type { RunArgs, ValuesResult } from '../contract/jobs.ts'
import type { AnswerRecord, Run } from './algorithm.ts'
import { cutRanges } from './arc-store.ts'
import type { PlanEstimate, PlanRequest } from './estimate.ts'
import { estimateArcs } from './plan-arcs.ts'
import type { RangeReport, RangeTask } from './range-task.ts'
import { isTraced, workerFigures, workerSeries } from './worker-report.ts'

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

/** The part of a record that is the same for all of them. */
export function rangeRecord(
  { args, graph }: Run,
  reports: readonly RangeReport[],
  result: ValuesResult,
  { startMs, hostBytes }: { readonly startMs: number; readonly hostBytes: number },
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
    time: { prepareMs, computeMs: Math.max(0, performance.now() - startMs - prepareMs), ...time },
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

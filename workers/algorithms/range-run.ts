import type { JobContext } from '../base/job.ts'
import { warmThreads } from '../threads/thread-pool.ts'
import type { AnswerRecord, Run } from './algorithm.ts'
import { cutGrid } from './bfs/search-grid.ts'
import { workersOf } from './budgets.ts'
import type { PlanEstimate, PlanRequest } from './estimate.ts'
import { estimateArcs } from './plan-arcs.ts'
import { type RangeReport, type RangeTask, type RangeWork, type RangeWorker, onRangeWorkers } from './range-task.ts'
import { isTraced, workerFigures, workerSeries } from './worker-report.ts'

/** An algorithm whose workers own ranges of the vertices with about equal arcs. */
export interface RangeAlgorithm<Shared extends { readonly control: Int32Array }, Outcome> {
  /** The task of the other workers' threads (engine/task-thread.ts). */
  readonly follow: string
  readonly shared: Shared
  /** Of a device, for a worker with so many vertices of its own. */
  spaceBytes(own: number): number
  compute(worker: RangeWorker<Shared>): Promise<RangeWork<Outcome>>
}

export interface RangesDone<Outcome> {
  readonly outcome: Outcome
  readonly reports: readonly RangeReport[]
  readonly computeMs: number
}

/** Computes on all workers of a run. */
export async function runRanges<Shared extends { readonly control: Int32Array }, Outcome>(
  { args, graph, device }: Run,
  job: JobContext,
  algorithm: RangeAlgorithm<Shared, Outcome>,
): Promise<RangesDone<Outcome>> {
  const { follow, shared, compute } = algorithm
  const devices = workersOf(args)
  warmThreads(devices.length - 1)
  const { bounds } = cutGrid(graph, 1, devices.length)
  const tasks = devices.map((id, worker): RangeTask<Shared> => {
    const batches = Math.ceil((args.batches ?? 1) / devices.length)
    const place = { device: id, worker, graph: graph.handle, bounds, shared }
    return { ...place, batches, memoryBytes: args.memoryBytes, traced: isTraced(args) }
  })
  await device.takeKernelMs()
  const startMs = performance.now()
  const spaceBytes = algorithm.spaceBytes(bounds[1]! - bounds[0]!)
  const { outcome, reports } = await onRangeWorkers(tasks, follow, device, job, spaceBytes, compute)
  const preparedMs = Math.max(...reports.map(({ prepareMs }) => prepareMs))
  return { outcome, reports, computeMs: performance.now() - startMs - preparedMs }
}

/** Of a record, all but what is the algorithm's own. @param rounds vertices that are undecided after each */
export function rangeRecord(
  { args, graph }: Run,
  { reports, computeMs }: Pick<RangesDone<unknown>, 'reports' | 'computeMs'>,
  {
    prepareMs,
    rounds,
    hostBytes,
  }: { readonly prepareMs: number; readonly rounds: readonly number[]; readonly hostBytes: number },
): Omit<AnswerRecord, 'result' | 'counters'> {
  const { vertices, arcs } = graph
  const batches = reports.reduce((sum, report) => sum + report.batches, 0)
  const deviceBytes = Math.max(...reports.map((report) => report.deviceBytes))
  const { devices, time, bytes } = workerFigures(reports)
  const readyMs = Math.max(...reports.map((report) => report.prepareMs))
  return {
    devices,
    options: { seed: args.seed, batches, memoryBytes: args.memoryBytes ?? null },
    rounds: rounds.length,
    roundCounts: rounds.map((undecided, i) => ({ round: i + 1, undecided })),
    series: workerSeries(reports),
    time: { prepareMs: prepareMs + readyMs, computeMs, ...time },
    bytes,
    passes: Math.max(1, Math.ceil(bytes.read / Math.max(1, 8 * vertices + 4 * arcs))),
    plan: { vertices, arcs, batches, hostBytes, deviceBytes },
  }
}

/** The plan from the sizes of the graph alone. @param hostBytes of shared memory and the result */
export function estimateRanges(
  request: PlanRequest,
  spaceBytes: (own: number) => number,
  hostBytes: number,
): PlanEstimate {
  const { size, devices } = request
  const own = Math.ceil(size.vertices / devices.length)
  const workers = devices.map(() => ({ vertices: own, oneIn: 1, spaceBytes: spaceBytes(own) }))
  return estimateArcs(request, workers, hostBytes)
}

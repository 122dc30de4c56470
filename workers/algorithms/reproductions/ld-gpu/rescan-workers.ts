import type { Device } from '../../../device/device.ts'
import { openDevice } from '../../../device/open-device.ts'
import { SharedBarrier, workerJob, coordinate } from '../../../threads/barrier.ts'
import { type GraphHandle, GaloisGr } from '../../../graph/galois-gr.ts'
import { Matching } from '../../../graph/matching.ts'
import type { EdgeOrder } from '../../../graph/edge-order.ts'
import type { JobContext } from '../../../base/job.ts'
import { runInThread } from '../../../threads/thread-pool.ts'
import type { WorkerReport } from '../../worker-report.ts'
import { Trace } from '../../../base/trace.ts'
import type { ComputedMatching, MatchState, RoundCheckpointer } from '../../ld-gpu/match-request.ts'
import type { RescanPlan } from './plan-rescan.ts'
import { type SharedPointers, PointerExchange, sharePointers, startOfWorker } from './pointer-exchange.ts'
import { type ScanRounds, matchRescan } from './rescan.ts'
import { readScanBatch, scanDegrees } from './scan-arcs.ts'

export interface PreparedRescan extends RescanPlan {
  readonly device: Device
  readonly workers: readonly string[]
  readonly graph: GaloisGr
  readonly order: EdgeOrder
  readonly traced: boolean
  /** Of all vertices. */
  readonly start?: MatchState | undefined
  readonly checkpointer?: RoundCheckpointer | undefined
}

/** Computes the matching by the method `rescan`, this thread leading and the other workers in threads of their own. */
export async function computeRescan(run: PreparedRescan, job: JobContext): Promise<ComputedMatching> {
  const { device, workers, graph, order, shares, traced, start, checkpointer } = run
  const ends = [0, ...shares.map((bounds) => bounds.at(-1)!)]
  const shared = workers.length === 1 ? undefined : sharePointers(graph.vertices, ends, start)
  const tasks = shares.map((bounds, worker) => {
    const common = { device: workers[worker]!, worker, graph: graph.handle }
    return { ...common, order, bounds, shared, traced }
  })
  let matching = new Matching(new Uint32Array(0))
  const lead = (): Promise<ScanReport> =>
    runScan(
      { ...tasks[0]!, start, checkpointer },
      graph,
      device,
      job,
      (pointers) => (matching = Matching.ofPointers(pointers)),
    )
  if (shared === undefined) {
    const own = await lead()
    return computed(matching, [own])
  }
  const others = tasks
    .slice(1)
    .map((task): Promise<ScanReport> =>
      runInThread<ScanTask, ScanReport>('follow-rescan', { ...task, shared }, task.device),
    )
  const { own, reports } = await coordinate(shared.control, job, others, lead)
  return computed(matching, [own, ...reports])
}

/** What a following worker of the method `rescan` is given. */
export interface ScanTask {
  readonly device: string
  readonly worker: number
  readonly graph: GraphHandle
  readonly order: EdgeOrder
  /** Of the worker's batches, in vertices. */
  readonly bounds: readonly number[]
  readonly shared: SharedPointers
  readonly traced: boolean
}

/** What a worker did. */
export interface ScanReport extends Omit<WorkerReport, 'sweeps'>, ScanRounds {}

function computed(matching: Matching, reports: readonly ScanReport[]): ComputedMatching {
  const { open } = reports[0]!
  return {
    matching,
    workers: reports.map((report) => ({ ...report, sweeps: 0 })),
    passes: open.length,
    open,
    arcs: open.map((_, round) => reports.reduce((sum, { arcs }) => sum + (arcs[round] ?? 0), 0)),
    prepareMs: 0,
    computeMs: Math.max(...reports.map(({ computeMs }) => computeMs)),
  }
}

/** A following worker's part, in a thread of its own. */
export async function followScan(task: ScanTask): Promise<ScanReport> {
  const device = await openDevice(task.device)
  const graph = GaloisGr.of(task.graph)
  try {
    return await runScan(task, graph, device, workerJob(task.shared.control))
  } finally {
    graph.close()
    device.close()
  }
}

async function runScan(
  task: Omit<ScanTask, 'shared'> & { readonly shared: ScanTask['shared'] | undefined } & Pick<
      PreparedRescan,
      'start' | 'checkpointer'
    >,
  graph: GaloisGr,
  device: Device,
  job: JobContext,
  finish?: (pointers: Uint32Array) => void,
): Promise<ScanReport> {
  const { order, bounds, shared, worker } = task
  const { vertices } = graph
  const trace = new Trace(task.traced)
  const degrees = scanDegrees(graph, order)
  const batches = bounds.slice(1).map((end, i) => readScanBatch(graph, order, degrees, bounds[i]!, end, job))
  const exchange =
    shared && new PointerExchange(shared, worker, new SharedBarrier(shared.control, shared.workers), trace)
  const [first, last] = [bounds[0]!, bounds.at(-1)!]
  const start = shared === undefined ? task.start : startOfWorker(shared, worker)
  const { checkpointer } = task
  const part = {
    device,
    batches,
    order,
    vertices,
    path: graph.path,
    first,
    count: last - first,
    exchange,
    trace,
    start,
    checkpointer,
  }
  const rounds = await matchRescan(part, job, finish)
  const arcBytes = batches.reduce((sum, { targets, offsets }) => sum + 4 * targets.length + 8 * offsets.length, 0)
  return {
    ...rounds,
    ...device.copied,
    device: device.facts,
    waitMs: (exchange?.waitMs ?? 0) + (exchange?.exchangeMs ?? 0),
    bytesRead: arcBytes,
    exchanged: exchange?.bytes ?? 0,
    spans: trace.spans,
  }
}

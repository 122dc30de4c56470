import type { JobContext } from '../base/job.ts'
import { Trace } from '../base/trace.ts'
import type { Device } from '../device/device.ts'
import { openDevice } from '../device/open-device.ts'
import { type GraphHandle, GaloisGr } from '../graph/galois-gr.ts'
import { type Barrier, SharedBarrier, coordinate, workerJob } from '../threads/barrier.ts'
import { runInThread } from '../threads/thread-pool.ts'
import { ArcStore } from './arc-store.ts'
import { type ArcsPlan, planArcs } from './plan-arcs.ts'
import type { WorkerReport } from './worker-report.ts'

/** What a worker is given that owns a range of vertices and their lists. */
export interface RangeTask<Shared extends { readonly control: Int32Array }> {
  readonly device: string
  readonly worker: number
  readonly graph: GraphHandle
  /** Worker w owns the vertices [bounds[w], bounds[w + 1]). */
  readonly bounds: readonly number[]
  readonly shared: Shared
  readonly batches: number
  readonly memoryBytes: number | undefined
  readonly traced: boolean
}

/** A range worker with its device open and its lists planned. */
export interface RangeWorker<Shared extends { readonly control: Int32Array }> {
  readonly task: RangeTask<Shared>
  readonly device: Device
  readonly graph: GaloisGr
  readonly plan: ArcsPlan
  readonly store: ArcStore
  readonly barrier: Barrier
  readonly trace: Trace
  readonly job: JobContext
  /** Vertices [low, high). */
  readonly low: number
  readonly high: number
}

export interface RangeReport extends Omit<WorkerReport, 'sweeps'> {
  readonly prepareMs: number
  readonly batches: number
  readonly deviceBytes: number
}

/** What a worker does; `prepareMs` before it starts its clock. */
export interface RangeWork<Outcome> {
  readonly outcome: Outcome
  readonly prepareMs: number
  readonly exchanged: number
}

type Compute<Shared extends { readonly control: Int32Array }, Outcome> = (
  worker: RangeWorker<Shared>,
) => Promise<RangeWork<Outcome>>

/** The first worker here, the others in threads that run `follow`. */
export async function onRangeWorkers<Shared extends { readonly control: Int32Array }, Outcome>(
  tasks: readonly RangeTask<Shared>[],
  follow: string,
  device: Device,
  job: JobContext,
  spaceBytes: number,
  compute: Compute<Shared, Outcome>,
): Promise<{ outcome: Outcome; reports: RangeReport[] }> {
  const [first, ...others] = tasks
  if (first === undefined) throw new Error('a run needs a worker')
  const start = (task: RangeTask<Shared>): Promise<RangeReport> => runInThread(follow, task, task.device)
  const { control } = first.shared
  const barrier = new SharedBarrier(control, tasks.length, job.signal)
  const { own, reports } = await coordinate(control, job, others.map(start), () =>
    onRangeWorker(first, device, barrier, job, spaceBytes, compute),
  )
  return { outcome: own.outcome, reports: [own.report, ...reports] }
}

/** A worker in a thread of its own. */
export async function followRange<Shared extends { readonly control: Int32Array }, Outcome>(
  task: RangeTask<Shared>,
  spaceBytes: number,
  compute: Compute<Shared, Outcome>,
): Promise<RangeReport> {
  const device = await openDevice(task.device)
  try {
    const { control } = task.shared
    const barrier = new SharedBarrier(control, task.bounds.length - 1)
    return (await onRangeWorker(task, device, barrier, workerJob(control), spaceBytes, compute)).report
  } finally {
    device.close()
  }
}

export async function onRangeWorker<Shared extends { readonly control: Int32Array }, Outcome>(
  task: RangeTask<Shared>,
  device: Device,
  barrier: Barrier,
  job: JobContext,
  spaceBytes: number,
  compute: Compute<Shared, Outcome>,
): Promise<{ outcome: Outcome; report: RangeReport }> {
  const graph = GaloisGr.of(task.graph)
  try {
    const { worker, bounds, batches, memoryBytes } = task
    const [low, high] = [bounds[worker]!, bounds[worker + 1]!]
    const plan = planArcs(device, graph, { first: low, end: high }, { batches, memoryBytes, spaceBytes })
    const trace = new Trace(task.traced)
    const store = new ArcStore(device, graph, plan.arcBytes, trace)
    const { outcome, prepareMs, exchanged } = await compute({
      ...{ task, device, graph, plan, store, barrier, trace, job, low, high },
    })
    const report = {
      ...{ device: device.facts, ...device.copied, bytesRead: store.bytesRead, readMs: store.readMs, prepareMs },
      ...{ kernelMs: await device.takeKernelMs(), waitMs: barrier.waitMs, exchanged, spans: trace.spans },
      ...{ batches: plan.batches.length, deviceBytes: plan.deviceBytes },
    }
    store.release()
    return { outcome, report }
  } finally {
    graph.close()
  }
}

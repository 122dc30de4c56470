import type { JobContext } from '../base/job.ts'
import { Trace } from '../base/trace.ts'
import type { Device } from '../device/device.ts'
import { openDevice } from '../device/open-device.ts'
import { type GraphHandle, GaloisGr } from '../graph/galois-gr.ts'
import { type Barrier, SharedBarrier, coordinate, workerJob } from '../threads/barrier.ts'
import { runInThread } from '../threads/thread-pool.ts'
import { type ArcChoice, ArcStore } from './arc-store.ts'
import { type ArcsPlan, planArcs } from './plan-arcs.ts'
import { readersOf } from './target-reader.ts'
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
  /** Where it launched no kernels of a device. */
  readonly kernelMs?: number
}

/** What a worker holds beside its lists, and how it holds these. */
export interface RangeNeeds {
  /** Of the device, for all but arcs. */
  readonly spaceBytes: number
  readonly wordsAnArc?: number | undefined
  readonly choose?: ArcChoice | undefined
  /** It computes without lists. */
  readonly withoutLists?: boolean | undefined
}

/** What range workers do together. */
export interface RangeWorks<Shared extends { readonly control: Int32Array }, Outcome> {
  needs(task: RangeTask<Shared>, graph: GaloisGr): RangeNeeds
  compute(worker: RangeWorker<Shared>): Promise<RangeWork<Outcome>>
}

/** The first worker here, the others in threads that run `follow`. */
export async function onRangeWorkers<Shared extends { readonly control: Int32Array }, Outcome>(
  tasks: readonly RangeTask<Shared>[],
  follow: string,
  device: Device,
  job: JobContext,
  works: RangeWorks<Shared, Outcome>,
): Promise<{ outcome: Outcome; reports: RangeReport[] }> {
  const [first, ...others] = tasks
  if (first === undefined) throw new Error('a run needs a worker')
  const start = (task: RangeTask<Shared>): Promise<RangeReport> => runInThread(follow, task, task.device)
  const { control } = first.shared
  const barrier = new SharedBarrier(control, tasks.length, job.signal)
  const { own, reports } = await coordinate(control, job, others.map(start), () =>
    onRangeWorker(first, device, barrier, job, works),
  )
  return { outcome: own.outcome, reports: [own.report, ...reports] }
}

/** A worker in a thread of its own. */
export async function followRange<Shared extends { readonly control: Int32Array }, Outcome>(
  task: RangeTask<Shared>,
  works: RangeWorks<Shared, Outcome>,
): Promise<RangeReport> {
  const device = await openDevice(task.device)
  try {
    const { control } = task.shared
    const barrier = new SharedBarrier(control, task.bounds.length - 1)
    return (await onRangeWorker(task, device, barrier, workerJob(control), works)).report
  } finally {
    device.close()
  }
}

export async function onRangeWorker<Shared extends { readonly control: Int32Array }, Outcome>(
  task: RangeTask<Shared>,
  device: Device,
  barrier: Barrier,
  job: JobContext,
  works: RangeWorks<Shared, Outcome>,
): Promise<{ outcome: Outcome; report: RangeReport }> {
  const graph = GaloisGr.of(task.graph)
  try {
    const { worker, bounds, batches, memoryBytes } = task
    const [low, high] = [bounds[worker]!, bounds[worker + 1]!]
    const needs = works.needs(task, graph)
    const range = { first: low, end: needs.withoutLists === true ? low : high }
    const plan = planArcs(device, graph, range, { batches, memoryBytes, ...needs })
    const trace = new Trace(task.traced)
    const store = new ArcStore(device, graph, plan.arcBytes, trace, readersOf(bounds.length - 1), needs.choose)
    const { outcome, prepareMs, exchanged, kernelMs } = await works.compute({
      ...{ task, device, graph, plan, store, barrier, trace, job, low, high },
    })
    const report = {
      ...{ device: device.facts, ...device.copied, bytesRead: store.bytesRead, readMs: store.readMs, prepareMs },
      ...{ kernelMs: kernelMs ?? (await device.takeKernelMs()), waitMs: barrier.waitMs, exchanged, spans: trace.spans },
      ...{ batches: plan.batches.length, deviceBytes: plan.deviceBytes },
    }
    store.release()
    return { outcome, report }
  } finally {
    graph.close()
  }
}

/**
 * One worker that owns a range of vertices, in a thread of its own or as the coordinator: it opens its device, plans and brings its lists
 * (plan-arcs.ts, arc-store.ts), computes what the algorithm's RangeWorks say, with barriers and sums over all workers, and reports. Memory that
 * all workers see is shared; a GPU has copies of it, which MirroredWords brings up to date. A failure of one worker ends the others at the next
 * barrier. range-run.ts starts them.
 */

import type { AnyKernel } from '../../kernels/kernel.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type JobContext, type StopSignal, throwIfCancelled } from '../base/job.ts'
import { Trace } from '../base/trace.ts'
import { type Device, type DeviceBuffer, copiedSince, fillWords } from '../device/device.ts'
import { openDevice } from '../device/open-device.ts'
import { type GraphHandle, GaloisGr } from '../graph/galois-gr.ts'
import type { Range } from '../base/ranges.ts'
import { AllReduce, type Barrier, SharedBarrier, shouldStop, type SharedSums, workerJob } from '../threads/barrier.ts'
import { type ChoiceNeeds, ArcStore } from './arc-store.ts'
import type { Checkpointer } from './checkpoint.ts'
import { type ArcNeeds, type ArcsPlan, planArcs } from './plan-arcs.ts'
import { readersOf } from './target-reader.ts'
import type { WorkerReport } from './worker-report.ts'

/** What a worker is given that owns a range of vertices. */
export interface RangeTask<Shared, Notes = unknown> extends SharedSums {
  readonly device: string
  /** Threads of a processor, for kernels that it runs on several. */
  readonly threads: number
  readonly worker: number
  readonly graph: GraphHandle
  /** Worker w owns the vertices [bounds[w], bounds[w + 1]). */
  readonly bounds: readonly number[]
  /** What the workers share, in shared memory, but for what is small. */
  readonly shared: Shared
  /** What another attempt kept, to resume from. */
  readonly before: Notes | undefined
  readonly batches: number
  /** The budget of its device; Infinity: not known. */
  readonly budgetBytes: number
  readonly traced: boolean
}

/** A range worker with its device open and its lists planned. */
export interface RangeWorker<Shared, Notes = unknown> {
  readonly task: RangeTask<Shared, Notes>
  readonly device: Device
  readonly graph: GaloisGr
  readonly plan: ArcsPlan
  readonly store: ArcStore
  readonly trace: Trace
  readonly job: JobContext
  /** Vertices [low, high). */
  readonly low: number
  readonly high: number
  readonly workers: number
  /** All is prepared: waits for all workers, and starts the clock. */
  ready(): Promise<void>
  /** Waits for all workers. @param what for the trace */
  arrive(what: string): Promise<void>
  /** Now and then gives way, so that a cancel and the failure of another worker are heard. @throws Failure (cancelled) */
  pause(): Promise<void>
  /** Sums over all workers, by place. */
  sum(what: string, own: readonly number[]): Promise<number[]>
  /** Whether this worker, the coordinator, wants the states in a checkpoint: 1 or 0, for a sum. */
  isDue(): number
  /** Keeps notes in a checkpoint; only the coordinator writes. */
  keep(notes: Notes): void
}

export interface RangeReport extends WorkerReport {
  readonly prepareMs: number
  readonly batches: number
  readonly deviceBytes: number
  /** The part of these bytes that processors share. */
  readonly sharedBytes: number
  readonly counters: Readonly<Record<string, number>>
}

/** What a worker did. */
export interface RangeWork<Outcome> {
  readonly outcome: Outcome
  readonly exchanged: number
  /** Time of the host's own loops, if it launched no kernels of a device. */
  readonly kernelMs?: number
  /** Counters for the record, which has their sums. */
  readonly counters?: Readonly<Record<string, number>>
}

/** What a worker holds beside its lists, and how it holds these. */
interface RangeNeeds extends ArcNeeds, ChoiceNeeds {
  /** Vertices whose lists it holds; absent: its own. */
  readonly lists?: Range | undefined
  /** The part of `spaceBytes` that processors share. */
  readonly sharedBytes?: number | undefined
}

/** What range workers do together. */
export interface RangeWorks<Shared, Outcome, Notes = unknown> {
  /** The task of the other workers' threads (engine/task-thread.ts). */
  readonly follow: string
  readonly kernels: readonly AnyKernel[]
  needs(task: RangeTask<Shared, Notes>, graph: GaloisGr): RangeNeeds
  compute(worker: RangeWorker<Shared, Notes>): Promise<RangeWork<Outcome>>
  /** The barrier of workers that are not all in this process. @param signal of the coordinator */
  barrier?(task: RangeTask<Shared, Notes>, signal?: StopSignal): Barrier
}

export const PAUSE_MS = 20

export function barrierOf<Shared, Outcome, Notes>(
  task: RangeTask<Shared, Notes>,
  works: RangeWorks<Shared, Outcome, Notes>,
  signal?: StopSignal,
): Barrier {
  return works.barrier?.(task, signal) ?? new SharedBarrier(task.control, task.bounds.length - 1, signal)
}

/** A worker in a thread of its own. */
export async function followRange<Shared, Outcome, Notes>(
  task: RangeTask<Shared, Notes>,
  works: RangeWorks<Shared, Outcome, Notes>,
): Promise<RangeReport> {
  const device = await openDevice(task.device)
  try {
    const barrier = barrierOf(task, works)
    return (await onRangeWorker(task, device, barrier, workerJob(task.control), works)).report
  } finally {
    device.close()
  }
}

export async function onRangeWorker<Shared, Outcome, Notes>(
  task: RangeTask<Shared, Notes>,
  device: Device,
  barrier: Barrier,
  job: JobContext,
  works: RangeWorks<Shared, Outcome, Notes>,
  checkpointer?: Checkpointer<Notes>,
): Promise<{ outcome: Outcome; report: RangeReport }> {
  const graph = GaloisGr.of(task.graph)
  try {
    const { worker, bounds, batches, budgetBytes } = task
    const [low, high, workers] = [bounds[worker]!, bounds[worker + 1]!, bounds.length - 1]
    const { lists = { first: low, end: high }, sharedBytes = 0, ...needs } = works.needs(task, graph)
    const plan = planArcs(device, graph, lists, { batches, budgetBytes, ...needs })
    const trace = new Trace(task.traced)
    const store = new ArcStore(device, graph, plan.arcBytes, trace, readersOf(workers), needs)
    const all = new AllReduce(task.sums, worker, barrier)
    const startMs = performance.now()
    const before = { ...device.copied }
    let prepareMs = 0
    const arrive = (what: string): Promise<void> => trace.span('wait', what, () => barrier.arrive())
    let pausedMs = startMs
    const pause = async (): Promise<void> => {
      if (performance.now() - pausedMs < PAUSE_MS) return
      await nextTurn()
      throwIfCancelled(job.signal)
      throwIfCancelled({ aborted: shouldStop(task.control) })
      pausedMs = performance.now()
    }
    const ready = async (): Promise<void> => {
      await device.takeKernelMs()
      await arrive('for all workers')
      prepareMs = performance.now() - startMs
    }
    await device.prepare(works.kernels)
    const { outcome, exchanged, kernelMs, counters } = await works.compute({
      ...{ task, device, graph, plan, store, trace, job, low, high, workers, ready, arrive, pause },
      sum: (what, own) => trace.span('wait', what, () => all.sum(own)),
      isDue: () => (checkpointer?.isDue() === true ? 1 : 0),
      keep: (notes) => checkpointer?.keep(notes),
    })
    const report = {
      ...{
        device: device.facts,
        ...copiedSince(before, device),
        bytesRead: store.bytesRead,
        readMs: store.readMs,
        prepareMs,
      },
      ...{ kernelMs: kernelMs ?? (await device.takeKernelMs()), waitMs: barrier.waitMs, exchanged, spans: trace.spans },
      ...{ batches: plan.batches.length, deviceBytes: plan.deviceBytes, sharedBytes, counters: counters ?? {} },
    }
    store.release()
    return { outcome, report }
  } finally {
    graph.close()
  }
}

type Owner = Pick<RangeWorker<unknown>, 'device' | 'low' | 'high'>

/**
 * A word for each vertex that all workers see: processors compute in the shared memory itself, a GPU has a copy. Each worker writes its own
 * range [low, high) alone.
 */
export class MirroredWords {
  readonly buffer: DeviceBuffer
  exchanged = 0
  readonly #owner: Owner
  readonly #shared: Uint32Array

  private constructor(owner: Owner, shared: Uint32Array, buffer: DeviceBuffer) {
    this.buffer = buffer
    this.#owner = owner
    this.#shared = shared
  }

  /** @param shared in shared memory where there are several workers */
  static async open(owner: Owner, label: string, shared: Uint32Array): Promise<MirroredWords> {
    return new MirroredWords(owner, shared, await owner.device.share(label, shared))
  }

  /** Writes the own range to shared memory. */
  async publish(): Promise<void> {
    const { device, low, high } = this.#owner
    if (device.sharesMemory || low === high) return
    await device.read(this.buffer, low, high - low, this.#shared.subarray(low, high))
  }

  /** Takes the ranges of the other workers from shared memory. */
  async take(): Promise<void> {
    const { device, low, high } = this.#owner
    if (device.sharesMemory) return
    await fillWords(device, this.buffer, this.#shared.subarray(0, low))
    await fillWords(device, this.buffer, this.#shared.subarray(high), high)
    this.exchanged += 4 * (this.#shared.length - (high - low))
  }

  release(): void {
    this.#owner.device.release(this.buffer)
  }
}

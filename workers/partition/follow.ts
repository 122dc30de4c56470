import { sweepPart } from '../algorithms/ecl-mis.ts'
import type { Part, SweepOutcome } from '../algorithms/ecl-mis.ts'
import { BatchStore } from '../device/batch-store.ts'
import { openDevice } from '../device/open-device.ts'
import { SharedBarrier, stopWaiting } from '../exchange/barrier.ts'
import { followingJob } from '../exchange/following-job.ts'
import { ReplicatedStates } from '../exchange/replicated-states.ts'
import { inputFailure } from '../failure.ts'
import { isFaultDue, throwOutside } from '../fault-injection.ts'
import { ViewFile } from '../graph/view-file.ts'
import { Trace } from '../trace.ts'
import { settleFailure } from '../serve-jobs.ts'
import type { PartReply, PartReport, PartTask } from './part-task.ts'

/** A following worker's part of a run. Whatever goes wrong, the others are told to stop waiting for it. */
export async function follow(task: PartTask): Promise<PartReply> {
  try {
    return { type: 'done', report: await sweepTask(task) }
  } catch (error) {
    stopWaiting(task.shared.control)
    return { type: 'failed', ...settleFailure(error) }
  }
}

async function sweepTask(task: PartTask): Promise<PartReport> {
  const { vertices, own, tailOffsets, shared, worker } = task
  const device = await openDevice(task.device)
  if (isFaultDue('part-thread')) {
    throwOutside()
    // A small part would be done before the thread is.
    await new Promise(() => {})
  }
  const view = ViewFile.openIfValid(task.viewPath, task.graph, task.order)
  try {
    if (view === undefined) throw inputFailure(task.viewPath, 'the view is gone', 'Run it again; it is built anew.')
    const trace = new Trace(task.traced)
    const job = followingJob(task.shared.control)
    const store = new BatchStore(device, view, tailOffsets, task.slabBytes, trace, job.signal)
    const { residual, initial: states } = shared
    const barrier = new SharedBarrier(shared.control, shared.workers)
    const exchange = new ReplicatedStates(device, shared, worker, barrier, trace)
    const part = { device, store, batches: own, vertices, exchange, residual, states, trace }
    const swept = await sweepPart(part, job).finally(() => releaseStores(part))
    return reportOf(part, swept, view, exchange)
  } finally {
    view?.close()
    device.close()
  }
}

/** Gives back what the stores and the exchange of a part hold. */
export async function releaseStores({ store, walk, exchange }: Part): Promise<void> {
  exchange.release()
  await walk?.release()
  await store.release()
}

/** Bytes that reading threads brought. */
export function bytesReadAhead({ store, walk }: Pick<Part, 'store' | 'walk'>): number {
  return walk === undefined ? store.bytesReadAhead : walk.bytesRead
}

/** What this worker's device and files did. */
export function reportOf(
  { device, store, walk, trace }: Part,
  { kernelMs, roundCounts }: SweepOutcome,
  view: ViewFile,
  exchange: ReplicatedStates | undefined,
): PartReport {
  const { spans } = trace
  const counts = exchange?.counts ?? walk?.counts
  const { toDevice, fromDevice } = device.copied
  return {
    device: device.facts,
    kernelMs,
    readMs: (walk?.readMs ?? 0) + store.readMs,
    waitMs: exchange?.waitMs ?? 0,
    bytesRead: view.bytesRead + bytesReadAhead({ store, walk }),
    toDevice,
    fromDevice,
    exchanged: counts?.bytesTaken.reduce((sum, bytes) => sum + bytes, 0) ?? 0,
    spans,
    roundCounts,
    replicated: counts,
    sums: store.sums,
  }
}

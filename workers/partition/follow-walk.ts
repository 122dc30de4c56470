import { followBeside } from '../algorithms/sweep-beside.ts'
import { openDevice } from '../device/open-device.ts'
import { SharedBarrier, stopWaiting } from '../exchange/barrier.ts'
import { followingJob } from '../exchange/following-job.ts'
import { isFaultDue, throwOutside } from '../fault-injection.ts'
import { settleFailure } from '../serve-jobs.ts'
import { Trace } from '../trace.ts'
import { countsOf } from '../walk/walk.ts'
import type { PartReply, PartReport, WalkTask } from './part-task.ts'

/** A following worker's part of a walk. Whatever goes wrong, the others are told to stop waiting for it. */
export async function followWalk(task: WalkTask): Promise<PartReply> {
  try {
    return { type: 'done', report: await walkTask(task) }
  } catch (error) {
    stopWaiting(task.shared.control)
    return { type: 'failed', ...settleFailure(error) }
  }
}

async function walkTask({ device: id, worker, memory, shared, traced }: WalkTask): Promise<PartReport> {
  const device = await openDevice(id)
  if (isFaultDue('part-thread')) {
    throwOutside()
    // A small part would be done before the thread is.
    await new Promise(() => {})
  }
  try {
    const trace = new Trace(traced)
    const barrier = new SharedBarrier(shared.control, shared.workers)
    const { signal } = followingJob(shared.control)
    const swept = await followBeside({ device, trace, worker }, memory, barrier, signal)
    const { kernelMs, roundCounts, readMs, taken } = swept
    return {
      device: device.facts,
      kernelMs,
      readMs,
      waitMs: 0,
      bytesRead: 0,
      ...device.copied,
      exchanged: taken,
      spans: trace.spans,
      roundCounts,
      replicated: countsOf(taken),
    }
  } finally {
    device.close()
  }
}

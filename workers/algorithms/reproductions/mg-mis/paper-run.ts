import { openDevice } from '../../../device/open-device.ts'
import type { Device } from '../../../device/device.ts'
import { SharedBarrier, stopWaiting } from '../../../threads/barrier.ts'
import { followingJob } from '../../../threads/following-job.ts'
import { GaloisGr } from '../../../graph/galois-gr.ts'
import type { JobContext } from '../../../base/job.ts'
import type { PaperTask, PartReply, PartReport } from '../../../partition/part-task.ts'
import { withFollowers } from '../../../partition/followers.ts'
import { settleFailure } from '../../../engine/serve-jobs.ts'
import { Trace } from '../../../base/trace.ts'
import type { PaperOutcome, StateKeeper } from './compute-status.ts'
import { computeStatus } from './compute-status.ts'
import { planPaperPart } from './paper-plan.ts'

/** A following worker's part of a run under the paper's exchange. Whatever goes wrong, the others are told to stop waiting. */
export async function followPaper(task: PaperTask): Promise<PartReply> {
  const { shared } = task
  try {
    const device = await openDevice(task.device)
    try {
      return { type: 'done', report: (await runPart(task, device, followingJob(task.shared.control))).report }
    } finally {
      device.close()
    }
  } catch (error) {
    stopWaiting(shared.control)
    return { type: 'failed', ...settleFailure(error) }
  }
}

/** Runs the parts of all workers, the first here and the others in threads; the states are in shared memory afterwards. */
export async function computePaper(
  tasks: readonly PaperTask[],
  device: Device,
  job: JobContext,
  keeper: StateKeeper | undefined,
): Promise<{ outcome: PaperOutcome; reports: PartReport[] }> {
  const [first, ...others] = tasks
  if (first === undefined) throw new Error('a run needs a worker')
  const watch = setInterval(() => job.signal.aborted && stopWaiting(first.shared.control), 50)
  try {
    const { led, reports } = await withFollowers(others, () => runPart(first, device, job, keeper))
    return { outcome: led.outcome, reports: [led.report, ...reports] }
  } finally {
    clearInterval(watch)
  }
}

async function runPart(
  task: PaperTask,
  device: Device,
  job: JobContext,
  keeper?: StateKeeper,
): Promise<{ outcome: PaperOutcome; report: PartReport }> {
  const { shared, worker, ranks, seed, memoryBytes } = task
  const graph = GaloisGr.of(task.graph)
  try {
    const trace = new Trace(task.traced)
    const options = { batches: task.batches, memoryBytes, ranked: ranks !== undefined }
    const { batches, arcBytes, deviceBytes } = planPaperPart(device, graph, shared, worker, options)
    const barrier = new SharedBarrier(shared.control, shared.workers, worker === 0 ? job.signal : undefined)
    const part = { device, graph, worker, shared, batches, arcBytes, ranks, seed, trace }
    const outcome = await computeStatus(part, barrier, job, keeper)
    const report = {
      device: device.facts,
      kernelMs: outcome.kernelMs,
      readMs: outcome.readMs,
      waitMs: barrier.waitMs,
      bytesRead: outcome.bytesRead,
      ...device.copied,
      exchanged: 4 * outcome.wordsSent,
      spans: trace.spans,
      paper: { transfers: outcome.transfers, batches: batches.length, deviceBytes },
    }
    return { outcome, report }
  } finally {
    graph.close()
  }
}

import { openDevice } from '../../../device/open-device.ts'
import type { Device } from '../../../device/device.ts'
import { SharedBarrier } from '../../../threads/barrier.ts'
import { followingJob } from '../../../threads/following-job.ts'
import { GaloisGr } from '../../../graph/galois-gr.ts'
import type { GraphHandle } from '../../../graph/galois-gr.ts'
import type { JobContext } from '../../../base/job.ts'
import { runInThread } from '../../../threads/thread-pool.ts'
import { withFollowers } from '../../../threads/followers.ts'
import type { PaperShared } from './paper-mail.ts'
import type { WorkerReport } from '../../worker-report.ts'
import { Trace } from '../../../base/trace.ts'
import type { PaperOutcome, StateCheckpointer } from './compute-status.ts'
import { computeStatus } from './compute-status.ts'
import { planPaperPart } from './paper-plan.ts'

/** What a following worker is given under the exchange of the MG-MIS paper: its range follows from its number. */
export interface PaperTask {
  readonly device: string
  readonly worker: number
  readonly graph: GraphHandle
  readonly shared: PaperShared
  /** Batches that each worker's range is cut into at least, and bytes that it may use on its device. */
  readonly batches: number
  readonly memoryBytes: number | undefined
  /** Priorities by vertex in shared memory; absent: the hash of the id under the seed. */
  readonly ranks: Uint32Array | undefined
  readonly seed: number
  readonly traced: boolean
}

/** What a worker did; under this exchange: bulk transfers that it sent, its batches, its bytes on the device. */
export interface PaperReport extends Omit<WorkerReport, 'sweeps'> {
  readonly paper: { readonly transfers: number; readonly batches: number; readonly deviceBytes: number }
}

/** A following worker's part of a run under the paper's exchange, in a thread of its own. */
export async function followPaper(task: PaperTask): Promise<PaperReport> {
  const device = await openDevice(task.device)
  try {
    return (await runPart(task, device, followingJob(task.shared.control))).report
  } finally {
    device.close()
  }
}

/** Runs the parts of all workers, the first here and the others in threads; the states are in shared memory afterwards. */
export async function computePaper(
  tasks: readonly PaperTask[],
  device: Device,
  job: JobContext,
  checkpointer: StateCheckpointer | undefined,
): Promise<{ outcome: PaperOutcome; reports: PaperReport[] }> {
  const [first, ...others] = tasks
  if (first === undefined) throw new Error('a run needs a worker')
  const start = (task: PaperTask): Promise<PaperReport> => runInThread('follow-paper', task, task.device)
  const { led, reports } = await withFollowers(first.shared.control, job, others.map(start), () =>
    runPart(first, device, job, checkpointer),
  )
  return { outcome: led.outcome, reports: [led.report, ...reports] }
}

async function runPart(
  task: PaperTask,
  device: Device,
  job: JobContext,
  checkpointer?: StateCheckpointer,
): Promise<{ outcome: PaperOutcome; report: PaperReport }> {
  const { shared, worker, ranks, seed, memoryBytes } = task
  const graph = GaloisGr.of(task.graph)
  try {
    const trace = new Trace(task.traced)
    const options = { batches: task.batches, memoryBytes, ranked: ranks !== undefined }
    const { batches, arcBytes, deviceBytes } = planPaperPart(device, graph, shared, worker, options)
    const barrier = new SharedBarrier(shared.control, shared.workers, worker === 0 ? job.signal : undefined)
    const part = { device, graph, worker, shared, batches, arcBytes, ranks, seed, trace }
    const outcome = await computeStatus(part, barrier, job, checkpointer)
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

import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { idleRound } from '../../../graph/galois-gr.ts'
import type { Barrier } from '../../../threads/barrier.ts'
import type { Checkpointer } from '../../checkpoint.ts'
import { reportRound } from '../../worker-report.ts'
import type { RoundFigures } from './message-buffers.ts'
import { type PaperPart, PaperWorker } from './paper-worker.ts'

/** A round of all workers: vertices undecided after the local rounds, and words that the largest buffer would need (the paper's Figure 6). */
export type PaperRound = Pick<RoundFigures, 'undecided' | 'need'>

export interface PaperOutcome {
  readonly rounds: readonly PaperRound[]
  /** Words of this worker's bulk transfers, and how many these are. */
  readonly wordsSent: number
  readonly transfers: number
  readonly computeMs: number
  readonly kernelMs: number
  readonly readMs: number
  readonly bytesRead: number
}

/**
 * Algorithm 1 of MG-MIS (Akathoott et al., ICS 2025), ComputeStatus, on one worker; it leaves its states in shared memory. The set depends
 * on the priorities alone.
 */
export async function computeStatus(
  part: PaperPart,
  barrier: Barrier,
  job: JobContext,
  checkpointer?: Checkpointer<Uint32Array>,
): Promise<PaperOutcome> {
  const { device, shared, graph, trace } = part
  const worker = await PaperWorker.open(part)
  const wait = (what: string): Promise<void> => trace.span('wait', what, () => barrier.arrive())
  await worker.loadWhatFits()
  const loadedMs = worker.store.readMs
  await device.takeKernelMs()
  const startMs = performance.now()
  const rounds: PaperRound[] = []
  for (;;) {
    throwIfCancelled(job.signal)
    if (checkpointer !== undefined) worker.messages.keepsStates = checkpointer.isDue()
    const done = await worker.runLocalRound() //       lines 2-5, sendNbrData included
    await wait('for the local rounds')
    await worker.setVerticesToOut() //                 lines 6-7
    await wait('for vertices set out')
    await worker.sendQueries(done) //                  lines 8-11
    await wait('for the queries')
    await worker.sendResponses() //                    lines 12-15
    await wait('for the responses')
    await worker.processResponses() //                 lines 16-17
    worker.messages.publish({ done, undecided: worker.undecided, need: worker.need })
    const keeps = worker.messages.keepsStates
    if (keeps) await worker.publishStates()
    await wait('for the done flags')
    const all = worker.messages.allReduce() //         line 18
    requireProgress(graph.path, rounds, all)
    rounds.push({ undecided: all.undecided, need: all.need })
    if (keeps) checkpointer?.keep(shared.states)
    reportRound(job, 'sweep', graph.vertices, all.undecided, rounds.length)
    if (all.done) break //                           line 19
  }
  await worker.publishStates()
  await wait('for the states')
  const readMs = worker.store.readMs
  const outcome = {
    rounds,
    wordsSent: worker.messages.words,
    transfers: worker.messages.transfers,
    computeMs: performance.now() - startMs - (readMs - loadedMs),
    kernelMs: await device.takeKernelMs(),
    readMs,
    bytesRead: worker.store.bytesRead,
  }
  worker.release()
  return outcome
}

/** A round that decides and sends nothing would repeat for ever. @throws Failure (input) after one */
function requireProgress(path: string, rounds: readonly PaperRound[], { done, undecided, need }: RoundFigures): void {
  if (!done && need === 0 && undecided >= (rounds.at(-1)?.undecided ?? Infinity))
    throw idleRound(path, rounds.length + 1)
}

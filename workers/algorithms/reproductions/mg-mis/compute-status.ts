import type { Barrier } from '../../../threads/barrier.ts'
import { idleRound } from '../../../graph/galois-gr.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import { type PaperPart, PaperWorker } from './paper-worker.ts'

/** One round of all workers together. */
export interface PaperRound {
  /** Vertices undecided after the local rounds. */
  readonly undecided: number
  /** Words that the largest buffer would need to hold all that was to be sent (the paper's Figure 6). */
  readonly need: number
}

export interface PaperOutcome {
  readonly rounds: readonly PaperRound[]
  /** Words that this worker sent, and in how many bulk transfers. */
  readonly wordsSent: number
  readonly transfers: number
  readonly computeMs: number
  readonly kernelMs: number
  readonly readMs: number
  readonly bytesRead: number
}

/** The leading worker's part in keeping checkpoints: asked before each round, called after it when states were kept. */
export interface StateCheckpointer {
  isDue(): boolean
  keep(states: Uint32Array): void
}

/**
 * Algorithm 1 of MG-MIS (Akathoott et al., ICS 2025), ComputeStatus, on one worker. In the end the states of its vertices are
 * in shared memory. The set is the one that the priorities define, whatever the number of workers and the size of buffers.
 */
export async function computeStatus(
  part: PaperPart,
  barrier: Barrier,
  job: JobContext,
  checkpointer?: StateCheckpointer,
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
    if (checkpointer !== undefined) worker.mail.keepsStates = checkpointer.isDue()
    const done = await worker.runLocalRound() //       lines 2-5, sendNbrData included
    await wait('for the local rounds')
    await worker.setVerticesToOut() //                 lines 6-7
    await wait('for vertices set out')
    await worker.sendQueries(done) //                  lines 8-11
    await wait('for the queries')
    await worker.sendResponses() //                    lines 12-15
    await wait('for the responses')
    await worker.processResponses() //                 lines 16-17
    worker.mail.tell(done, worker.undecided, worker.need)
    const keeps = worker.mail.keepsStates
    if (keeps) await worker.publishStates()
    await wait('for the done flags')
    const heard = worker.mail.heard() //               line 18
    requireProgress(graph.path, rounds, heard)
    rounds.push({ undecided: heard.undecided, need: heard.need })
    if (keeps) checkpointer?.keep(shared.states)
    reportRound(job, graph.vertices, heard.undecided, rounds.length)
    if (heard.done) break //                           line 19
  }
  await worker.publishStates()
  await wait('for the states')
  const readMs = worker.store.readMs
  const outcome = {
    rounds,
    wordsSent: worker.mail.words,
    transfers: worker.mail.transfers,
    computeMs: performance.now() - startMs - (readMs - loadedMs),
    kernelMs: await device.takeKernelMs(),
    readMs,
    bytesRead: worker.store.bytesRead,
  }
  worker.release()
  return outcome
}

/**
 * A vertex that waits is told of its neighbours in the end: a round in which no vertex is decided and nothing is sent is followed by others like it.
 * @throws Failure (input) after such a round
 */
function requireProgress(
  path: string,
  rounds: readonly PaperRound[],
  { done, undecided, need }: PaperRound & { readonly done: boolean },
): void {
  if (!done && need === 0 && undecided >= (rounds.at(-1)?.undecided ?? Infinity))
    throw idleRound(path, rounds.length + 1)
}

function reportRound(job: JobContext, vertices: number, undecided: number, round: number): void {
  const decided = vertices - undecided
  job.progress({ phase: 'sweep', done: decided, total: vertices, unit: 'vertices', round, decided })
}

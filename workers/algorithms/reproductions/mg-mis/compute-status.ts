import { throwIfCancelled } from '../../../base/job.ts'
import { idleRound } from '../../../graph/galois-gr.ts'
import type { RangeWork, RangeWorker } from '../../range-task.ts'
import { reportRound } from '../../worker-report.ts'
import type { PaperShared, RoundFigures } from './paper-shared.ts'
import { PaperWorker } from './paper-worker.ts'

/** A round of all workers: vertices undecided after the local rounds, and words that the largest buffer would need (the paper's Figure 6). */
export type PaperRound = Pick<RoundFigures, 'undecided' | 'need'>

export interface PaperOutcome {
  readonly rounds: readonly PaperRound[]
  readonly computeMs: number
}

/**
 * Algorithm 1 of MG-MIS (Akathoott et al., ICS 2025), ComputeStatus, on one worker; it leaves its states in shared memory. The set depends
 * on the priorities alone.
 */
export async function computeStatus(part: RangeWorker<PaperShared, Uint32Array>): Promise<RangeWork<PaperOutcome>> {
  const { task, graph, store, job } = part
  const worker = await PaperWorker.open(part)
  await store.loadAll(part.plan.batches)
  await part.ready()
  const [startMs, loadedMs] = [performance.now(), store.readMs]
  const rounds: PaperRound[] = []
  for (;;) {
    throwIfCancelled(job.signal)
    if (task.worker === 0) worker.messages.keepsStates = part.isDue() === 1
    const done = await worker.runLocalRound() //       lines 2-5, sendNbrData included
    await part.arrive('for the local rounds')
    await worker.setVerticesToOut() //                 lines 6-7
    await part.arrive('for vertices set out')
    await worker.sendQueries(done) //                  lines 8-11
    await part.arrive('for the queries')
    const asked = await worker.receive() //            lines 12-15
    // Answers take the buffers of queries, which others may still read.
    await part.arrive('for queries to be read')
    await worker.sendResponses(asked)
    await part.arrive('for the responses')
    await worker.processResponses() //                 lines 16-17
    worker.messages.publish({ done, undecided: worker.undecided, need: worker.need })
    const keeps = worker.messages.keepsStates
    if (keeps) await worker.publishStates()
    await part.arrive('for the done flags')
    const all = worker.messages.allReduce() //         line 18
    requireProgress(graph.path, rounds, all)
    rounds.push({ undecided: all.undecided, need: all.need })
    if (keeps) part.keep(task.shared.states)
    reportRound(job, 'sweep', graph.vertices, all.undecided, rounds.length)
    if (all.done) break //                           line 19
  }
  await worker.publishStates()
  await part.arrive('for the states')
  const computeMs = performance.now() - startMs - (store.readMs - loadedMs)
  const { transfers, words } = worker.messages
  worker.release()
  return { outcome: { rounds, computeMs }, exchanged: 4 * words, counters: { transfers } }
}

/** A round that decides and sends nothing would repeat for ever. @throws Failure (input) after one */
function requireProgress(path: string, rounds: readonly PaperRound[], { done, undecided, need }: RoundFigures): void {
  if (!done && need === 0 && undecided >= (rounds.at(-1)?.undecided ?? Infinity))
    throw idleRound(path, rounds.length + 1)
}

import { endThreadIfDue } from '../base/fault-injection.ts'
import { GaloisGr } from '../graph/galois-gr.ts'
import { SharedBarrier, workerJob } from '../threads/barrier.ts'
import type { VerifyTask, VerifyWorker } from './passes.ts'
import { checkColouring } from './verify-colouring.ts'
import { checkSet } from './verify-independent-set.ts'
import { checkMatching } from './verify-matching.ts'

const checks = { set: checkSet, matching: checkMatching, colours: checkColouring }

export async function verifyTask({ of, control, workers, work, arcsPerBatch, ...task }: VerifyTask): Promise<unknown> {
  await endThreadIfDue()
  const graph = GaloisGr.of(task.graph)
  try {
    const barrier = new SharedBarrier(control, workers)
    const worker = { graph, arcsPerBatch, control, barrier, isCoordinator: false, job: workerJob(control) }
    return await (checks[of] as (work: object, worker: VerifyWorker) => Promise<unknown>)(work, worker)
  } finally {
    graph.close()
  }
}

import { runAlgorithm } from '../../workers/algorithms/run.ts'
import { Failure } from '../../workers/base/failure.ts'
import { type JobContext, quietJob } from '../../workers/base/job.ts'
import type { RunArgs, RunOutcome } from '../../workers/contract/jobs.ts'

/** A job that is stopped when its signal is looked at once more than so often. */
function stoppedAfter(looks: number): JobContext & { readonly looked: number } {
  let looked = 0
  const signal = {
    get aborted() {
      return ++looked > looks
    },
  }
  return {
    ...quietJob,
    signal,
    get looked() {
      return looked
    },
  }
}

/** How often a run whose view is there looks whether it was stopped, and what comes of it when nobody stops it. */
export async function wholeRun(args: RunArgs): Promise<{ looks: number; outcome: RunOutcome }> {
  await runAlgorithm(args, quietJob)
  const job = stoppedAfter(Infinity)
  const outcome = await runAlgorithm(args, job)
  return { looks: job.looked, outcome }
}

/** Starts a run and stops it; undefined where it was stopped, and not done before. */
export async function stoppedRun(args: RunArgs, looks: number): Promise<RunOutcome | undefined> {
  try {
    return await runAlgorithm(args, stoppedAfter(looks))
  } catch (error) {
    if (error instanceof Failure && error.code === 'cancelled') return undefined
    throw error
  }
}

/** Resumes a run time and again, each attempt stopped a little later than the one before, until one gets to the end. */
export async function runInPieces(args: RunArgs, looks: number): Promise<RunOutcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await stoppedRun({ ...args, resume: attempt > 1 }, attempt * looks)
    if (outcome !== undefined) return outcome
  }
}

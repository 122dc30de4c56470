import type { JobContext } from '../base/job.ts'
import { shouldStop } from './barrier.ts'

/** The job of a thread that follows: it is stopped by the word that the workers share, and the leader alone tells of progress. */
export function followingJob(control: Int32Array): JobContext {
  const signal = {
    get aborted() {
      return shouldStop(control)
    },
  }
  return { signal, progress: () => {}, log: () => {} }
}

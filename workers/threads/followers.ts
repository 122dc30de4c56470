import type { JobContext } from '../base/job.ts'
import { allDone } from './all-done.ts'
import { stopWaiting } from './barrier.ts'

const LOOK_MS = 50

/**
 * The part of the thread that leads beside those of threads that meet it at a barrier; settles when all have. One that fails, or a job that is
 * cancelled, makes the others stop waiting.
 * @param control the words of the barrier
 * @throws the failure of the worker that failed first of its own
 */
export async function withFollowers<Led, Report>(
  control: Int32Array,
  { signal }: Pick<JobContext, 'signal'>,
  followers: readonly Promise<Report>[],
  lead: () => Promise<Led>,
): Promise<{ readonly led: Led; readonly reports: readonly Report[] }> {
  // A thread that leads alone looks itself.
  const watch = followers.length === 0 ? undefined : setInterval(() => signal.aborted && stopWaiting(control), LOOK_MS)
  try {
    const leading = lead()
    await allDone<unknown>([leading, ...followers], { stop: () => stopWaiting(control) })
    return { led: await leading, reports: await Promise.all(followers) }
  } finally {
    clearInterval(watch)
  }
}

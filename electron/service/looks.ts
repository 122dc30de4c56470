import { quietJob, throwIfCancelled } from '../../workers/base/job.ts'
import type { JobRunner } from './job-runner.ts'

/** Each is a thread, which keeps what it drew. */
export const MOST_LOOKS = 4

/**
 * A few at once, the others in their order: hundreds would leave runs no processor. Those that no page waits for any more are passed over; one that has
 * begun ends by itself.
 */
export function queuedLooks(runner: JobRunner): Pick<JobRunner, 'run'> {
  const waiting: (() => void)[] = []
  let under = 0
  return {
    async run(name, args, job) {
      if (under === MOST_LOOKS) await new Promise<void>((resolve) => waiting.push(resolve))
      else under++
      try {
        throwIfCancelled(job.signal)
        return await runner.run(name, args, { ...job, signal: quietJob.signal })
      } finally {
        // The turn goes over.
        const next = waiting.shift()
        if (next === undefined) under--
        else next()
      }
    },
  }
}

import type { JobContext } from '../../workers/base/job.ts'
import type { JobName, Jobs } from '../../workers/contract/jobs.ts'

/** What the service needs of the pool: jobs by name. Tests bring their own. */
export interface JobRunner {
  /** @throws Failure; its code is `engine` when the engine died over the job. */
  run<N extends JobName>(name: N, args: Jobs[N]['args'], job: JobContext): Promise<Jobs[N]['result']>
  close(): Promise<void>
}

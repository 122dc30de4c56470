import type { JobContext } from '../../workers/base/job.ts'
import type { JobName, Jobs } from '../../workers/contract/jobs.ts'

export interface JobRunner {
  /** @throws Failure; `engine` when the engine died */
  run<N extends JobName>(name: N, args: Jobs[N]['args'], job: JobContext): Promise<Jobs[N]['result']>
  close(): Promise<void>
}

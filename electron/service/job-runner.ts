import type { JobContext } from '../../workers/base/job.ts'
import type { JobName, Jobs } from '../../workers/contract/jobs.ts'
import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'

export interface JobRunner {
  /** @throws Failure; `engine` when the engine died */
  run<N extends JobName>(name: N, args: Jobs[N]['args'], job: JobContext): Promise<Jobs[N]['result']>
  close(): Promise<void>
}

/** What does each call, of all calls or of those whose names begin alike. */
export type Handlers<Begin extends string = ''> = {
  readonly [N in Extract<CallName, `${Begin}${string}`>]: (args: CallArgs<N>, job: JobContext) => Promise<CallResult<N>>
}

import { REPEAT, type FailureValue } from '../../workers/base/failure.ts'
import { isFinal, runStates, type RunState } from '../contract/run.ts'

/** All others are bugs. */
export const legalTransitions: Readonly<Record<RunState, readonly RunState[]>> = {
  queued: ['planning', 'failed', 'cancelled', 'interrupted'],
  planning: ['running', 'failed', 'cancelled', 'interrupted'],
  running: ['verifying', 'done', 'failed', 'cancelled', 'interrupted'],
  verifying: ['done', 'failed', 'cancelled', 'interrupted'],
  done: [],
  // To resume it.
  failed: ['queued'],
  cancelled: ['queued'],
  interrupted: ['queued'],
}

export function isLegal(from: RunState, to: RunState): boolean {
  return legalTransitions[from].includes(to)
}

/** The run belongs to a process. */
export const activeStates = runStates.filter((state) => !isFinal(state))

/** To repeat it is to resume this run. */
export const ofRun = (failure: FailureValue, run: string): FailureValue => ({
  ...failure,
  fixes: failure.fixes?.map((fix) => (fix.action === 'repeat' ? { action: 'resume', run } : fix)),
})

const ended = 'the program ended before the run did'
export const orphaned: FailureValue = { code: 'engine', what: ended, remedy: '', fixes: [REPEAT] }

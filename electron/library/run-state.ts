import { REPEAT } from '../../workers/base/failure.ts'
import type { FailureValue } from '../../workers/base/failure.ts'
import { isFinal, runStates } from '../contract/run.ts'
import type { RunState } from '../contract/run.ts'

/** Which state may follow which. Whatever is not listed is a bug, not a failure. */
export const legalTransitions: Readonly<Record<RunState, readonly RunState[]>> = {
  queued: ['planning', 'failed', 'cancelled', 'interrupted'],
  planning: ['running', 'failed', 'cancelled', 'interrupted'],
  running: ['verifying', 'done', 'failed', 'cancelled', 'interrupted'],
  verifying: ['done', 'failed', 'cancelled', 'interrupted'],
  done: [],
  // A run without a result may be taken up again.
  failed: ['queued'],
  cancelled: ['queued'],
  interrupted: ['queued'],
}

/** Whether a run may go from one state to the other. */
export function isLegal(from: RunState, to: RunState): boolean {
  return legalTransitions[from].includes(to)
}

/** States in which a run belongs to a process that works on it. */
export const activeStates = runStates.filter((state) => !isFinal(state))

/** A failure of a run that the library has: the same once more is this run, resumed. */
export const ofRun = (failure: FailureValue, run: string): FailureValue => ({
  ...failure,
  fixes: failure.fixes?.map((fix) => (fix.action === 'repeat' ? { action: 'resume', run } : fix)),
})

const ended = 'the program ended before the run did'
export const orphaned: FailureValue = { code: 'engine', what: ended, remedy: '', fixes: [REPEAT] }

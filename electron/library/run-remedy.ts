import type { FailureValue } from '../../workers/base/failure.ts'

/** What a remedy of the engine says where the same may go well next time: the engine knows neither the run's id nor its checkpoint. */
const again = /\b(?:run|start) it again\b/gi

/**
 * A failure of this run: where the remedy is to run it again, it says how. The run takes up its last checkpoint, or starts anew where
 * there is none. The window has a button in place of the command.
 */
export function ofRun(failure: FailureValue, id: string, hasCheckpoint: boolean): FailureValue {
  const how = hasCheckpoint
    ? `Go on with "anticlique run --resume ${id}"`
    : `Run it again with "anticlique run --resume ${id}"`
  const within = how[0]!.toLowerCase() + how.slice(1)
  return { ...failure, remedy: failure.remedy.replace(again, (said) => (/^[A-Z]/.test(said) ? how : within)) }
}

import type { OrientedView } from '../graph/oriented-view.ts'
import { HEAD_WIDTH, NO_ENTRY } from '../graph/oriented-view.ts'
import { IN, OUT, UNDECIDED, setState, stateOf } from '../graph/vertex-states.ts'
import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'

/**
 * Decides every vertex that is left. Sweeps of a parallel device need as many rounds as the longest chain of vertices that
 * wait for one another; for one walk from the front of the view a chain costs nothing. `states` is changed in place.
 */
export function finishSerially(view: OrientedView, states: Uint32Array, job: JobContext): void {
  for (let p = 0; p < view.vertices; p++) {
    if ((p & 0xffff) === 0) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'finish', done: p, total: view.vertices, unit: 'vertices' })
    }
    if (stateOf(states, p) === UNDECIDED) setState(states, p, hasMember(view, states, p) ? OUT : IN)
  }
}

function hasMember(view: OrientedView, states: Uint32Array, p: number): boolean {
  for (let slot = 0; slot < HEAD_WIDTH; slot++) {
    const entry = view.heads[HEAD_WIDTH * p + slot]!
    if (entry === NO_ENTRY) return false
    if (stateOf(states, entry) === IN) return true
  }
  for (let at = view.tailOffsets[p]!; at < view.tailOffsets[p + 1]!; at++)
    if (stateOf(states, view.tails[at]!) === IN) return true
  return false
}

import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { OrientedView } from '../graph/oriented-view.ts'
import { HEAD_WIDTH, NO_ENTRY } from '../graph/oriented-view.ts'
import { IN, OUT, UNDECIDED, setState, stateOf } from '../graph/vertex-states.ts'

/**
 * Decides every vertex that is left, one after another, in time proportional to the entries looked at. Sweeps need as many
 * rounds as the longest chain of waiting vertices; a chain costs nothing here: a vertex that waits for another is put aside
 * on a stack until that one is decided. `states` is changed in place.
 */
export function finishSerially(view: OrientedView, states: Uint32Array, job: JobContext): void {
  const waiting: number[] = []
  const cursors: number[] = []
  for (let v = 0; v < view.vertices; v++) {
    if ((v & 0xffff) === 0) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'finish', done: v, total: view.vertices, unit: 'vertices' })
    }
    if (stateOf(states, v) !== UNDECIDED) continue
    waiting.push(v)
    cursors.push(0)
    while (waiting.length > 0) {
      const top = waiting.length - 1
      const blocker = advance(view, states, waiting[top]!, cursors, top)
      if (blocker === NO_ENTRY) {
        waiting.pop()
        cursors.pop()
      } else {
        waiting.push(blocker)
        cursors.push(0)
      }
    }
  }
}

/** Moves the cursor of v over entries that are out; decides v and returns NO_ENTRY, or returns the undecided entry it waits for. */
function advance(view: OrientedView, states: Uint32Array, v: number, cursors: number[], top: number): number {
  const tail = view.tailOffsets[v]!
  const entries = HEAD_WIDTH + view.tailOffsets[v + 1]! - tail
  for (let cursor = cursors[top]!; cursor < entries; cursor++) {
    const entry = cursor < HEAD_WIDTH ? view.heads[HEAD_WIDTH * v + cursor]! : view.tails[tail + cursor - HEAD_WIDTH]!
    if (entry === NO_ENTRY) break
    const state = stateOf(states, entry)
    if (state === OUT) continue
    if (state === IN) {
      setState(states, v, OUT)
      return NO_ENTRY
    }
    cursors[top] = cursor
    return entry
  }
  setState(states, v, IN)
  return NO_ENTRY
}

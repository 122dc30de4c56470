import { HEAD_WIDTH, NO_ENTRY } from '../graph/oriented-view.ts'
import type { PreparedView } from '../graph/prepare-view.ts'
import { SlabWindow } from '../graph/slab-window.ts'
import { IN, OUT, UNDECIDED, VERTICES_PER_WORD, isDecidedWord, setState, stateOf } from '../graph/vertex-states.ts'
import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'

/** Words of states between two looks whether to stop. */
const WORDS_A_LOOK = 1 << 12

/**
 * Decides every vertex that is left. Sweeps of a parallel device need as many rounds as the longest chain of vertices that
 * wait for one another; for one walk from the front of the view a chain costs nothing. Of the view only what stands around these
 * vertices is read. `states` is changed in place.
 */
export function finishSerially({ view, tailOffsets }: PreparedView, states: Uint32Array, job: JobContext): void {
  const { heads, tails, vertices, front, tailEntries } = view.header
  const slabs: Slabs = {
    front,
    heads: new SlabWindow((at, bytes) => view.read(heads, at, bytes), HEAD_WIDTH * (vertices - front)),
    tails: new SlabWindow((at, bytes) => view.read(tails, at, bytes), tailEntries),
    tailOffsets,
  }
  for (let word = 0; VERTICES_PER_WORD * word < vertices; word++) {
    if (word % WORDS_A_LOOK === 0) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'finish', done: VERTICES_PER_WORD * word, total: vertices, unit: 'vertices' })
    }
    if (isDecidedWord(states[word]!)) continue
    const end = Math.min(vertices, VERTICES_PER_WORD * (word + 1))
    for (let p = VERTICES_PER_WORD * word; p < end; p++)
      if (stateOf(states, p) === UNDECIDED) setState(states, p, hasMember(slabs, states, p) ? OUT : IN)
  }
}

interface Slabs {
  /** Positions before this one have no entries. */
  readonly front: number
  readonly heads: SlabWindow
  readonly tails: SlabWindow
  readonly tailOffsets: Uint32Array
}

function hasMember({ front, heads, tails, tailOffsets }: Slabs, states: Uint32Array, p: number): boolean {
  if (p < front) return false
  for (let slot = 0; slot < HEAD_WIDTH; slot++) {
    const entry = heads.word(HEAD_WIDTH * (p - front) + slot)
    if (entry === NO_ENTRY) return false
    if (stateOf(states, entry) === IN) return true
  }
  for (let at = tailOffsets[p]!; at < tailOffsets[p + 1]!; at++) if (stateOf(states, tails.word(at)) === IN) return true
  return false
}

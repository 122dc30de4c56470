import { HEAD_WIDTH, NO_ENTRY } from '../graph/oriented-view.ts'
import type { Batch } from '../graph/batches.ts'
import type { TailWords } from '../device/tail-store.ts'
import { IN, OUT, UNDECIDED, VERTICES_PER_WORD, isDecidedWord, setState, stateOf } from '../graph/vertex-states.ts'

/** Where the entries of a batch are. */
export interface Entries {
  /** HEAD_WIDTH words a vertex of the batch. */
  readonly heads: Uint32Array
  readonly tailOffsets: Uint32Array
  readonly tails: TailWords
}

/** Of a tail so many entries are read ahead; hardly a vertex needs more. */
const LOOK_AHEAD = 256

/**
 * Tells what {@link decideRest} may need of the tails, in ascending order: of each vertex that no head puts out, what comes next.
 * @param want takes places [first, end) in the tails
 */
export function tailsWanted(
  { first, count }: Batch,
  { heads, tailOffsets }: Omit<Entries, 'tails'>,
  states: Uint32Array,
  want: (first: number, end: number) => void,
): void {
  for (let word = first / VERTICES_PER_WORD; VERTICES_PER_WORD * word < first + count; word++) {
    if (isDecidedWord(states[word]!)) continue
    const end = Math.min(first + count, VERTICES_PER_WORD * (word + 1))
    for (let p = VERTICES_PER_WORD * word; p < end; p++) {
      if (stateOf(states, p) !== UNDECIDED) continue
      const tail = tailOffsets[p]!
      const last = Math.min(tailOffsets[p + 1]!, tail + LOOK_AHEAD)
      if (last > tail && !isPutOut(heads, HEAD_WIDTH * (p - first), states)) want(tail, last)
    }
  }
}

function isPutOut(heads: Uint32Array, at: number, states: Uint32Array): boolean {
  for (let slot = 0; slot < HEAD_WIDTH; slot++) if (stateOf(states, heads[at + slot]!) === IN) return true
  return false
}

/**
 * Decides what the heads left undecided, in the order of the view, so that each vertex finds its entries decided unless another
 * worker has still to tell of them. Tails are read for the vertices that need them, and what lies close between.
 * @returns vertices that are still undecided
 */
export function decideRest({ first, count }: Batch, entries: Entries, states: Uint32Array): number {
  let undecided = 0
  for (let word = first / VERTICES_PER_WORD; VERTICES_PER_WORD * word < first + count; word++) {
    if (isDecidedWord(states[word]!)) continue
    const end = Math.min(first + count, VERTICES_PER_WORD * (word + 1))
    for (let p = VERTICES_PER_WORD * word; p < end; p++) {
      if (stateOf(states, p) !== UNDECIDED) continue
      const state = stateByEntries(p, first, entries, states)
      if (state === UNDECIDED) undecided++
      else setState(states, p, state)
    }
  }
  return undecided
}

/** A member anywhere puts the vertex out; without one it waits for entries that are undecided. */
function stateByEntries(p: number, first: number, { heads, tailOffsets, tails }: Entries, states: Uint32Array): number {
  for (let slot = 0; slot < HEAD_WIDTH; slot++) {
    const entry = heads[HEAD_WIDTH * (p - first) + slot]!
    if (entry === NO_ENTRY) return IN
    const seen = stateOf(states, entry)
    if (seen !== OUT) return seen === IN ? OUT : UNDECIDED
  }
  const end = tailOffsets[p + 1]!
  for (let at = tailOffsets[p]!; at < end;) {
    if (at < tails.first || at >= tails.end) tails.seek(at)
    const { words, first: base } = tails
    for (const stop = Math.min(end, tails.end); at < stop; at++) {
      const seen = stateOf(states, words[at - base]!)
      if (seen !== OUT) return seen === IN ? OUT : UNDECIDED
    }
  }
  return IN
}

import { IN, OUT, UNDECIDED, VERTICES_PER_WORD, setState, stateOf } from '../graph/vertex-states.ts'

/** Sixteen vertices that are in. */
const ALL_IN = 0x55555555

/** Without entries a vertex is in, unless it is decided already. */
export function decideFront(states: Uint32Array, front: number): void {
  const words = Math.floor(front / VERTICES_PER_WORD)
  for (let word = 0; word < words; word++) {
    const decided = states[word]! | (states[word]! >>> 1)
    states[word]! |= ALL_IN & ~decided
  }
  for (let p = VERTICES_PER_WORD * words; p < front; p++) if (stateOf(states, p) === UNDECIDED) setState(states, p, IN)
}

/**
 * Without entries a vertex is in, unless the states that a run starts from say that it is out. `bits`, one for each vertex of the graph that
 * stands at the front, is changed in place.
 */
export function membersOfFront(bits: Uint32Array, states: Uint32Array | undefined): Uint32Array {
  if (states === undefined) return bits
  let p = 0
  for (let word = 0; word < bits.length; word++)
    for (let left = bits[word]!; left !== 0; left &= left - 1)
      if (stateOf(states, p++) === OUT) bits[word]! &= ~(left & -left)
  return bits
}

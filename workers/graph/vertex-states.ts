import { VertexSet } from './vertex-set.ts'

/**
 * Vertex states of the independent set algorithms, 2 bits a vertex, 16 vertices a 32-bit word, vertex v at bit
 * 2 (v mod 16) of word v / 16. States only ever gain bits, so a reader that is late sees an older, never a wrong state.
 */
export const UNDECIDED = 0
export const IN = 1
export const OUT = 2
export const VERTICES_PER_WORD = 16

export function stateWords(vertices: number): number {
  return Math.ceil(vertices / VERTICES_PER_WORD)
}

export function stateOf(states: Uint32Array, v: number): number {
  return (states[v >>> 4]! >>> ((v & 15) << 1)) & 3
}

export function setState(states: Uint32Array, v: number, state: number): void {
  states[v >>> 4]! |= state << ((v & 15) << 1)
}

/** The vertices whose state is IN, as a bit vector: every other bit of the states, squeezed together. */
export function membersOf(states: Uint32Array, vertices: number): VertexSet {
  const set = new VertexSet(vertices)
  for (let word = 0; word < stateWords(vertices); word++) {
    let bits = states[word]! & 0x55555555
    bits = (bits | (bits >>> 1)) & 0x33333333
    bits = (bits | (bits >>> 2)) & 0x0f0f0f0f
    bits = (bits | (bits >>> 4)) & 0x00ff00ff
    bits = (bits | (bits >>> 8)) & 0x0000ffff
    set.bytes[2 * word] = bits & 0xff
    if (2 * word + 1 < set.bytes.length) set.bytes[2 * word + 1] = bits >>> 8
  }
  return set
}

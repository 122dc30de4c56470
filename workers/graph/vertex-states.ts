/**
 * Vertex states of the independent set algorithms, 2 bits a vertex, 16 vertices a 32-bit word, position p of the
 * view at bit 2 (p mod 16) of word p / 16. States only ever gain bits, so a reader that is late sees an older, never a wrong state.
 */
export const UNDECIDED = 0
export const IN = 1
export const OUT = 2
export const VERTICES_PER_WORD = 16

export function stateWords(vertices: number): number {
  return Math.ceil(vertices / VERTICES_PER_WORD)
}

export function stateOf(states: Uint32Array, p: number): number {
  return (states[p >>> 4]! >>> ((p & 15) << 1)) & 3
}

export function setState(states: Uint32Array, p: number, state: number): void {
  states[p >>> 4]! |= state << ((p & 15) << 1)
}

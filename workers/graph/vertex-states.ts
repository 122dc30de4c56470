/**
 * Vertex states, 2 bits a vertex: position p at bit 2 (p mod 16) of word p / 16. States only gain bits, so a late reader sees an
 * older, never a wrong state.
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

import { bitsSet } from '../base/words.ts'
import { inputFailure } from '../base/failure.ts'
import { hashOfBits, type Pause, readResult } from './result-file.ts'

/** A bit vector, least significant bit first: vertex v is bit v & 7 of byte v >> 3. */
export class VertexSet {
  readonly vertices: number
  readonly bytes: Uint8Array

  constructor(vertices: number, bytes: Uint8Array = new Uint8Array(Math.ceil(vertices / 8))) {
    this.vertices = vertices
    this.bytes = bytes
  }

  has(v: number): boolean {
    return ((this.bytes[v >>> 3]! >>> (v & 7)) & 1) === 1
  }

  add(v: number): void {
    this.bytes[v >>> 3]! |= 1 << (v & 7)
  }

  *members(): Generator<number> {
    for (let v = 0; v < this.vertices; v++) if (this.has(v)) yield v
  }

  /** How many members it has. */
  get size(): number {
    let size = 0
    for (let i = 0; i < this.bytes.length; i++) size += bitsSet(this.bytes[i]!)
    return size
  }

  /** The weight of its members. */
  weight(weights: Float64Array): number {
    return weights.reduce((sum, weight, v) => (this.has(v) ? sum + weight : sum), 0)
  }

  summary(pause: Pause = () => {}): { readonly size: number; readonly hash: string } {
    const { found: size, hash } = hashOfBits(this.bytes, pause)
    return { size, hash }
  }
}

/** @throws Failure (input) when the length does not fit the graph, or a bit behind the last vertex is set */
export function readBits(path: string, vertices: number): VertexSet {
  const set = new VertexSet(vertices)
  readResult(path, set.bytes, `the bit vector of ${vertices} vertices`)
  if (vertices % 8 > 0 && set.bytes.at(-1)! >>> (vertices % 8) !== 0)
    throw inputFailure(path, `it has members behind the last of ${vertices} vertices`, 'Repeat the run.')
  return set
}

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

export const isUndecided = (states: Uint32Array, p: number): boolean => stateOf(states, p) === UNDECIDED

export function setState(states: Uint32Array, p: number, state: number): void {
  states[p >>> 4]! |= state << ((p & 15) << 1)
}

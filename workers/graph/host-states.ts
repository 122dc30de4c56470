/**
 * The states of all vertices on the host, in two forms: two bits each, as devices give them, and a byte each, as processors share them, which
 * also holds the code of a priority until the vertex is decided. Threads read and merge them without locks, word by word: a decided state never
 * changes, and reading an older one only makes a vertex wait longer. Loops over four or sixteen vertices are done in registers.
 * vertex-set.ts has the two bits; ecl-mis/shared-states.ts says which form a run has.
 */

import { misMerge } from '../../kernels/mis/mis-merge.ts'
import { misPack } from '../../kernels/mis/mis-pack.ts'
import { IN as IN_CODE, OUT as OUT_CODE, stateBytes } from '../../kernels/parts/vertex-states.ts'
import type { Range } from '../base/ranges.ts'
import { VertexSet, IN, OUT, UNDECIDED, VERTICES_PER_WORD, stateOf, stateWords } from './vertex-set.ts'

/** The states of all vertices on the host. */
export interface HostStates {
  get(v: number): number
  set(v: number, state: number): void
  /** Two bits a vertex (vertex-states.ts). */
  packed(): Uint32Array
  /** Brings earlier states up to date. @param words of 16 vertices each */
  update(earlier: Uint32Array, words: Range): void
  /** Takes over decided states of two bits each; several threads may merge at a time. @param firstWord of 16 vertices each */
  merge(states: Uint32Array, firstWord?: number): void
  mergeWord(word: number, states: number): void
  members(): VertexSet
}

/** Two bits each, as devices give them. */
export class PackedStates implements HostStates {
  readonly #vertices: number
  readonly #words: Uint32Array

  constructor(vertices: number, words: Uint32Array) {
    this.#vertices = vertices
    this.#words = words
  }

  get(v: number): number {
    return stateOf(this.#words, v)
  }

  set(v: number, state: number): void {
    Atomics.or(this.#words, v >>> 4, state << ((v & 15) << 1))
  }

  packed(): Uint32Array {
    return this.#words
  }

  update(earlier: Uint32Array, { first, end }: Range): void {
    earlier.set(this.#words.subarray(first, end))
  }

  merge(states: Uint32Array, firstWord = 0): void {
    const words = this.#words.subarray(firstWord)
    // No other thread writes.
    if (words.buffer instanceof ArrayBuffer) for (let i = 0; i < states.length; i++) words[i]! |= states[i]!
    else for (let i = 0; i < states.length; i++) if ((states[i]! & ~words[i]!) !== 0) Atomics.or(words, i, states[i]!)
  }

  mergeWord(word: number, states: number): void {
    Atomics.or(this.#words, word, states)
  }

  members(): VertexSet {
    const set = new VertexSet(this.#vertices)
    const halves = new Uint16Array(set.bytes.buffer, 0, set.bytes.length >>> 1)
    for (let word = 0; word < halves.length; word++) halves[word] = membersOfWord(this.#words[word]!)
    for (let v = 16 * halves.length; v < this.#vertices; v++) if (stateOf(this.#words, v) === IN) set.add(v)
    return set
  }
}

/** The lower bits of 16 pairs. */
function membersOfWord(word: number): number {
  let bits = word & 0x55555555
  bits = (bits | (bits >>> 1)) & 0x33333333
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f
  bits = (bits | (bits >>> 4)) & 0x00ff00ff
  return (bits | (bits >>> 8)) & 0xffff
}

/** A byte each, as processors share them. */
export class ByteStates implements HostStates {
  readonly #vertices: number
  readonly #states: Uint32Array
  readonly #bytes: Uint8Array

  constructor(vertices: number, states: Uint32Array) {
    this.#vertices = vertices
    this.#states = states
    this.#bytes = stateBytes(states)
  }

  get(v: number): number {
    const code = this.#bytes[v]!
    if (code === IN_CODE) return IN
    return code === OUT_CODE ? OUT : UNDECIDED
  }

  set(v: number, state: number): void {
    this.#bytes[v] = state === IN ? IN_CODE : OUT_CODE
  }

  merge(states: Uint32Array, firstWord = 0): void {
    misMerge.twin({ first: firstWord, count: states.length }, { packed: states, states: this.#states })
  }

  mergeWord(word: number, states: number): void {
    for (let v = VERTICES_PER_WORD * word, left = states; left !== 0; v++, left >>>= 2)
      if ((left & 3) !== UNDECIDED && v < this.#vertices) this.set(v, left & 3)
  }

  packed(): Uint32Array {
    const states = new Uint32Array(stateWords(this.#vertices))
    misPack.twin({ first: 0, count: states.length }, { states: this.#states, packed: states })
    return states
  }

  update(earlier: Uint32Array, { first }: Range): void {
    const states = this.#states
    for (let i = 0, at = 4 * first; i < earlier.length; i++, at += 4) {
      if (isDecided(earlier[i]!)) continue
      let pairs = 0
      for (let j = 0; j < 4; j++) pairs |= pairsOf(states[at + j] ?? 0) << (8 * j)
      earlier[i] = pairs
    }
  }

  members(): VertexSet {
    const set = new VertexSet(this.#vertices)
    const states = this.#states
    const { bytes } = set
    const whole = this.#vertices >>> 3
    for (let i = 0; i < whole; i++) bytes[i] = inNibble(states[2 * i]!) | (inNibble(states[2 * i + 1]!) << 4)
    for (let v = 8 * whole; v < this.#vertices; v++) if (this.#bytes[v] === IN_CODE) set.add(v)
    return set
  }
}

/** All vertices of a word are. */
const isDecided = (word: number): boolean => ((word | (word >>> 1)) & 0x55555555) === 0x55555555

/** Two bits for each of four bytes. */
function pairsOf(word: number): number {
  const members = inNibble(word)
  // Bytes of the complement are 255 where those of the word are 0.
  const others = inNibble(~word)
  return spread(members) | (spread(others) << 1)
}

/** Four bits, to every second one. */
const spread = (bits: number): number => (bits & 1) | ((bits & 2) << 1) | ((bits & 4) << 2) | ((bits & 8) << 3)

/** A bit for each of four bytes: whether it is 255. */
function inNibble(word: number): number {
  // A byte of the complement is 0 for 255; adding 127 to the lower bits of others carries into bit 7.
  const inverse = ~word
  const others = ((inverse & 0x7f7f7f7f) + 0x7f7f7f7f) | inverse
  return (Math.imul((~others & 0x80808080) >>> 7, 0x10204080) >>> 28) & 15
}

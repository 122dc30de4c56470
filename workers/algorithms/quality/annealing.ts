/**
 * Sweeps of annealing (Kirkpatrick, Gelatt, Vecchi, Science 220, 1983) over a graph in memory by one thread, and sets as bits: packed, filled up, merged
 * component by component. A sweep reads a word a vertex, and the list of each that joins or leaves; memory is a word and a bit a vertex.
 * shared-annealing.ts and device-annealing.ts make the same sweeps by all threads and by a GPU, annealed-search.ts says at which temperatures.
 */

import { bitsBelow, outsideIn } from '../../../kernels/annealing/anneal-propose.ts'
import { shiftedHash } from '../../../kernels/parts/vertex-hash.ts'
import { WordList, bitWords, bitsSet, lowestBit } from '../../base/words.ts'
import type { Adjacency } from './in-memory-graph.ts'

/** Vertices of a large graph: it is swept by all threads, or by a GPU. A sweep of fewer is over before threads have met: these make whole coolings (cooling-threads.ts). */
export const LARGE = 1 << 18
/** Words of bits that are swept at a time. */
const PIECE_WORDS = 1 << 10

/** Whether vertex v is in a bitmap. */
const hasBit = (bits: Uint32Array, v: number): boolean => ((bits[v >>> 5]! >>> (v & 31)) & 1) !== 0

/**
 * Makes an independent set one that is at least as large as each of two. Where they differ, vertices are joined to their neighbours in the other set:
 * no such component touches another one, nor what the sets have in common, so that each is taken from the set that has more of it (the partition
 * crossover of Whitley, Hains, Howe, GECCO 2009, for independent sets). At a tie the first set keeps its own.
 * @param set a bit a vertex; changed @param other likewise, not changed @param weights of vertices; absent: 1 each
 */
export function mergeSets(
  { starts, targets }: Adjacency,
  set: Uint32Array,
  other: Uint32Array,
  weights?: Float64Array,
): void {
  const differ = set.map((word, i) => word ^ other[i]!)
  const component = new WordList()
  const visit = (v: number): void => {
    differ[v >>> 5]! &= ~(1 << (v & 31))
    component.push(v)
  }
  for (let w = 0; w < differ.length; w++) {
    while (differ[w] !== 0) {
      component.length = 0
      visit((w << 5) | (31 - Math.clz32(differ[w]!)))
      let balance = 0
      for (let at = 0; at < component.length; at++) {
        const v = component.values[at]!
        const weight = weights === undefined ? 1 : weights[v]!
        balance += hasBit(set, v) ? weight : -weight
        for (let i = starts[v]!; i < starts[v + 1]!; i++) if (hasBit(differ, targets[i]!)) visit(targets[i]!)
      }
      if (balance >= 0) continue
      for (const v of component.words) set[v >>> 5]! ^= 1 << (v & 31)
    }
  }
}

/** @param members one byte a vertex @returns a bit a vertex */
export function packMembers(members: Uint8Array): Uint32Array {
  const bits = new Uint32Array(bitWords(members.length))
  // No branch depends on a member: half of them would be foreseen wrongly.
  for (let v = 0; v < members.length; v++) bits[v >>> 5]! |= members[v]! << (v & 31)
  return bits
}

/** One byte a vertex. */
export function unpackMembers(bits: Uint32Array, vertices: number): Uint8Array {
  const members = new Uint8Array(vertices)
  for (let v = 0; v < vertices; v++) members[v] = (bits[v >>> 5]! >>> (v & 31)) & 1
  return members
}

/** What decides the visits of a piece; see anneal-propose.wgsl. */
export interface Chances {
  /** The chance that a vertex takes the place of two, in parts of 2^32. */
  readonly threshold: number
  /** What is drawn follows from it. */
  readonly draws: number
}

/** An independent set that is swept piece by piece. */
export interface Sweeps {
  /** Pieces of a sweep. */
  readonly pieces: number
  /** A bit a vertex; a copy. */
  members(): Promise<Uint32Array>
  /** Begins from another set. */
  replace(members: Uint32Array): void
  /** Visits the vertices of a piece. @returns what is to be awaited before the next one, if anything */
  sweep(piece: number, chances: Chances): Promise<void> | undefined
  end(): void
}

/**
 * Annealing by one thread: each change is there for the next visit. It knows how many members are next to each vertex, so that a visit reads one word;
 * where a vertex joins or leaves its list is read. What it does is what {@link annealPropose} says.
 */
export class Annealing implements Sweeps {
  readonly #adjacency: Adjacency
  readonly #members: Uint32Array
  /** Members next to each vertex. */
  readonly #counts: Uint32Array

  constructor(adjacency: Adjacency) {
    this.#adjacency = adjacency
    this.#members = new Uint32Array(bitWords(adjacency.vertices))
    this.#counts = new Uint32Array(adjacency.vertices)
  }

  get pieces(): number {
    return Math.ceil(this.#members.length / PIECE_WORDS)
  }

  members(): Promise<Uint32Array> {
    return Promise.resolve(this.#members.slice())
  }

  replace(members: Uint32Array): void {
    this.#members.forEach((word, w) => {
      for (let bits = word ^ members[w]!; bits !== 0; bits &= bits - 1) this.#change((w << 5) | lowestBit(bits))
    })
  }

  copyTo(members: Uint32Array): void {
    members.set(this.#members)
  }

  sweep(piece: number, { threshold, draws }: Chances): undefined {
    const { vertices } = this.#adjacency
    const members = this.#members
    const counts = this.#counts
    const first = piece * PIECE_WORDS
    const past = Math.min(members.length, first + PIECE_WORDS)
    for (let w = first; w < past; w++) {
      let open = outsideIn(members, w, vertices)
      if (open === 0) continue
      const key = shiftedHash(w ^ draws)
      const hot = bitsBelow(key, threshold)
      const even = shiftedHash(key)
      for (; open !== 0; open &= open - 1) {
        const v = (w << 5) | lowestBit(open)
        const count = counts[v]!
        if (count > 2) continue
        if (count > 0 && (((count === 1 ? even : hot) >>> (v & 31)) & 1) === 0) continue
        this.#join(v, count)
      }
    }
  }

  /** Lets v join in place of the members next to it. */
  #join(v: number, count: number): void {
    const { starts, targets } = this.#adjacency
    for (let i = starts[v]!, left = count; left > 0; i++) {
      const u = targets[i]!
      if (!hasBit(this.#members, u)) continue
      this.#change(u)
      left--
    }
    this.#change(v)
  }

  /** A vertex joins or leaves. */
  #change(v: number): void {
    const { starts, targets } = this.#adjacency
    const counts = this.#counts
    const by = hasBit(this.#members, v) ? -1 : 1
    this.#members[v >>> 5]! ^= 1 << (v & 31)
    for (let i = starts[v]!, end = starts[v + 1]!; i < end; i++) counts[targets[i]!]! += by
  }

  end(): void {}
}

/** Whether no neighbour of v is a member. */
export function isFree({ starts, targets }: Adjacency, members: Uint32Array, v: number): boolean {
  for (let i = starts[v]!, end = starts[v + 1]!; i < end; i++) if (hasBit(members, targets[i]!)) return false
  return true
}

/** Lets free vertices join, in ascending order. @param members a bit a vertex @param among which they are; absent: all @returns how many do */
export function joinFree(adjacency: Adjacency, members: Uint32Array, among?: Uint32Array): number {
  let joined = 0
  for (let w = 0; w < members.length; w++)
    for (let open = outsideIn(members, w, adjacency.vertices) & (among?.[w] ?? ~0); open !== 0; open &= open - 1) {
      const v = (w << 5) | lowestBit(open)
      if (!isFree(adjacency, members, v)) continue
      members[w]! |= 1 << (v & 31)
      joined++
    }
  return joined
}

export const countBits = (bits: Uint32Array): number => bits.reduce((sum, word) => sum + bitsSet(word), 0)

/**
 * The best neighbours of a vertex in the order of edges, at most four, which LD-GPU keeps so that a list need not be scanned in every round
 * (docs/decisions/0024). Shader text for the kernels that scan lists, and BestNeighbours, the twin of it: it takes one list after another, in
 * parts, and inserts by the order of kernels/parts/edge-order.ts. A list costs one comparison an arc, nearly always with the last of those kept.
 * best-scanner.ts is the same in WebAssembly.
 */

import { EdgeHash, modThousand } from './edge-hash.ts'
import { type EdgeOrderParams, ascendingBits, tieRules, edgeWeightRules } from './edge-order.ts'
import shared from './best-neighbours.wgsl?raw'
import { NONE, isMatched, keptWords, cursor } from '../matching/match-state.ts'

const { MORE } = cursor

export const withCandidates = (shader: string, candidates: number, ...parts: string[]): string =>
  [`const CANDIDATES = ${candidates}u;`, shader, ...parts].join('\n')

/** @param collected whether lists are those that match-collect.wgsl left */
export const withBest = (shader: string, candidates: number, collected: boolean): string =>
  withCandidates(`const COLLECTED = ${collected ? 1 : 0}u;\n${shader}`, candidates, shared)

/** The buffers that such a shader has first. */
export const bestBuffers = {
  ends: 'read',
  targets: 'read',
  weightBits: 'read',
  matched: 'read',
  kept: 'write',
} as const

const BLOCK = 512

interface Lists {
  /** Ends of lists, for ties by degree. */
  readonly ends: Uint32Array
  readonly targets: Uint32Array
  /** The weight bits of a column; other rules read none. */
  readonly weightBits: Uint32Array
}

/** The best neighbours of one list after another, given in parts. */
export class BestNeighbours {
  seen = 0
  readonly vertices: Uint32Array
  readonly #order: EdgeOrderParams
  readonly #candidates: number
  readonly #hash: EdgeHash
  /** Keys of the kept, the best first. */
  readonly #weight: Uint32Array
  readonly #tie: Uint32Array
  readonly #second: Uint32Array
  readonly #free = new Uint32Array(BLOCK)
  readonly #places = new Uint32Array(BLOCK)
  readonly #high = new Uint32Array(BLOCK)
  readonly #low = new Uint32Array(BLOCK)
  readonly #bits = new Uint32Array(1)
  readonly #float = new Float32Array(this.#bits.buffer)

  constructor(order: EdgeOrderParams, candidates: number) {
    this.#order = order
    this.#candidates = candidates
    this.#hash = new EdgeHash(order.seedLow + order.seedHigh * 2 ** 32)
    this.vertices = new Uint32Array(candidates)
    this.#weight = new Uint32Array(candidates)
    this.#tie = new Uint32Array(candidates)
    this.#second = new Uint32Array(candidates)
  }

  forget(): void {
    this.seen = 0
    this.vertices.fill(NONE)
  }

  /** Neighbours [start, start + count) of v among the targets. @param matched undefined: all are free */
  look(v: number, lists: Lists, start: number, count: number, weightsAt: number, matched?: Uint32Array): void {
    const { targets } = lists
    for (let done = 0; done < count; done += BLOCK) {
      const length = Math.min(BLOCK, count - done)
      const first = start + done
      let free = 0
      if (matched === undefined) {
        this.#compare(v, lists, targets, first, length, weightsAt + done)
        continue
      }
      for (let i = 0; i < length; i++) {
        const u = targets[first + i]!
        if (isMatched(matched, u)) continue
        this.#free[free] = u
        this.#places[free++] = weightsAt + done + i
      }
      this.#compare(v, lists, this.#free, 0, free, undefined)
    }
  }

  store(place: number, kept: Uint32Array): void {
    const candidates = this.#candidates
    const base = keptWords(candidates) * place
    kept[base] = this.seen > candidates ? MORE : 0
    for (let k = 0; k < candidates; k++) kept[base + 1 + k] = this.vertices[k]!
  }

  /** @param weightsAt undefined: `#places` has all */
  #compare(
    v: number,
    { ends, weightBits }: Lists,
    from: Uint32Array,
    first: number,
    count: number,
    weightsAt: number | undefined,
  ): void {
    const { weights, ties, least } = this.#order
    const [high, low, last] = [this.#high, this.#low, this.#candidates - 1]
    const random = weights === edgeWeightRules.random3
    if (random || ties !== tieRules.id) this.#hash.ofList(v, from, first, count, high, low)
    for (let i = 0; i < count; i++) {
      let weight = 0
      if (random) weight = modThousand(high[i]!, low[i]!)
      else if (weights !== edgeWeightRules.unit) {
        const bits = weightBits[weightsAt === undefined ? this.#places[i]! : weightsAt + i]!
        weight = ascendingBits(weights === edgeWeightRules.column ? bits : this.#floatBits(bits))
      }
      if (weight < least) continue
      if (this.seen++ > last && weight < this.#weight[last]!) continue
      const u = from[first + i]!
      let [tie, second] = [0, 0]
      if (ties === tieRules.hash) tie = high[i]!
      else if (ties === tieRules.degree) {
        tie = ~(ends[u]! - (u === 0 ? 0 : ends[u - 1]!)) >>> 0
        second = high[i]!
      }
      this.#keep(weight, tie, second, u)
    }
  }

  #keep(weight: number, tie: number, second: number, u: number): void {
    const [weights, ties, seconds, vertices] = [this.#weight, this.#tie, this.#second, this.vertices]
    let at = Math.min(this.seen, this.#candidates) - 1
    if (this.seen > this.#candidates && !this.#comesBefore(weight, tie, second, u, at)) return
    for (; at > 0 && this.#comesBefore(weight, tie, second, u, at - 1); at--) {
      weights[at] = weights[at - 1]!
      ties[at] = ties[at - 1]!
      seconds[at] = seconds[at - 1]!
      vertices[at] = vertices[at - 1]!
    }
    weights[at] = weight
    ties[at] = tie
    seconds[at] = second
    vertices[at] = u
  }

  #comesBefore(weight: number, tie: number, second: number, u: number, at: number): boolean {
    if (weight !== this.#weight[at]) return weight > this.#weight[at]!
    if (tie !== this.#tie[at]) return tie > this.#tie[at]!
    if (second !== this.#second[at]) return second > this.#second[at]!
    return u > this.vertices[at]!
  }

  #floatBits(whole: number): number {
    this.#float[0] = whole | 0
    return this.#bits[0]!
  }
}

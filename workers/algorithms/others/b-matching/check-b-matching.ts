/**
 * Checks a b-matching against the canonical graph in two passes over its lists, by code of its own. Valid: every pair is an edge, and no vertex is
 * in more of them than it has room for. Locally dominant: every other edge has an end that is full, of partners whose edges all come before it; then
 * the b-matching weighs at least half of any (Khan and others 2016, Lemma 3.1). The bound is the lesser of two: half of what each vertex could have
 * at most, alone; and a dual solution, in which a full vertex pays the weight of its lightest pair, and a pair what is left of its own.
 */

import { ExactSum } from '../../../base/exact-sum.ts'
import type { JobContext } from '../../../base/job.ts'
import type { Verdict } from '../../../contract/jobs.ts'
import { degreesOf } from '../../../graph/degrees.ts'
import type { EdgeOrder } from '../../../graph/edge-order.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import type { Labels } from '../../../graph/labels.ts'
import { PairList, type PartnerLists } from '../../../graph/pair-list.ts'
import { unitsOf, weighedLists } from '../../../graph/scan-lists.ts'
import { TieRule } from '../../../verify/verify-matching.ts'
import { type Capacities, roomOf } from '../../../graph/capacities.ts'

/** Partners, their weights and starts, the lightest pair and the price of each vertex, and a list that is sorted. */
export const checkBytes = (vertices: number, slots: number): number => 36 * vertices + 20 * slots + (64 << 20)

/** A b-matching with what it was made by. */
export interface BMatchingClaim {
  readonly graph: GaloisGr
  readonly labels: Labels
  /** The pairs as the result file has them. */
  readonly bytes: Uint8Array
  readonly capacities: Capacities
  readonly order: EdgeOrder
}

interface BrokenLaw {
  readonly law: 'valid' | 'locally-dominant'
  readonly u: number
  readonly v: number
  readonly words: (u: string, v: string) => string
}

const NONE = 0xffffffff

/** Verifies pairs, with the weight and a bound. */
export function verifyBMatching(claim: BMatchingClaim, job: JobContext): Promise<Verdict> {
  const startMs = performance.now()
  const { labels, order } = claim
  const { list, check } = checkOf(claim)
  const witness = check.validity(job) ?? check.dominance(job)
  const units = unitsOf(order.weights)
  const common = {
    size: list.count,
    hash: list.hash,
    weight: check.weight.value / units,
    upperBound: witness === undefined ? check.bound / units : null,
    elapsedMs: performance.now() - startMs,
  }
  if (witness === undefined) return Promise.resolve({ ...common, verified: true })
  const edge = [labels.of(witness.u), labels.of(witness.v)] as const
  return Promise.resolve({ ...common, verified: false, law: witness.law, edge, sentence: witness.words(...edge) })
}

function checkOf({ graph, bytes, capacities, order }: BMatchingClaim) {
  const list = new PairList(new Uint32Array(bytes.slice().buffer))
  return { list, check: new BMatchingCheck(graph, list.partnerLists(graph.vertices), capacities, order) }
}

/**
 * Prices that prove the bound to others (linear duality): no b-matching weighs more than each price as often as its vertex may have
 * partners, and of each edge what the prices at its ends leave of its weight.
 */
export function bMatchingPrices(claim: BMatchingClaim, job: JobContext): Promise<Float64Array> {
  const { check } = checkOf(claim)
  check.validity(job)
  const units = unitsOf(claim.order.weights)
  return Promise.resolve(check.prices.map((price) => price / units))
}

/** What the pairs weigh, summed exactly; of an edge that the graph lacks nothing. */
export function pairsWeight(graph: GaloisGr, list: PairList, order: EdgeOrder, job: JobContext): number {
  const sum = new ExactSum()
  const { starts, partners } = list.partnerLists(graph.vertices)
  for (const { v, neighbours, weights } of weighedLists(graph, order, 'weigh', job)) {
    let at = starts[v]!
    const end = starts[v + 1]!
    for (let i = 0; i < neighbours.length && at < end; i++) {
      while (at < end && partners[at]! < neighbours[i]!) at++
      if (at < end && partners[at] === neighbours[i] && neighbours[i]! > v) sum.add(weights[i]!)
    }
  }
  return sum.value / unitsOf(order.weights)
}

class BMatchingCheck {
  readonly weight = new ExactSum()
  readonly #graph: GaloisGr
  readonly #lists: PartnerLists
  readonly #capacities: Capacities
  readonly #order: EdgeOrder
  /** The partner of the lightest pair of each vertex in the order, and its weight. */
  readonly #last: Uint32Array
  readonly #least: Float64Array
  /** What each pair weighs, by the slots of both ends. */
  readonly #weights: Float64Array
  readonly #ties: readonly [TieRule, TieRule]
  /** Twice what the vertices could have at most. */
  readonly #most = new ExactSum()
  /** The least weight among the edges that a vertex would take alone; of one without room the greatest of all, of one with room for all 0. */
  readonly #marginal: Float64Array

  constructor(graph: GaloisGr, lists: PartnerLists, capacities: Capacities, order: EdgeOrder) {
    this.#graph = graph
    this.#lists = lists
    this.#capacities = capacities
    this.#order = order
    this.#last = new Uint32Array(graph.vertices).fill(NONE)
    this.#least = new Float64Array(graph.vertices)
    this.#marginal = new Float64Array(graph.vertices)
    this.#weights = new Float64Array(lists.partners.length)
    const degrees = order.ties === 'degree' ? degreesOf(graph) : new Uint32Array(0)
    this.#ties = [new TieRule(order, degrees), new TieRule(order, degrees)]
  }

  /** The lesser one holds. */
  get bound(): number {
    return Math.max(this.weight.value, Math.min(this.#dual, this.#most.value / 2))
  }

  /** Prices of vertices in the solution whose sum is the bound, or less. */
  get prices(): Float64Array {
    const isDual = this.#dual <= this.#most.value / 2
    return this.#marginal.map((marginal, v) => {
      if (roomOf(this.#capacities, v) === 0) return marginal
      return isDual ? this.#priceOf(v) : marginal / 2
    })
  }

  /** What the lightest pair of a full vertex weighs. */
  #priceOf(v: number): number {
    const { starts } = this.#lists
    return this.#isFull(v) && starts[v + 1]! > starts[v]! ? Math.max(0, this.#least[v]!) : 0
  }

  get #dual(): number {
    const dual = new ExactSum()
    const { starts, partners } = this.#lists
    for (let v = 0; v < this.#graph.vertices; v++) {
      const price = this.#priceOf(v)
      dual.add((starts[v + 1]! - starts[v]!) * price)
      for (let at = starts[v]!; at < starts[v + 1]!; at++)
        if (partners[at]! > v) dual.add(Math.max(0, this.#weights[at]! - price - this.#priceOf(partners[at]!)))
    }
    return dual.value
  }

  /** The first law, and what the second needs. */
  validity(job: JobContext): BrokenLaw | undefined {
    const { starts, partners } = this.#lists
    let broken: BrokenLaw | undefined
    let heaviest = new Float64Array(64)
    for (const { v, neighbours, weights } of weighedLists(this.#graph, this.#order, 'verify', job)) {
      const [start, end] = [starts[v]!, starts[v + 1]!]
      const capacity = roomOf(this.#capacities, v)
      if (end - start > capacity)
        broken ??= {
          law: 'valid',
          u: v,
          v: partners[start]!,
          words: (u) => `not a b-matching: vertex ${u} has ${end - start} partners, and room for ${capacity}`,
        }
      let at = start
      for (let i = 0; i < neighbours.length && at < end; i++) {
        if (neighbours[i] !== partners[at]) continue
        this.#note(v, at, weights[i]!)
        at++
      }
      if (at < end) {
        const other = partners[at]!
        const words = (a: string, b: string): string =>
          `not a b-matching: vertices ${a} and ${b} are paired, and the graph has no such edge that counts`
        broken ??= { law: 'valid', u: v, v: other, words }
      }
      const count = neighbours.length
      if (count > heaviest.length) heaviest = new Float64Array(2 * count)
      const own = heaviest.subarray(0, count)
      own.set(weights)
      if (count > capacity) {
        own.sort()
        this.#marginal[v] = Math.max(0, own[capacity === 0 ? count - 1 : count - capacity]!)
      }
      for (let i = Math.max(0, count - capacity); i < count; i++) this.#most.add(Math.max(0, own[i]!))
    }
    return broken
  }

  #note(v: number, at: number, weight: number): void {
    const { partners } = this.#lists
    const u = partners[at]!
    this.#weights[at] = weight
    if (u > v) this.weight.add(weight)
    const last = this.#last[v]!
    if (last !== NONE && !this.#comesBefore(v, last, this.#least[v]!, u, weight, 0)) return
    this.#last[v] = u
    this.#least[v] = weight
  }

  /** The second law. */
  dominance(job: JobContext): BrokenLaw | undefined {
    const { starts, partners } = this.#lists
    for (const { v, neighbours, weights } of weighedLists(this.#graph, this.#order, 'verify', job)) {
      let at = starts[v]!
      const end = starts[v + 1]!
      for (let i = 0; i < neighbours.length; i++) {
        const u = neighbours[i]!
        while (at < end && partners[at]! < u) at++
        const isPair = at < end && partners[at] === u
        if (u < v || isPair || this.#isSettled(v, u, weights[i]!, 0) || this.#isSettled(u, v, weights[i]!, 1)) continue
        const words = (a: string, b: string): string =>
          `not locally dominant: vertices ${a} and ${b} are joined by an edge for which both have room, or would give up another`
        return { law: 'locally-dominant', u: v, v: u, words }
      }
    }
    return undefined
  }

  #isFull(v: number): boolean {
    const { starts } = this.#lists
    return starts[v + 1]! - starts[v]! >= roomOf(this.#capacities, v)
  }

  /** Whether v is full of pairs that come before the edge to u. */
  #isSettled(v: number, u: number, weight: number, side: 0 | 1): boolean {
    if (!this.#isFull(v)) return false
    const last = this.#last[v]!
    return last === NONE || this.#comesBefore(v, last, this.#least[v]!, u, weight, side)
  }

  #comesBefore(v: number, a: number, weightOfA: number, b: number, weightOfB: number, side: 0 | 1): boolean {
    return weightOfA === weightOfB ? this.#ties[side].comesBefore(v, a, b) : weightOfA > weightOfB
  }
}

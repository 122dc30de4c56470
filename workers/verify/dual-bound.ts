/**
 * An upper bound on the weight of any matching (Edmonds 1965): where the prices at the ends of every edge add up to its weight
 * at least, no matching weighs more than all prices together. Two solutions are started from (see startPrices). One
 * pass in order of the vertices sets each price to the least that the neighbours' prices allow; after it every edge is paid for.
 * A vertex needs the new prices of lower neighbours and the old ones of higher ones. Only the lower ones that are not
 * settled when its list is scanned wait until its batch is; so the prices are those of a single thread, to the bit.
 * It costs one pass over the arcs and 8 bytes a vertex. verify-matching.ts makes the pass, passes.ts the batches.
 */

import { lowerBound } from '../base/ranges.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import { EdgeWeigher } from '../graph/scan-lists.ts'
import type { Batch } from './passes.ts'

/** The weights, in units, of the list of one vertex of a batch: `weights[at + i]` is that of arc `start` + i. */
export class BatchWeights {
  start = 0
  count = 0
  at = 0
  weights: Float32Array = new Float32Array(0)
  readonly #weigher: EdgeWeigher
  readonly #leavesOut: boolean
  #computed: Float32Array = new Float32Array(1 << 10)

  constructor(order: EdgeOrder) {
    this.#weigher = new EdgeWeigher(order)
    this.#leavesOut = order.threshold !== undefined
  }

  get areStored(): boolean {
    return this.#weigher.areStored
  }

  /** The heaviest edge at vertex first + i, 0 for none; where weights are not stored, the most that any edge may weigh. */
  heaviest({ starts, stored }: Batch, i: number): number {
    const { most, least, areStored } = this.#weigher
    if (!areStored) return most
    let heaviest = 0
    for (let arc = starts[i]!; arc < starts[i + 1]!; arc++) if (stored[arc]! > heaviest) heaviest = stored[arc]!
    return heaviest < least ? 0 : heaviest
  }

  /** The weight of an edge, where none is stored. */
  computed(u: number, v: number): number {
    this.#weigher.weigh(u, Uint32Array.of(v), 1, this.#computed, 0)
    return this.#computed[0]!
  }

  get most(): number {
    return this.#weigher.most
  }

  /** undefined for none. */
  weightTo(other: number, batch: Batch, i: number): number | undefined {
    const { first, starts, targets, stored } = batch
    const arc = lowerBound(starts[i]!, starts[i + 1]!, (at) => targets[at]! < other)
    if (arc === starts[i + 1] || targets[arc] !== other) return undefined
    if (!this.areStored) this.#weigher.weigh(first + i, targets, 1, this.#computed, arc)
    const weight = this.areStored ? stored[arc]! : this.#computed[0]!
    return this.#leavesOut && weight < this.#weigher.least ? undefined : weight
  }

  /** Moves to vertex first + i; removes what the order leaves out. */
  moveTo(batch: Batch, i: number): void {
    const { first, starts, targets, stored } = batch
    this.start = starts[i]!
    this.count = starts[i + 1]! - this.start
    if (this.areStored) {
      this.weights = stored
      this.at = this.start
    } else {
      if (this.count > this.#computed.length) this.#computed = new Float32Array(2 * this.count)
      this.weights = this.#computed
      this.#weigher.weigh(first + i, targets, this.count, this.#computed, this.start)
    }
    if (this.#leavesOut) this.#leaveOut(targets)
  }

  #leaveOut(targets: Uint32Array): void {
    const { start, at, weights } = this
    const { least } = this.#weigher
    let kept = 0
    for (let i = 0; i < this.count; i++) {
      const weight = weights[at + i]!
      if (weight < least) continue
      targets[start + kept] = targets[start + i]!
      weights[at + kept++] = weight
    }
    this.count = kept
  }
}

/** Two prices for each vertex v: at 2 v of the one solution, at 2 v + 1 of the other. */
export type Prices = Float32Array
const HALF = 0
const MATE = 1

/** Half of the heaviest edge, or of the most that any may weigh, and the weight of the matched edge. */
export function startPrices(prices: Prices, v: number, heaviest: number, mateWeight: number): void {
  prices[2 * v + HALF] = roundedUp(heaviest / 2)
  prices[2 * v + MATE] = mateWeight
}

/** The weight of the matched edge of a vertex that is not settled. */
export const mateWeightOf = (prices: Prices, v: number): number => prices[2 * v + MATE]!

export function forgetMates(prices: Prices): void {
  for (let at = MATE; at < prices.length; at += 2) prices[at] = 0
}

export const boundOf = (prices: Prices): number => Math.min(sumOf(prices, HALF), sumOf(prices, MATE))

/** The prices of the solution whose sum is the bound: one for each vertex. */
export function pricesOf(prices: Prices): Float64Array {
  const first = sumOf(prices, MATE) < sumOf(prices, HALF) ? MATE : HALF
  return Float64Array.from({ length: prices.length / 2 }, (_, v) => prices[2 * v + first]!)
}

/** The sum with what rounding lost on the way (Neumaier 1974): else a bound may be below what the matching weighs. */
function sumOf(prices: Prices, first: number): number {
  let [sum, lost] = [0, 0]
  for (let at = first; at < prices.length; at += 2) {
    const price = prices[at]!
    const next = sum + price
    lost += sum < price ? price - next + sum : sum - next + price
    sum = next
  }
  return sum + lost
}

/** Partial prices, and the arcs that wait until the batch is settled. */
class Partial {
  readonly halves: Float64Array
  readonly mates: Float64Array
  /** The arcs of vertex first + i are those from ends[i] to ends[i + 1]. */
  readonly ends: Uint32Array
  targets = new Uint32Array(1 << 10)
  weights = new Float32Array(1 << 10)

  constructor({ capacity }: Batch) {
    this.halves = new Float64Array(capacity)
    this.mates = new Float64Array(capacity)
    this.ends = new Uint32Array(capacity + 1)
  }

  grow(): void {
    const [targets, weights] = [this.targets, this.weights]
    this.targets = new Uint32Array(2 * targets.length)
    this.weights = new Float32Array(2 * weights.length)
    this.targets.set(targets)
    this.weights.set(weights)
  }
}

/** The prices of a matching while they are lowered. */
export class DualBound {
  readonly #prices: Prices
  readonly #partials: Partial[] = []

  constructor(prices: Prices) {
    this.#prices = prices
  }

  /** @param settled the vertices before it are */
  scan(batch: Batch, v: number, list: BatchWeights, settled: number): void {
    const prices = this.#prices
    const { slot, first, targets } = batch
    const { start, count, at, weights } = list
    let half = 0
    let mate = 0
    let i = 0
    for (let u; i < count && (u = targets[start + i]!) < settled; i++) {
      const weight = weights[at + i]!
      const needed = weight - prices[2 * u + MATE]!
      if (needed > mate) mate = needed
      const other = weight - prices[2 * u + HALF]!
      if (other > half) half = other
    }
    const firstOpen = i
    while (i < count && targets[start + i]! < v) i++
    const endOpen = i
    for (; i < count; i++) {
      const u = targets[start + i]!
      const weight = weights[at + i]!
      const needed = weight - prices[2 * u + MATE]!
      if (needed > mate) mate = needed
      const other = weight - prices[2 * u + HALF]!
      if (other > half) half = other
    }
    // The price only falls.
    if (half >= prices[2 * v + HALF]!) half = Infinity
    const partial = (this.#partials[slot] ??= new Partial(batch))
    let kept = partial.ends[v - first]!
    for (i = firstOpen; i < endOpen; i++) {
      const weight = weights[at + i]!
      // Prices are not negative: an edge needs its weight at most.
      if (weight <= mate && weight <= half) continue
      if (kept === partial.targets.length) partial.grow()
      partial.targets[kept] = targets[start + i]!
      partial.weights[kept++] = weight
    }
    partial.halves[v - first] = half
    partial.mates[v - first] = mate
    partial.ends[v - first + 1] = kept
  }

  settle({ slot, first, end }: Batch): void {
    const prices = this.#prices
    const { halves, mates, ends, targets, weights } = this.#partials[slot]!
    let at = 0
    for (let v = first; v < end; v++) {
      let half = halves[v - first]!
      let mate = mates[v - first]!
      for (const stop = ends[v - first + 1]!; at < stop; at++) {
        const u = targets[at]!
        const weight = weights[at]!
        const needed = weight - prices[2 * u + MATE]!
        if (needed > mate) mate = needed
        const other = weight - prices[2 * u + HALF]!
        if (other > half) half = other
      }
      prices[2 * v + HALF] = Math.min(prices[2 * v + HALF]!, roundedUp(half))
      prices[2 * v + MATE] = roundedUp(mate)
    }
  }
}

/** The least f32 that is not below x, or the next one; the least ones are 2^-149 apart. */
function roundedUp(x: number): number {
  const near = Math.fround(x)
  return near >= x ? near : Math.fround(Math.max(near * (1 + 2 ** -23), near + 2 ** -149))
}

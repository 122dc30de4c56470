/**
 * A total order on the edges, the same at both ends of each, which defines the locally dominant matching. The greater edge comes first:
 * 1. the larger weight: `column` the stored f32, `unit` all alike, `random3` (1 + s mod 1000) / 1000, where s = splitmix64(lo *
 * 0x9E3779B97F4A7C15 + hi + seed), lo < hi the internal ids, in 64-bit arithmetic;
 * 2. then the tie rule: `hash` the larger upper half of s; `degree` the smaller sum of the two degrees, then that hash; `id` nothing;
 * 3. then the larger hi, then the larger lo: seen from one end, the larger neighbour (the rule of the LD-GPU program, SC 2024).
 * kernels/parts/edge-order.ts compares on devices; ListSorter sorts one list by it.
 */

import { EdgeHash, modThousand } from '../../kernels/parts/edge-hash.ts'
import { type EdgeOrderParams, ascendingBits, edgeWeightRules, tieRules } from '../../kernels/parts/edge-order.ts'
import type { GraphFile } from './graph-file.ts'
import type { EdgeTies, EdgeWeights, RunArgs } from '../contract/jobs.ts'
import { RadixSorter } from './radix-order.ts'

/** An order of the edges by its rule and seed. */
export interface EdgeOrder {
  readonly weights: EdgeWeights
  readonly ties: EdgeTies
  /** 0 to 2^53 - 1 */
  readonly seed: number
  /** Edges that weigh less are left out. */
  readonly threshold?: number | undefined
}

/** The order that a run asks for: weights of the graph, else all alike, unless it says otherwise. */
export function edgeOrderOf(
  { weights, ties = 'hash', seed, threshold }: Pick<RunArgs, 'weights' | 'ties' | 'seed' | 'threshold'>,
  { weighted }: { readonly weighted: boolean },
): EdgeOrder {
  return { weights: weights ?? (weighted ? 'column' : 'unit'), ties, seed, threshold }
}

export function edgeOrderName({ weights, ties, seed, threshold }: EdgeOrder): string {
  const name = weights === 'random3' || ties !== 'id' ? `${weights}-${ties}-${seed}` : `${weights}-${ties}`
  return threshold === undefined ? name : `${name}-from-${threshold}`
}

export function leastThousandths({ threshold = 0 }: Pick<EdgeOrder, 'threshold'>): number {
  let least = 1
  while (least <= 1000 && least / 1000 < threshold) least++
  return least
}

/** The least key that is not left out; with `unit` 1 if none does. */
export function leastKey(order: Pick<EdgeOrder, 'weights' | 'threshold'>): number {
  const { weights, threshold } = order
  if (threshold === undefined) return 0
  if (weights === 'random3') return leastThousandths(order) - 1
  if (weights === 'unit') return threshold > 1 ? 1 : 0
  const near = Math.fround(threshold)
  const key = ascendingBits(new Uint32Array(Float32Array.of(near).buffer)[0]!)
  return near < threshold ? key + 1 : key
}

/** The order as kernels take it, on the weights of a file. */
export function orderParams(order: EdgeOrder, { weights }: GraphFile): EdgeOrderParams {
  const stored = weights?.kind === 'i32' ? edgeWeightRules.integers : edgeWeightRules.column
  return {
    weights: order.weights === 'column' ? stored : edgeWeightRules[order.weights],
    ties: tieRules[order.ties],
    seedLow: order.seed >>> 0,
    seedHigh: Math.floor(order.seed / 2 ** 32),
    least: leastKey(order),
  }
}

/** The mark of a neighbour that the order leaves out. */
const NO_ENTRY = 0xffffffff
/** The engine's own sort takes longer to begin. */
const INSERTION_LENGTH = 64
const PACKED_LENGTH = 384
/** A double holds 42 bits of a key and a place below this. */
const PLACES = 2 ** 11
const EQUAL_RUN = 24

/**
 * Sorts by descending edge order. A key has three words: weight, tie, hash. Short lists are sorted as doubles, of the first
 * 42 bits of a key and the place; long ones digit by digit. 32 bytes for each arc of the longest list.
 */
export class ListSorter {
  readonly #order: EdgeOrder
  readonly #degrees: Uint32Array
  readonly #hash: EdgeHash
  readonly #radix = new RadixSorter()
  /** Smaller keys are left out. */
  readonly #leastWeight: number
  /** Bits flipped, from the last arc: the greatest edge has the smallest key. */
  #weight = new Uint32Array(0)
  #tie = new Uint32Array(0)
  #hashes = new Uint32Array(0)
  #lows = new Uint32Array(0)
  #places = new Uint32Array(0)
  #sorted = new Uint32Array(0)
  readonly #packed = new Float64Array(PACKED_LENGTH)

  /** @param degrees where ties go by degree, else empty */
  constructor(order: EdgeOrder, degrees: Uint32Array) {
    this.#order = order
    this.#degrees = degrees
    this.#hash = new EdgeHash(order.seed)
    this.#leastWeight = leastKey(order)
  }

  /**
   * The greatest edge first; NO_ENTRY at the end. Valid until the next call. @param targets neighbours ascending, at
   * [start, start + count) @param weightBits f32 weights as words, of a column
   */
  sort(u: number, targets: Uint32Array, weightBits: Uint32Array, start: number, count: number): Uint32Array {
    this.#reserve(count)
    this.#keys(u, targets, weightBits, start, count)
    const places = count <= PACKED_LENGTH && this.#sortPacked(count) ? this.#places : this.#sortDigits(count)
    const last = start + count - 1
    const sorted = this.#sorted
    for (let i = 0; i < count; i++) sorted[i] = targets[last - places[i]!]!
    if (this.#leastWeight > 0) this.#leaveOut(places, count)
    return sorted
  }

  /** Makes keys from the largest neighbour on: a stable sort then prefers the larger id. */
  #keys(u: number, targets: Uint32Array, weightBits: Uint32Array, start: number, count: number): void {
    const { weights, ties } = this.#order
    const last = start + count - 1
    const [weight, tie, hashes, lows] = [this.#weight, this.#tie, this.#hashes, this.#lows]
    const hashed = ties === 'degree' ? hashes : tie
    // Reversed below: read in the order of hashing.
    if (weights === 'random3' || ties !== 'id') this.#hash.ofList(u, targets, start, count, hashed, lows)
    if (weights === 'random3') for (let i = 0; i < count; i++) weight[i] = 1023 - modThousand(hashed[i]!, lows[i]!)
    if (weights === 'column') for (let i = 0; i < count; i++) weight[i] = ~ascendingBits(weightBits[start + i]!)
    if (ties !== 'id') for (let i = 0; i < count; i++) hashed[i] = ~hashed[i]!
    // Of u the same.
    if (ties === 'degree') for (let i = 0; i < count; i++) tie[i] = this.#degrees[targets[last - i]!]!
    if (weights !== 'unit') reverse(weight, count)
    if (ties === 'id') tie.fill(0, 0, count)
    else reverse(hashed, count)
  }

  /** Sorts by 42 bits of the keys, then the rest. false: too many are equal. */
  #sortPacked(count: number): boolean {
    const { weights, ties } = this.#order
    const [weight, tie, packed, places] = [this.#weight, this.#tie, this.#packed, this.#places]
    if (weights === 'column')
      for (let i = 0; i < count; i++) packed[i] = (weight[i]! * 1024 + (tie[i]! >>> 22)) * PLACES + i
    else if (weights === 'unit') for (let i = 0; i < count; i++) packed[i] = tie[i]! * PLACES + i
    else for (let i = 0; i < count; i++) packed[i] = (weight[i]! * 2 ** 32 + tie[i]!) * PLACES + i
    if (count <= INSERTION_LENGTH) insertionSort(packed, count)
    else packed.subarray(0, count).sort()
    // % of large doubles is slow.
    for (let i = 0; i < count; i++) places[i] = packed[i]! - Math.floor(packed[i]! / PLACES) * PLACES
    return (weights !== 'column' || ties === 'id') && ties !== 'degree' ? true : this.#sortEqual(count)
  }

  #sortEqual(count: number): boolean {
    const [packed, places] = [this.#packed, this.#places]
    for (let first = 0; first < count;) {
      const key = Math.floor(packed[first]! / PLACES)
      let last = first + 1
      while (last < count && Math.floor(packed[last]! / PLACES) === key) last++
      if (last - first > EQUAL_RUN) return false
      for (let i = first + 1; i < last; i++) {
        const place = places[i]!
        let at = i
        for (; at > first && this.#isBefore(place, places[at - 1]!); at--) places[at] = places[at - 1]!
        places[at] = place
      }
      first = last
    }
    return true
  }

  #isBefore(a: number, b: number): boolean {
    if (this.#tie[a] !== this.#tie[b]) return this.#tie[a]! < this.#tie[b]!
    return this.#order.ties === 'degree' && this.#hashes[a]! < this.#hashes[b]!
  }

  #sortDigits(count: number): Uint32Array {
    const { weights, ties } = this.#order
    const radix = this.#radix
    radix.start(count)
    if (ties === 'degree') radix.sort(this.#hashes)
    if (ties !== 'id') radix.sort(this.#tie)
    if (weights !== 'unit') radix.sort(this.#weight)
    return radix.places
  }

  #leaveOut(places: Uint32Array, count: number): void {
    const { weights } = this.#order
    const flipped = weights === 'column' ? 0xffffffff : 1023
    for (let i = count - 1; i >= 0; i--) {
      if (weights !== 'unit' && flipped - this.#weight[places[i]!]! >= this.#leastWeight) return
      this.#sorted[i] = NO_ENTRY
    }
  }

  #reserve(count: number): void {
    if (count <= this.#sorted.length) return
    const room = Math.ceil(1.5 * count)
    const words = (): Uint32Array<ArrayBuffer> => new Uint32Array(room)
    this.#weight = words()
    this.#tie = words()
    this.#hashes = words()
    this.#lows = words()
    this.#places = new Uint32Array(Math.min(room, PACKED_LENGTH))
    this.#sorted = words()
  }
}

function insertionSort(numbers: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const number = numbers[i]!
    let at = i
    for (; at > 0 && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!
    numbers[at] = number
  }
}

function reverse(words: Uint32Array, count: number): void {
  for (let i = 0, j = count - 1; i < j; i++, j--) {
    const word = words[i]!
    words[i] = words[j]!
    words[j] = word
  }
}

import { EdgeHash, modThousand } from '../../kernels/parts/edge-hash.ts'
import { ascendingBits } from '../../kernels/parts/edge-order.ts'
import { type EdgeOrder, leastKey } from './edge-order.ts'

const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS

/** Stably: a call for each word of a key, the least significant first. 8 bytes for each place. */
class RadixSorter {
  #from = new Uint32Array(0)
  #into = new Uint32Array(0)
  #count = 0
  readonly #starts = new Uint32Array(DIGITS)

  start(count: number): void {
    if (count > this.#from.length) {
      const room = this.#from.length === 0 ? count : Math.ceil(1.5 * count)
      this.#from = new Uint32Array(room)
      this.#into = new Uint32Array(room)
    }
    this.#count = count
    for (let i = 0; i < count; i++) this.#from[i] = i
  }

  sort(words: Uint32Array): void {
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) this.#sortDigit(words, shift)
  }

  /** Valid until the next call. */
  get places(): Uint32Array {
    return this.#from
  }

  #sortDigit(words: Uint32Array, shift: number): void {
    const [from, into, starts, count] = [this.#from, this.#into, this.#starts.fill(0), this.#count]
    for (let i = 0; i < count; i++) starts[(words[i]! >>> shift) & (DIGITS - 1)]!++
    if (count === 0 || starts[(words[0]! >>> shift) & (DIGITS - 1)] === count) return
    let sum = 0
    for (let digit = 0; digit < DIGITS; digit++) {
      const size = starts[digit]!
      starts[digit] = sum
      sum += size
    }
    for (let i = 0; i < count; i++) {
      const place = from[i]!
      into[starts[(words[place]! >>> shift) & (DIGITS - 1)]!++] = place
    }
    this.#from = into
    this.#into = from
  }
}

/** Indices by ascending key. @param keys words, the least significant first */
export function radixOrder(keys: readonly Uint32Array[]): Uint32Array {
  const sorter = new RadixSorter()
  sorter.start(keys[0]?.length ?? 0)
  for (const words of keys) sorter.sort(words)
  return sorter.places
}

/** Of a neighbour that the order leaves out. */
const NO_ENTRY = 0xffffffff
/** The engine's own sort takes longer to begin. */
const INSERTION_LENGTH = 64
const PACKED_LENGTH = 384
/** A double holds 42 bits of a key and a place below this. */
const PLACES = 2 ** 11
const EQUAL_RUN = 24

/**
 * By descending edge order. A key has three words: weight, tie, hash. Short lists are sorted as doubles, of the first
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

  /** From the largest neighbour: a stable sort then prefers the larger id. */
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

  /** By 42 bits of the keys, then the rest. false where too many are equal. */
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

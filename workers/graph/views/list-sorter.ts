import { NO_ENTRY } from '../oriented-view.ts'
import type { EdgeOrder } from './edge-order.ts'
import { EdgeHash, leastThousandths } from './edge-order.ts'

/** Runs this long are sorted by insertion before they are merged. */
const RUN = 12
/** A double holds 32 bits of a key and a place below this exactly. */
const PLACES = 2 ** 21

/** Sorts the neighbours of one vertex after another by descending edge order. It keeps 36 bytes for each arc of the longest list. */
export class ListSorter {
  readonly #order: EdgeOrder
  readonly #degrees: Uint32Array
  readonly #hash: EdgeHash
  /** Arcs whose weight's key is smaller are left out. */
  readonly #leastWeight: number
  /** Keys of the list's arcs from the last to the first, the most significant key first. */
  #weight = new Uint32Array(0)
  #tie = new Uint32Array(0)
  #hashes = new Uint32Array(0)
  /** The first 32 bits of the whole key that tell most arcs of a list apart. */
  #prefix = new Uint32Array(0)
  #packed = new Float64Array(0)
  #places: [Uint32Array, Uint32Array] = [new Uint32Array(0), new Uint32Array(0)]
  #sorted = new Uint32Array(0)

  /** @param degrees of all vertices where ties go by degree, else empty */
  constructor(order: EdgeOrder, degrees: Uint32Array) {
    this.#order = order
    this.#degrees = degrees
    this.#hash = new EdgeHash(order.seed)
    this.#leastWeight = leastKey(order)
  }

  /**
   * The neighbours of u, the one over the greatest edge first; NO_ENTRY in place of those that the order leaves out, at the end. The
   * result is valid until the next call.
   * @param targets neighbours ascending, at [start, start + count)
   * @param weightBits f32 weights as words beside the targets, where the order asks for a column
   */
  sort(u: number, targets: Uint32Array, weightBits: Uint32Array, start: number, count: number): Uint32Array {
    this.#reserve(count)
    // From the largest neighbour down: what is stable then prefers the larger id.
    for (let i = 0; i < count; i++) this.#key(i, u, targets[start + count - 1 - i]!, weightBits, start + count - 1 - i)
    const places = this.#sortPlaces(count)
    for (let i = 0; i < count; i++) {
      const isLeftOut = this.#weight[places[i]!]! < this.#leastWeight
      this.#sorted[i] = isLeftOut ? NO_ENTRY : targets[start + count - 1 - places[i]!]!
    }
    return this.#sorted
  }

  #key(i: number, u: number, v: number, weightBits: Uint32Array, arc: number): void {
    const { weights, ties } = this.#order
    if (weights === 'random3' || ties !== 'id') this.#hash.of(u, v)
    this.#weight[i] =
      weights === 'column' ? ascendingBits(weightBits[arc]!) : weights === 'random3' ? this.#hash.modThousand() : 0
    // The degree of u counts for all of the list alike.
    this.#tie[i] = ties === 'hash' ? this.#hash.high : ties === 'degree' ? ~this.#degrees[v]! : 0
    this.#hashes[i] = ties === 'degree' ? this.#hash.high : 0
    this.#prefix[i] =
      weights === 'column'
        ? this.#weight[i]!
        : weights === 'unit'
          ? this.#tie[i]!
          : (this.#weight[i]! << 22) | (this.#tie[i]! >>> 10)
  }

  /** The places of the list's arcs in order: sorted by prefix as plain numbers, which is fast, then by the whole key where that ties. */
  #sortPlaces(count: number): Uint32Array {
    const places = this.#places[0]
    for (let i = 0; i < count; i++) places[i] = i
    const { weights, ties } = this.#order
    // From the larger neighbour down is how the places stand already.
    if (weights === 'unit' && ties === 'id') return places
    if (count <= RUN || count > PLACES) {
      this.#mergeSort(0, count)
      return places
    }
    const packed = this.#packed.subarray(0, count)
    for (let i = 0; i < count; i++) packed[i] = (0xffffffff - this.#prefix[i]!) * PLACES + i
    packed.sort()
    // Not by %: the remainder of doubles this large is slow.
    for (let i = 0; i < count; i++) places[i] = packed[i]! - Math.floor(packed[i]! / PLACES) * PLACES
    for (let first = 0; first < count;) {
      const prefix = this.#prefix[places[first]!]!
      let last = first + 1
      while (last < count && this.#prefix[places[last]!] === prefix) last++
      if (last - first > 1) this.#mergeSort(first, last)
      first = last
    }
    return places
  }

  /** Whether a stands strictly before b. */
  #isBefore(a: number, b: number): boolean {
    if (this.#weight[a] !== this.#weight[b]) return this.#weight[a]! > this.#weight[b]!
    if (this.#tie[a] !== this.#tie[b]) return this.#tie[a]! > this.#tie[b]!
    return this.#hashes[a]! > this.#hashes[b]!
  }

  /** Sorts places[start, end), which ascend among equals, in place and stably. */
  #mergeSort(start: number, end: number): void {
    let [from, into] = this.#places
    for (let first = start; first < end; first += RUN) this.#insertionSort(from, first, Math.min(end, first + RUN))
    for (let width = RUN; width < end - start; width *= 2) {
      for (let first = start; first < end; first += 2 * width)
        this.#merge(from, into, first, Math.min(end, first + width), Math.min(end, first + 2 * width))
      ;[from, into] = [into, from]
    }
    if (from !== this.#places[0]) this.#places[0].set(from.subarray(start, end), start)
  }

  #insertionSort(places: Uint32Array, first: number, last: number): void {
    for (let i = first + 1; i < last; i++) {
      const place = places[i]!
      let at = i
      for (; at > first && this.#isBefore(place, places[at - 1]!); at--) places[at] = places[at - 1]!
      places[at] = place
    }
  }

  #merge(from: Uint32Array, into: Uint32Array, first: number, middle: number, last: number): void {
    let i = first
    let j = middle
    for (let at = first; at < last; at++) {
      const takesRight = i === middle || (j < last && this.#isBefore(from[j]!, from[i]!))
      into[at] = takesRight ? from[j++]! : from[i++]!
    }
  }

  #reserve(count: number): void {
    if (count <= this.#sorted.length) return
    const room = Math.ceil(1.5 * count)
    const words = (): Uint32Array<ArrayBuffer> => new Uint32Array(room)
    this.#weight = words()
    this.#tie = words()
    this.#hashes = words()
    this.#prefix = words()
    this.#packed = new Float64Array(Math.min(room, PLACES))
    this.#places = [words(), words()]
    this.#sorted = words()
  }
}

/** The smallest key of a weight that reaches the threshold of an order. */
function leastKey(order: EdgeOrder): number {
  const { weights, threshold } = order
  if (threshold === undefined) return 0
  if (weights === 'random3') return leastThousandths(order) - 1
  if (weights === 'unit') return threshold > 1 ? 1 : 0
  const near = Math.fround(threshold)
  const key = ascendingBits(new Uint32Array(Float32Array.of(near).buffer)[0]!)
  return near < threshold ? key + 1 : key
}

/** The bits of an f32 so that larger numbers have larger words: all bits of negative ones flipped, the sign bit of the others. */
function ascendingBits(bits: number): number {
  return (bits >>> 31 === 1 ? ~bits : bits | 0x80000000) >>> 0
}

import { WordList } from '../../base/words.ts'
import { countOneBits } from '../../../kernels/parts/count-bits.ts'
import { Xorshift } from '../../generate/random.ts'

/** Bits of a word that tell of vertices. */
export const SLOTS = 31
/** Ways that are kept at one time, and bits of a place in a table that has room for twice as many after a decision. */
const MOST_WAYS = 128
const TABLE_BITS = 9
const EMPTY = 0xffffffff
/** How much a member less counts against a way, and a member among the vertices that still have undecided neighbours. */
const LOST_WEIGHT = 3
const OPEN_WEIGHT = 2

/** A vertex that is decided, in bits. */
export interface Decision {
  /** Its own; 0: it has no neighbour that is decided later. */
  readonly own: number
  /** Of its neighbours that were decided before. */
  readonly around: number
  /** Of those that have no undecided neighbour afterwards. */
  readonly released: number
}

/** Ways to decide vertices: which of those with undecided neighbours are members, and how many members there are in all. */
interface Ways {
  count: number
  readonly masks: Uint32Array
  readonly sizes: Uint16Array
}

const roomForWays = (): Ways => ({
  count: 0,
  masks: new Uint32Array(2 * MOST_WAYS),
  sizes: new Uint16Array(2 * MOST_WAYS),
})

/**
 * Dynamic programming over vertices that are decided one after another. Of the ways with the same members among vertices with undecided neighbours,
 * one of the largest is kept; where they are too many, those go that have few members, and many among such vertices.
 */
export class RegionStates {
  /** Ways that were looked at since the beginning. */
  looked = 0
  #random = new Xorshift(0)
  #ways = roomForWays()
  #next = roomForWays()
  /** Of the next ways: twice the place of the one before, and 1 where the vertex joins. */
  readonly #from = new Uint32Array(2 * MOST_WAYS)
  /** Places of the next ways, by their members. */
  readonly #table = new Uint32Array(2 ** TABLE_BITS)
  /** Ways of each weight: all kept ones lose at most as many as the largest has slots. */
  readonly #counts = new Uint32Array((LOST_WEIGHT + OPEN_WEIGHT) * SLOTS + 1)
  /** Where all ways of all times came from, and where each time ends. */
  readonly #history = new WordList()
  readonly #ends: number[] = []

  begin(random: Xorshift): void {
    this.#random = random
    this.#ways.count = 1
    this.#ways.masks[0] = 0
    this.#ways.sizes[0] = 0
    this.#history.length = 0
    this.#ends.length = 0
    this.looked = 0
  }

  decide({ own, around, released }: Decision): void {
    const { count, masks, sizes } = this.#ways
    this.#next.count = 0
    this.#table.fill(EMPTY)
    for (let i = 0; i < count; i++) {
      const mask = masks[i]!
      this.#put(mask & ~released, sizes[i]!, 2 * i)
      if ((mask & around) === 0) this.#put((mask | own) & ~released, sizes[i]! + 1, 2 * i + 1)
    }
    this.looked += count
    this.#keep()
  }

  /** @param joined set to 1 for each vertex, as they were decided, that is a member. @returns how many are */
  finish(joined: Uint8Array): number {
    let at = 0
    for (let i = this.#ends.length - 1; i >= 0; i--) {
      const word = this.#history.values[(i === 0 ? 0 : this.#ends[i - 1]!) + at]!
      joined[i] = word & 1
      at = word >>> 1
    }
    return this.#ways.sizes[0]!
  }

  /** Of two that are as large, one by chance. */
  #put(mask: number, size: number, from: number): void {
    const table = this.#table
    const { masks, sizes } = this.#next
    let slot = Math.imul(mask, 0x9e3779b9) >>> (32 - TABLE_BITS)
    let at = table[slot]!
    while (at !== EMPTY && masks[at] !== mask) {
      slot = (slot + 1) & (table.length - 1)
      at = table[slot]!
    }
    if (at === EMPTY) {
      at = this.#next.count++
      table[slot] = at
      masks[at] = mask
    } else if (size < sizes[at]! || (size === sizes[at] && this.#random.draw(2) === 0)) return
    sizes[at] = size
    this.#from[at] = from
  }

  /** The next ways are those now, but for ways that cannot lead to more than the largest one without the members that they lack. */
  #keep(): void {
    const next = this.#next
    const { masks, sizes } = next
    const largest = largestOf(next)
    const [mask, size] = [masks[largest]!, sizes[largest]!]
    const isKept = (i: number) => size - sizes[i]! <= countOneBits(mask & ~masks[i]!)
    this.#filter(isKept)
    if (next.count > MOST_WAYS) this.#trim(size)
    for (let i = 0; i < next.count; i++) this.#history.push(this.#from[i]!)
    this.#ends.push(this.#history.length)
    this.#next = this.#ways
    this.#ways = next
  }

  /** As many as are kept, by weight, then by place. */
  #trim(size: number): void {
    const { count, masks, sizes } = this.#next
    const weight = (i: number) => LOST_WEIGHT * (size - sizes[i]!) + OPEN_WEIGHT * countOneBits(masks[i]!)
    const counts = this.#counts.fill(0)
    for (let i = 0; i < count; i++) counts[weight(i)]!++
    let last = 0
    let left = MOST_WAYS
    while (counts[last]! <= left) left -= counts[last++]!
    this.#filter((i) => weight(i) < last || (weight(i) === last && left-- > 0))
  }

  #filter(isKept: (i: number) => boolean): void {
    const { count, masks, sizes } = this.#next
    let kept = 0
    for (let i = 0; i < count; i++) {
      if (!isKept(i)) continue
      masks[kept] = masks[i]!
      sizes[kept] = sizes[i]!
      this.#from[kept++] = this.#from[i]!
    }
    this.#next.count = kept
  }
}

/** The place of the largest way; among equals of one with the fewest members that matter. */
function largestOf({ count, masks, sizes }: Ways): number {
  let largest = 0
  for (let i = 1; i < count; i++)
    if (
      sizes[i]! > sizes[largest]! ||
      (sizes[i] === sizes[largest] && countOneBits(masks[i]!) < countOneBits(masks[largest]!))
    )
      largest = i
  return largest
}

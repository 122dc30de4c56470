/** Labels of a part of {@link OccurringIds.labels}, but for those of its last word. */
const PART_LABELS = 1 << 16

/** Which ids below a limit occur, and their ranks. */
export class OccurringIds {
  /** For 32 ids each, two words: a bit for each that occurs, and how many smaller ones do. */
  readonly pairs: Int32Array
  readonly count: number
  /** The smallest and the largest; 0 where there is none. */
  readonly first: number
  readonly last: number

  /** @param pairs with bits; counts are filled in */
  constructor(pairs: Int32Array) {
    this.pairs = pairs
    let count = 0
    let [first, last] = [-1, 0]
    for (let at = 0; at < pairs.length; at += 2) {
      const bits = pairs[at]!
      pairs[at + 1] = count
      if (bits === 0) continue
      count += bitsSet(bits)
      if (first < 0) first = 16 * at + lowestBit(bits)
      last = 16 * at + 31 - Math.clz32(bits)
    }
    this.count = count
    this.first = Math.max(0, first)
    this.last = last
  }

  /** How many smaller ones there are. */
  before(id: number): number {
    return 2 * (id >>> 5) < this.pairs.length ? rankOf(this.pairs, id) : this.count
  }

  /** Ascending, in parts that are good until the next. */
  *labels(): Generator<BigUint64Array> {
    const part = new BigUint64Array(PART_LABELS + 32)
    const halves = new Uint32Array(part.buffer)
    let count = 0
    for (let at = 0; at < this.pairs.length; at += 2) {
      for (let bits = this.pairs[at]!; bits !== 0; bits &= bits - 1) halves[2 * count++] = 16 * at + lowestBit(bits)
      if (count < PART_LABELS) continue
      yield part.subarray(0, count)
      count = 0
    }
    yield part.subarray(0, count)
  }
}

/** Of an id that occurs. @param pairs of {@link OccurringIds} */
export function rankOf(pairs: Int32Array, id: number): number {
  const at = 2 * (id >>> 5)
  return (pairs[at + 1]! + bitsSet(pairs[at]! & ((1 << (id & 31)) - 1))) >>> 0
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

function bitsSet(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

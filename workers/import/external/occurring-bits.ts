/**
 * Which of the labels 0 to 32 * words - 1 occur, one bit each, and how many occur before each word: the rank of a label among all
 * that occur takes two reads.
 */
export class OccurringBits {
  readonly #words: Int32Array
  readonly #before: Uint32Array
  /** Labels that occur. */
  readonly count: number

  /** @param before from an earlier call, where the ranks were computed already (they may be shared between threads) */
  constructor(words: Int32Array, before?: Uint32Array) {
    this.#words = words
    this.#before = before ?? ranksOf(words)
    this.count = this.#before[words.length]!
  }

  get words(): Int32Array {
    return this.#words
  }

  /** u32 [words + 1]: labels before each word; last: all of them. */
  get before(): Uint32Array {
    return this.#before
  }

  /** The rank of a label that occurs. */
  rank(label: number): number {
    return this.#before[label >>> 5]! + bitsSet(this.#words[label >>> 5]! & ((1 << (label & 31)) - 1))
  }

  /** The smallest label; only where there is one. */
  first(): number {
    const word = this.#words.findIndex((bits) => bits !== 0)
    return 32 * word + lowestBit(this.#words[word]!)
  }

  /** The largest label; only where there is one. */
  last(): number {
    const word = this.#words.findLastIndex((bits) => bits !== 0)
    return 32 * word + 31 - Math.clz32(this.#words[word]!)
  }

  /** Writes the labels of the words [first, last) into `into`, as low and high halves, ascending; returns how many there are. */
  labels(first: number, last: number, into: Uint32Array): number {
    let count = 0
    for (let w = first; w < last; w++)
      for (let bits = this.#words[w]!; bits !== 0; bits &= bits - 1) {
        into[2 * count] = 32 * w + lowestBit(bits)
        into[2 * count++ + 1] = 0
      }
    return count
  }
}

function ranksOf(words: Int32Array): Uint32Array {
  const before = new Uint32Array(new SharedArrayBuffer(4 * (words.length + 1)))
  let count = 0
  for (let w = 0; w < words.length; w++) {
    before[w] = count
    count += bitsSet(words[w]!)
  }
  before[words.length] = count
  return before
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

export function bitsSet(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

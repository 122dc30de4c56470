/** What a word adds to the state of its item for each word before it. */
export const HASH_STEP = 0x9e3779b9

/** Random words by position, the same in any thread. Two rounds of a 32-bit finaliser ("lowbias32") over a 64-bit item key. */
export class CounterHash {
  readonly #seedLow: number
  readonly #seedHigh: number
  #a = 0
  #b = 0

  constructor(seed: number) {
    this.#seedLow = mix((seed >>> 0) ^ 0x9e3779b9)
    this.#seedHigh = mix(Math.floor(seed / 2 ** 32) ^ this.#seedLow ^ 0x7f4a7c15)
  }

  get seeds(): readonly [low: number, high: number] {
    return [this.#seedLow, this.#seedHigh]
  }

  /** Goes to an item, up to 2^53. */
  item(index: number): void {
    const low = index | 0
    const high = Math.floor(index / 2 ** 32)
    this.#a = mix(mix(low ^ this.#seedLow) + high)
    this.#b = mix(mix(high ^ this.#seedHigh) + Math.imul(low, 0x9e3779b1))
  }

  word(k: number): number {
    return mix(mix(this.#a + Math.imul(k + 1, HASH_STEP)) ^ this.#b) >>> 0
  }

  /** A number below a limit, from words k and k + 1; the bias is below limit * 2^-53. */
  below(limit: number, k: number): number {
    return Math.floor(((this.word(k) >>> 5) * 2 ** 26 + (this.word(k + 1) >>> 6)) * 2 ** -53 * limit)
  }
}

function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return x ^ (x >>> 15)
}

/**
 * A pseudo-random permutation of 0 to n - 1, n below 2^32, without memory: a Feistel network of four rounds on the next power
 * of
 * four, repeated until the result is below n (Black and Rogaway 2002).
 */
export class Permutation {
  readonly n: number
  /** Bits of half a number. */
  readonly half: number
  readonly keys: readonly [number, number, number, number]
  readonly #mask: number

  constructor(n: number, seed: number) {
    this.n = n
    this.half = Math.max(1, Math.ceil(Math.log2(Math.max(2, n)) / 2))
    this.#mask = 2 ** this.half - 1
    const low = mix(seed >>> 0)
    const high = mix(Math.floor(seed / 2 ** 32) ^ 0x7f4a7c15)
    const keyOf = (round: number): number => mix(low ^ mix(high + round))
    this.keys = [keyOf(1), keyOf(2), keyOf(3), keyOf(4)]
  }

  at(x: number): number {
    let y = x
    do y = this.#encrypt(y)
    while (y >= this.n)
    return y
  }

  #encrypt(x: number): number {
    let left = x >>> this.half
    let right = x & this.#mask
    for (const key of this.keys) {
      const next = (left ^ mix(right ^ key)) & this.#mask
      left = right
      right = next
    }
    return ((left << this.half) | right) >>> 0
  }
}

/** Draws of a search, xorshift32 (Marsaglia 2003): the same seed gives the same ones. */
export class Xorshift {
  #state = 0

  constructor(seed: number) {
    // It stays at 0.
    this.#state = (Math.imul(seed, 0x9e3779b9) ^ 0x5bd1e995) | 0 || 1
  }

  /** 0 to below - 1. */
  draw(below: number): number {
    let x = this.#state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x
    return (x >>> 0) % below
  }
}

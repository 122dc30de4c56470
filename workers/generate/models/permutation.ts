/**
 * A pseudo-random permutation of 0 to n - 1 that needs no memory: a Feistel network of four rounds on the next power of four, walked
 * until it comes back below n (Black and Rogaway 2002). n below 2^32.
 */
export class Permutation {
  readonly #n: number
  readonly #half: number
  readonly #mask: number
  readonly #keys: readonly number[]

  constructor(n: number, seed: number) {
    this.#n = n
    this.#half = Math.max(1, Math.ceil(Math.log2(Math.max(2, n)) / 2))
    this.#mask = 2 ** this.#half - 1
    const low = mix(seed >>> 0)
    const high = mix(Math.floor(seed / 2 ** 32) ^ 0x7f4a7c15)
    this.#keys = [1, 2, 3, 4].map((round) => mix(low ^ mix(high + round)))
  }

  /** Where `x` goes; another place for every x below n. */
  at(x: number): number {
    let y = x
    do y = this.#encrypt(y)
    while (y >= this.#n)
    return y
  }

  #encrypt(x: number): number {
    let left = x >>> this.#half
    let right = x & this.#mask
    for (const key of this.#keys) {
      const next = (left ^ mix(right ^ key)) & this.#mask
      left = right
      right = next
    }
    return ((left << this.#half) | right) >>> 0
  }
}

function mix(word: number): number {
  let x = word
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return x ^ (x >>> 15)
}

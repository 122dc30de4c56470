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

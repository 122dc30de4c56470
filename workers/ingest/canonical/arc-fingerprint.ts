import { randomInt } from 'node:crypto'

/**
 * Tells whether every arc of a graph stands there in both directions, in one pass and in memory that does not depend on the
 * graph. Arcs (u, v) with u < v add a 128-bit hash of the edge and its weight, arcs with u > v take it away again; as addition
 * knows no order, the sum is 0 when the two sides hold the same edges, and where they do not, it is 0 by chance only once in
 * about 2^128 (docs/decisions/0007-canonical-files-are-copied.md). Lists must hold no arc twice: that is for the caller to check.
 */
export class ArcFingerprint {
  /** Keys drawn anew for every file: nobody can make a file whose errors cancel out. */
  readonly #first: number
  readonly #second: number
  #a = 0
  #b = 0
  #c = 0
  #d = 0

  constructor(first = randomInt(2 ** 32), second = randomInt(2 ** 32)) {
    this.#first = first | 0
    this.#second = second | 0
  }

  /**
   * Takes the arcs [from, to) of `targets`, which belong to the vertex `u`; `weightBits` are their weights as words.
   * @returns false when the list does not ascend, holds `u` itself, or a vertex past `vertices`
   */
  take(
    u: number,
    targets: Uint32Array,
    from: number,
    to: number,
    weightBits: Uint32Array | null,
    before: number,
    vertices: number,
  ): boolean {
    const [first, second] = [this.#first, this.#second]
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d]
    let last = before
    for (let i = from; i < to; i++) {
      const v = targets[i]!
      if (v <= last || v >= vertices || v === u) return false
      last = v
      const low = u < v ? u : v
      const high = u < v ? v : u
      const word = weightBits === null ? 0 : weightBits[i]!
      let x = Math.imul(low ^ first, 0x85ebca6b)
      x = Math.imul((x ^ (x >>> 15)) + high, 0xc2b2ae35)
      x = Math.imul((x ^ (x >>> 13)) + word, 0x27d4eb2f)
      x ^= x >>> 16
      let y = Math.imul(high ^ second, 0x9e3779b1)
      y = Math.imul((y ^ (y >>> 16)) + low, 0x85ebca77)
      y = Math.imul((y ^ (y >>> 13)) + word, 0xc2b2ae3d)
      y ^= y >>> 15
      const z = Math.imul(x ^ (y >>> 7), 0x165667b1)
      const w = Math.imul(y + (x << 9), 0x2c1b3c6d)
      if (u < v) {
        a = (a + x) | 0
        b = (b + y) | 0
        c = (c + (z ^ (z >>> 14))) | 0
        d = (d + (w ^ (w >>> 12))) | 0
      } else {
        a = (a - x) | 0
        b = (b - y) | 0
        c = (c - (z ^ (z >>> 14))) | 0
        d = (d - (w ^ (w >>> 12))) | 0
      }
    }
    this.#a = a
    this.#b = b
    this.#c = c
    this.#d = d
    return true
  }

  /** Whether both directions hold the same edges, once all arcs were taken. */
  get isSymmetric(): boolean {
    return (this.#a | this.#b | this.#c | this.#d) === 0
  }
}

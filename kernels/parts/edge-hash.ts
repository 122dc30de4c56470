/**
 * splitmix64 (Steele, Lea, Flood 2014), increment first, of lo * 0x9E3779B97F4A7C15 + hi + seed for an edge (lo, hi), lo < hi; in 32-bit halves,
 * which engines keep in registers.
 */
export class EdgeHash {
  readonly #seedLow: number
  readonly #seedHigh: number
  readonly #one = new Uint32Array(1)
  readonly #high = new Uint32Array(1)
  readonly #low = new Uint32Array(1)

  constructor(seed: number) {
    this.#seedLow = seed | 0
    this.#seedHigh = Math.floor(seed / 2 ** 32) | 0
  }

  get high(): number {
    return this.#high[0]!
  }

  get low(): number {
    return this.#low[0]!
  }

  /** Hashes an edge, its ends in either order. */
  of(u: number, v: number): void {
    this.#one[0] = v
    this.ofList(u, this.#one, 0, 1, this.#high, this.#low)
  }

  /** Hashes of the edges from u to targets[start, start + count), from 0 on. */
  ofList(u: number, targets: Uint32Array, start: number, count: number, highs: Uint32Array, lows: Uint32Array): void {
    const [seedLow, seedHigh] = [this.#seedLow, this.#seedHigh]
    // With G the golden increment: (lo + 1) * G + hi + seed; the product is common to all edges where u is lower.
    const own = (u + 1) | 0
    const ownHigh = goldenHigh(own)
    const ownLow = Math.imul(own, GOLDEN_LOW)
    for (let i = 0; i < count; i++) {
      const v = targets[start + i]!
      const isLow = u < v
      const hi = (isLow ? v : u) | 0
      let high = ((isLow ? ownHigh : goldenHigh((v + 1) | 0)) + seedHigh) | 0
      let low = isLow ? ownLow : Math.imul((v + 1) | 0, GOLDEN_LOW)
      let sum = (low + hi) | 0
      high = (high + (sum >>> 0 < hi >>> 0 ? 1 : 0)) | 0
      low = (sum + seedLow) | 0
      high = (high + (low >>> 0 < sum >>> 0 ? 1 : 0)) | 0
      // x ^= x >> 30; x *= 0xBF58476D1CE4E5B9
      low ^= (low >>> 30) | (high << 2)
      high ^= high >>> 30
      sum = Math.imul(high, 0x1ce4e5b9)
      high = (upperProduct(low, 0x476d, 0xbf58, 0xe5b9, 0x1ce4) + sum) | 0
      low = Math.imul(low, 0x1ce4e5b9)
      // x ^= x >> 27; x *= 0x94D049BB133111EB
      low ^= (low >>> 27) | (high << 5)
      high ^= high >>> 27
      sum = Math.imul(high, 0x133111eb)
      high = (upperProduct(low, 0x49bb, 0x94d0, 0x11eb, 0x1331) + sum) | 0
      low = Math.imul(low, 0x133111eb)
      // x ^= x >> 31
      lows[i] = low ^ ((low >>> 31) | (high << 1))
      highs[i] = high ^ (high >>> 31)
    }
  }

  modThousand(): number {
    return modThousand(this.high, this.low)
  }
}

/** The upper half of the product with the golden increment. */
const goldenHigh = (a: number): number => upperProduct(a, 0x79b9, 0x9e37, 0x7c15, 0x7f4a)
const GOLDEN_LOW = 0x7f4a7c15

/** 2^32 mod 1000 is 296. */
export function modThousand(high: number, low: number): number {
  return (((high >>> 0) % 1000) * 296 + ((low >>> 0) % 1000)) % 1000
}

/** The upper half of the product of a 32-bit number and a 64-bit one, given in quarters, modulo 2^64. */
function upperProduct(a: number, upper0: number, upper1: number, lower0: number, lower1: number): number {
  const a0 = a & 0xffff
  const a1 = a >>> 16
  const middle = (Math.imul(a1, lower0) + (Math.imul(a0, lower0) >>> 16)) | 0
  const rest = (Math.imul(a0, lower1) + (middle & 0xffff)) | 0
  const carried = (Math.imul(a1, lower1) + (middle >>> 16) + (rest >>> 16)) | 0
  return (carried + Math.imul(a, (upper1 << 16) | upper0)) | 0
}

import type { EdgeTies, EdgeWeights } from '../../jobs.ts'

/**
 * A total order on the edges of a graph, the same at both ends of each edge, so that a locally dominant matching is defined by it
 * alone. The greater edge comes first:
 *
 * 1. the larger weight: `column` the stored f32, `unit` all alike, `random3` (1 + s mod 1000) / 1000, where
 *    s = splitmix64(lo * 0x9E3779B97F4A7C15 + hi + seed), lo < hi the internal ids, in 64-bit arithmetic;
 * 2. then the tie rule: `hash` the larger upper half of s; `degree` the smaller sum of the two degrees, then that hash; `id` nothing;
 * 3. then the larger hi, then the larger lo: seen from one end, the larger neighbour (the rule of the LD-GPU program, SC 2024).
 */
export interface EdgeOrder {
  readonly weights: EdgeWeights
  readonly ties: EdgeTies
  /** 0 to 2^53 - 1 */
  readonly seed: number
  /** Edges that weigh less are left out. Absent: none are. */
  readonly threshold?: number | undefined
}

/** What an order depends on besides the graph; part of a view's name. */
export function edgeOrderName({ weights, ties, seed, threshold }: EdgeOrder): string {
  const name = weights === 'random3' || ties !== 'id' ? `${weights}-${ties}-${seed}` : `${weights}-${ties}`
  return threshold === undefined ? name : `${name}-from-${threshold}`
}

/** The least weight in thousandths that reaches the threshold of an order with the weights `random3`. */
export function leastThousandths({ threshold = 0 }: Pick<EdgeOrder, 'threshold'>): number {
  let least = 1
  while (least <= 1000 && least / 1000 < threshold) least++
  return least
}

/** s of an edge in two halves of 32 bits: splitmix64 (Steele, Lea, Flood 2014), which adds its increment before it mixes. */
export class EdgeHash {
  readonly #seedLow: number
  readonly #seedHigh: number
  low = 0
  high = 0

  constructor(seed: number) {
    this.#seedLow = seed >>> 0
    this.#seedHigh = Math.floor(seed / 2 ** 32) >>> 0
  }

  /** Sets `low` and `high` for the edge of two vertices, in either order. */
  of(u: number, v: number): void {
    const [lo, hi] = u < v ? [u, v] : [v, u]
    // lo * G + hi + seed + G, where G is the golden increment: (lo + 1) * G + hi + seed.
    this.high = 0
    this.low = lo + 1
    this.#multiply(0x9e3779b9, 0x7f4a7c15)
    this.#add(0, hi)
    this.#add(this.#seedHigh, this.#seedLow)
    this.#shiftXor(30)
    this.#multiply(0xbf58476d, 0x1ce4e5b9)
    this.#shiftXor(27)
    this.#multiply(0x94d049bb, 0x133111eb)
    this.#shiftXor(31)
  }

  /** s mod 1000; 2^32 mod 1000 is 296. */
  modThousand(): number {
    return ((this.high % 1000) * 296 + (this.low % 1000)) % 1000
  }

  #add(high: number, low: number): void {
    const sum = this.low + low
    this.high = (this.high + high + (sum > 0xffffffff ? 1 : 0)) >>> 0
    this.low = sum >>> 0
  }

  /** x ^= x >> bits, for 0 < bits < 32. */
  #shiftXor(bits: number): void {
    this.low = (this.low ^ ((this.low >>> bits) | (this.high << (32 - bits)))) >>> 0
    this.high = (this.high ^ (this.high >>> bits)) >>> 0
  }

  #multiply(high: number, low: number): void {
    const carried = multiplyHigh(this.low, low)
    this.high = (carried + Math.imul(this.high, low) + Math.imul(this.low, high)) >>> 0
    this.low = Math.imul(this.low, low) >>> 0
  }
}

/** The upper 32 bits of a product of two 32-bit numbers. */
function multiplyHigh(a: number, b: number): number {
  const a0 = a & 0xffff
  const a1 = a >>> 16
  const b0 = b & 0xffff
  const b1 = b >>> 16
  const middle = a1 * b0 + ((a0 * b0) >>> 16)
  const rest = a0 * b1 + (middle & 0xffff)
  return a1 * b1 + Math.floor(middle / 65536) + Math.floor(rest / 65536)
}

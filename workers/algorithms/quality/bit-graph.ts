/** A graph of few vertices, from 0 on: a row of bits each, in which its own bit is set as well. */
export class BitGraph {
  vertices = 0
  /** Of a row. */
  words = 0
  readonly rows: Int32Array
  readonly #open: Int32Array
  readonly #dominated: Int32Array

  /** @param most vertices */
  constructor(most: number) {
    const words = Math.ceil(most / 32)
    this.rows = new Int32Array(most * words)
    this.#open = new Int32Array(words)
    this.#dominated = new Int32Array(words)
  }

  /** So many vertices without edges. */
  reset(vertices: number): void {
    this.vertices = vertices
    this.words = Math.ceil(vertices / 32)
    this.rows.fill(0, 0, vertices * this.words)
    for (let v = 0; v < vertices; v++) this.addArc(v, v)
  }

  addArc(u: number, v: number): void {
    this.rows[u * this.words + (v >>> 5)]! |= 1 << (v & 31)
  }

  isArc(u: number, v: number): boolean {
    return (this.rows[u * this.words + (v >>> 5)]! & (1 << (v & 31))) !== 0
  }

  /**
   * The vertices that some largest independent set is among: v leaves where every neighbour of a vertex u beside it, and u, is v or a neighbour
   * of v (Chang, Li, Zhang, SIGMOD 2017, section 2).
   */
  undominated(): number[] {
    const { vertices, words } = this
    const open = this.#open
    fillBits(open, vertices)
    for (let isChanged = true; isChanged;) {
      isChanged = false
      for (let u = 0; u < vertices; u++) {
        if (!hasBit(open, u) || !this.#dominate(u)) continue
        isChanged = true
        for (let w = 0; w < words; w++) open[w]! &= ~this.#dominated[w]!
      }
    }
    const kept: number[] = []
    for (let v = 0; v < vertices; v++) if (hasBit(open, v)) kept.push(v)
    return kept
  }

  /** Finds the open vertices that u dominates; false: there are none. */
  #dominate(u: number): boolean {
    const { words, rows } = this
    const open = this.#open
    const dominated = this.#dominated
    const own = u * words
    for (let w = 0; w < words; w++) dominated[w] = rows[own + w]! & open[w]!
    dominated[u >>> 5]! &= ~(1 << (u & 31))
    for (let w = 0; w < words; w++) {
      for (let bits = rows[own + w]! & open[w]!; bits !== 0; bits &= bits - 1) {
        const row = (32 * w + lowestBit(bits)) * words
        let any = 0
        for (let x = 0; x < words; x++) any |= dominated[x]! &= rows[row + x]!
        if (any === 0) return false
      }
    }
    return true
  }
}

/** Sets the first bits, and clears the rest of their last word. */
export function fillBits(bits: Int32Array, count: number): void {
  const whole = count >>> 5
  bits.fill(-1, 0, whole)
  if (count % 32 > 0) bits[whole] = 2 ** (count % 32) - 1
}

/** Of a word that is not 0. */
export const lowestBit = (word: number): number => 31 - Math.clz32(word & -word)

const hasBit = (bits: Int32Array, i: number): boolean => (bits[i >>> 5]! & (1 << (i & 31))) !== 0

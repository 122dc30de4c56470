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

/**
 * A largest independent set of a graph of few vertices, by branch and bound: a set has at most one vertex of each clique that covers the graph
 * (San Segundo and others: An exact bit-parallel algorithm for the maximum clique problem, Computers & Operations Research 38, 2011, on the
 * complement).
 */
export class BranchAndBound {
  #graph!: BitGraph
  readonly #vertices: number
  readonly #mostNodes: number
  /** By depth: vertices that may still be chosen, those to branch on, and how many cliques cover each with all before it. */
  readonly #open: Int32Array[] = []
  readonly #order: Int32Array[] = []
  readonly #cliques: Int32Array[] = []
  readonly #uncovered: Int32Array
  readonly #common: Int32Array
  readonly #chosen: number[] = []
  #found: number[] = []
  #best = 0
  #nodes = 0

  /** @param vertices of a graph at most @param mostNodes of the tree, after which the search ends */
  constructor(vertices: number, mostNodes: number) {
    this.#vertices = vertices
    this.#mostNodes = mostNodes
    const words = Math.ceil(vertices / 32)
    this.#uncovered = new Int32Array(words)
    this.#common = new Int32Array(words)
  }

  get nodes(): number {
    return this.#nodes
  }

  /** The largest set that was found of more than so many vertices; empty: there was none. */
  get found(): readonly number[] {
    return this.#found
  }

  /** @returns whether what was found is a largest set, or none is larger than `moreThan` */
  solve(graph: BitGraph, moreThan: number): boolean {
    this.#graph = graph
    this.#nodes = 0
    this.#found = []
    this.#chosen.length = 0
    this.#best = moreThan
    fillBits(this.#level(0), graph.vertices)
    return this.#expand(0)
  }

  #level(depth: number): Int32Array {
    if (depth === this.#open.length) {
      this.#open.push(new Int32Array(this.#uncovered.length))
      this.#order.push(new Int32Array(this.#vertices))
      this.#cliques.push(new Int32Array(this.#vertices))
    }
    return this.#open[depth]!
  }

  #expand(depth: number): boolean {
    if (++this.#nodes > this.#mostNodes) return false
    const { words, rows } = this.#graph
    const open = this.#open[depth]!
    const next = this.#level(depth + 1)
    const order = this.#order[depth]!
    const cliques = this.#cliques[depth]!
    for (let k = this.#cover(depth) - 1; k >= 0; k--) {
      if (depth + cliques[k]! <= this.#best) return true
      const v = order[k]!
      let any = 0
      for (let w = 0; w < words; w++) any |= next[w] = open[w]! & ~rows[v * words + w]!
      this.#chosen.push(v)
      if (any === 0) this.#note()
      else if (!this.#expand(depth + 1)) return false
      this.#chosen.pop()
      open[v >>> 5]! &= ~(1 << (v & 31))
    }
    return true
  }

  #note(): void {
    if (this.#chosen.length <= this.#best) return
    this.#best = this.#chosen.length
    this.#found = this.#chosen.slice()
  }

  /** Covers the open vertices by cliques, one after another; returns how many vertices lie in those past the ones that cannot lead to a larger set. */
  #cover(depth: number): number {
    const { words, rows } = this.#graph
    const order = this.#order[depth]!
    const cliques = this.#cliques[depth]!
    const uncovered = this.#uncovered
    const common = this.#common
    for (let w = 0; w < words; w++) uncovered[w] = this.#open[depth]![w]!
    let count = 0
    for (let [clique, first] = [1, 0]; ; clique++) {
      while (first < words && uncovered[first] === 0) first++
      if (first === words) return count
      for (let w = first; w < words; w++) common[w] = uncovered[w]!
      for (let w = first; w < words; w++) {
        while (common[w] !== 0) {
          const bit = lowestBit(common[w]!)
          const v = 32 * w + bit
          uncovered[w]! &= ~(1 << bit)
          common[w]! &= ~(1 << bit)
          for (let x = w; x < words; x++) common[x]! &= rows[v * words + x]!
          if (depth + clique <= this.#best) continue
          order[count] = v
          cliques[count++] = clique
        }
      }
    }
  }
}

/** Sets the first bits, and clears the rest of their last word. */
function fillBits(bits: Int32Array, count: number): void {
  const whole = count >>> 5
  bits.fill(-1, 0, whole)
  if (count % 32 > 0) bits[whole] = 2 ** (count % 32) - 1
}

/** Of a word that is not 0. */
const lowestBit = (word: number): number => 31 - Math.clz32(word & -word)

const hasBit = (bits: Int32Array, i: number): boolean => (bits[i >>> 5]! & (1 << (i & 31))) !== 0

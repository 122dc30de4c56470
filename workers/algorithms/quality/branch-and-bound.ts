import { type BitGraph, fillBits, lowestBit } from './bit-graph.ts'

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

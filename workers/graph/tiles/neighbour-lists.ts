import type { GaloisGr } from '../galois-gr.ts'

/** Arcs that are read ahead where lists are asked for one after another. */
const ARCS_AHEAD = 1 << 20

/**
 * The lists of a graph by vertex, in any order. All of it is kept in memory where that fits; else lists that follow one another
 * come from a window that is read ahead, and others from a read of their own.
 */
export class NeighbourLists {
  /** n + 1 places of the lists. */
  readonly offsets: Float64Array
  readonly vertices: number
  readonly #graph: GaloisGr
  #window = new Uint32Array(0)
  #first = 0
  #end = 0

  /** @param budgetBytes for the lists; the offsets (8 bytes a vertex) come on top */
  constructor(graph: GaloisGr, budgetBytes: number) {
    this.#graph = graph
    this.vertices = graph.vertices
    this.offsets = graph.readOffsets(0, graph.vertices)
    if (4 * graph.arcs <= budgetBytes) this.#read(0, graph.arcs)
  }

  degree(v: number): number {
    return this.offsets[v + 1]! - this.offsets[v]!
  }

  /** The neighbours of v, ascending; good until the next call. */
  of(v: number): Uint32Array {
    const start = this.offsets[v]!
    const end = this.offsets[v + 1]!
    if (start < this.#first || end > this.#end) {
      const follows = start === this.#end
      this.#read(start, follows ? Math.min(this.#graph.arcs, Math.max(end, start + ARCS_AHEAD)) : end)
    }
    return this.#window.subarray(start - this.#first, end - this.#first)
  }

  #read(first: number, end: number): void {
    if (end - first > this.#window.length) this.#window = new Uint32Array(end - first)
    this.#graph.readTargets(first, end, this.#window.subarray(0, end - first))
    this.#first = first
    this.#end = end
  }
}

import type { GaloisGr } from '../graph/galois-gr.ts'

/** A sample is read in so many pieces all over the list. */
const PIECES = 64

/** Neighbours of single vertices, however many they have. */
export class Adjacency {
  readonly #graph: GaloisGr
  readonly #bounds = new Map<number, readonly [number, number]>()

  constructor(graph: GaloisGr) {
    this.#graph = graph
  }

  get vertices(): number {
    return this.#graph.vertices
  }

  degree(v: number): number {
    const [start, end] = this.#of(v)
    return end - start
  }

  /** All neighbours ascending; where they are more than `most`, an even sample of about so many, ascending too. */
  neighbours(v: number, most: number): Uint32Array {
    const [start, end] = this.#of(v)
    const degree = end - start
    if (degree <= most) return this.#graph.readTargets(start, end)
    const length = Math.ceil(most / PIECES)
    const sample = new Uint32Array(PIECES * length)
    for (let i = 0; i < PIECES; i++) {
      const first = start + Math.floor((i * (degree - length)) / (PIECES - 1))
      this.#graph.readTargets(first, first + length, sample.subarray(i * length, (i + 1) * length))
    }
    // Pieces overlap where there is little to leave out.
    return Uint32Array.from(new Set(sample)).sort()
  }

  /** The position of the arc v -> u, or -1; looked up without reading the list. */
  arc(v: number, u: number): number {
    let [low, high] = this.#of(v)
    const end = high
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2)
      if (this.#graph.readTargets(middle, middle + 1)[0]! < u) low = middle + 1
      else high = middle
    }
    return low < end && this.#graph.readTargets(low, low + 1)[0] === u ? low : -1
  }

  /** The weight of an arc; null for graphs without. */
  weight(arc: number): number | null {
    return this.#graph.weighted ? this.#graph.readWeights(arc, arc + 1)[0]! : null
  }

  /** Where the list of v begins among all arcs. */
  start(v: number): number {
    return this.#of(v)[0]
  }

  #of(v: number): readonly [number, number] {
    const known = this.#bounds.get(v)
    if (known !== undefined) return known
    const offsets = this.#graph.readOffsets(v, v + 1)
    const bounds = [offsets[0]!, offsets[1]!] as const
    this.#bounds.set(v, bounds)
    return bounds
  }
}

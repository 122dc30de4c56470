import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import { type ArcChoice, cutRanges } from '../arc-store.ts'

/**
 * Workers as a grid over the adjacency matrix (EPJ B 2015, section 3.3): worker w is in row w mod rows and column floor(w / rows), owns block w of the
 * vertices, and holds the arcs from the vertices of its column to those of its row. One row is the 1-D partition: every list is whole.
 */
export class SearchGrid {
  readonly rows: number
  /** Worker w owns the vertices [bounds[w], bounds[w + 1]). */
  readonly bounds: readonly number[]

  /** @param rows that divide the workers */
  constructor(rows: number, bounds: readonly number[]) {
    this.rows = rows
    this.bounds = bounds
  }

  get workers(): number {
    return this.bounds.length - 1
  }

  get columns(): number {
    return this.workers / this.rows
  }

  get vertices(): number {
    return this.bounds.at(-1)!
  }

  blockOf(worker: number): Range {
    return { first: this.bounds[worker]!, end: this.bounds[worker + 1]! }
  }

  /** The vertices whose lists a worker holds, whole or in part. */
  columnOf(worker: number): Range {
    const top = worker - (worker % this.rows)
    return { first: this.bounds[top]!, end: this.bounds[top + this.rows]! }
  }

  /** The other workers of a worker's column, or of its row. */
  peers(worker: number, along: 'column' | 'row'): number[] {
    const place = (w: number): number => (along === 'row' ? w % this.rows : Math.floor(w / this.rows))
    const all = Array.from({ length: this.workers }, (_, w) => w)
    return all.filter((w) => w !== worker && place(w) === place(worker))
  }

  ownerOf(v: number): number {
    let [low, high] = [0, this.workers]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (this.bounds[middle]! <= v) low = middle
      else high = middle
    }
    return low
  }

  /** The arcs to vertices of a worker's row; undefined: all. */
  arcChoice(worker: number): ArcChoice | undefined {
    if (this.rows === 1) return undefined
    const row = worker % this.rows
    const { bounds } = this
    return (offsets, targets) => {
      const kept = new Uint32Array(offsets.length)
      let count = 0
      for (let i = 0; i + 1 < offsets.length; i++) {
        // Neighbours ascend, and so do their owners.
        let owner = 0
        for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
          const v = targets[at]!
          while (bounds[owner + 1]! <= v) owner++
          if (owner % this.rows === row) targets[count++] = v
        }
        kept[i + 1] = count
      }
      return { offsets: kept, targets: targets.subarray(0, count) }
    }
  }
}

/** Arcs of a mean list that a vertex costs as much as, from below. */
const LISTS_A_VERTEX = 2

/**
 * Cuts the vertices into blocks with about equal work: from the top down it goes by arcs, from below mostly by vertices, of whose lists little is
 * looked at.
 */
export function cutGrid(graph: GaloisGr, rows: number, workers: number, isTopDown: boolean): SearchGrid {
  const { vertices, arcs } = graph
  const perVertex = isTopDown || vertices === 0 ? 0 : (LISTS_A_VERTEX * arcs) / vertices
  return new SearchGrid(rows, cutRanges(graph, workers, perVertex))
}

import type { Adjacency } from './adjacency.ts'

/** Of lists that are read whole, and of single arcs that are looked up on the disk. */
const MAX_READ_ARCS = 1 << 26
const MAX_SEARCHES = 20_000

/** From here on a list is searched for each vertex that is wanted, rather than read from end to end. */
const LONG_LIST = 16

/** Finds arcs from a vertex to some others, in whichever way is cheaper, until it has read enough. */
export class ArcFinder {
  /** Vertices whose arcs were not looked for. */
  skipped = 0
  readonly #graph: Adjacency
  #readArcs = 0
  #searches = 0

  constructor(graph: Adjacency) {
    this.#graph = graph
  }

  /** Each neighbour of v that is wanted, with the position of its arc. */
  to(v: number, wanted: ReadonlySet<number>): [number, number][] {
    const degree = this.#graph.degree(v)
    if (wanted.size === 0 || degree === 0) return []
    if (this.#readArcs + degree <= MAX_READ_ARCS) {
      this.#readArcs += degree
      return this.#inMemory(v, degree, wanted)
    }
    if (this.#searches + wanted.size <= MAX_SEARCHES) {
      this.#searches += wanted.size
      return pairs(wanted, (u) => this.#graph.arc(v, u))
    }
    this.skipped++
    return []
  }

  #inMemory(v: number, degree: number, wanted: ReadonlySet<number>): [number, number][] {
    const list = this.#graph.neighbours(v, degree)
    const start = this.#graph.start(v)
    if (degree > LONG_LIST * wanted.size)
      return pairs(wanted, (u) => {
        const at = lowerBound(list, u)
        return list[at] === u ? start + at : -1
      })
    const found: [number, number][] = []
    list.forEach((u, i) => {
      if (wanted.has(u)) found.push([u, start + i])
    })
    return found
  }
}

function pairs(wanted: ReadonlySet<number>, arcTo: (u: number) => number): [number, number][] {
  return [...wanted].map((u): [number, number] => [u, arcTo(u)]).filter(([, arc]) => arc >= 0)
}

function lowerBound(list: Uint32Array, wanted: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}

import type { Adjacency } from './residual-graph.ts'

/** That are scanned between two pauses. */
const ARCS_A_PAUSE = 1 << 18

/**
 * A maximal independent set: again and again a vertex with the fewest neighbours left joins, and its neighbours are out. Ties go to the vertex that
 * came to this degree last, so that a set grows along its border.
 * @param pause called now and then; what it throws is thrown
 * @returns one byte a vertex
 */
export function minDegreeSet(adjacency: Adjacency, pause: () => void): Uint8Array {
  const { vertices, starts, targets } = adjacency
  const members = new Uint8Array(vertices)
  const queue = new DegreeQueue(adjacency)
  let scanned = ARCS_A_PAUSE
  for (let v = queue.takeLeast(); v !== undefined; v = queue.takeLeast()) {
    members[v] = 1
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      const u = targets[i]!
      if (!queue.remove(u)) continue
      for (let j = starts[u]!; j < starts[u + 1]!; j++) queue.lower(targets[j]!)
      scanned += 1 + starts[u + 1]! - starts[u]!
      if (scanned < ARCS_A_PAUSE) continue
      pause()
      scanned = 0
    }
  }
  return members
}

const NONE = 0xffffffff

/** Vertices by degree, in lists that are linked both ways. */
class DegreeQueue {
  readonly #degrees: Uint32Array
  readonly #first: Uint32Array
  readonly #next: Uint32Array
  readonly #previous: Uint32Array
  readonly #isIn: Uint8Array
  /** No list before it has a vertex. */
  #least = 0

  constructor({ vertices, starts }: Adjacency) {
    this.#degrees = new Uint32Array(vertices)
    let largest = 0
    for (let v = 0; v < vertices; v++) {
      this.#degrees[v] = starts[v + 1]! - starts[v]!
      largest = Math.max(largest, this.#degrees[v]!)
    }
    this.#first = new Uint32Array(largest + 1).fill(NONE)
    this.#next = new Uint32Array(vertices)
    this.#previous = new Uint32Array(vertices)
    this.#isIn = new Uint8Array(vertices).fill(1)
    for (let v = vertices - 1; v >= 0; v--) this.#link(v)
  }

  takeLeast(): number | undefined {
    while (this.#least < this.#first.length && this.#first[this.#least] === NONE) this.#least++
    const v = this.#first[this.#least]
    if (v === undefined) return undefined
    this.remove(v)
    return v
  }

  /** @returns whether it was there */
  remove(v: number): boolean {
    if (this.#isIn[v] === 0) return false
    this.#isIn[v] = 0
    this.#unlink(v)
    return true
  }

  lower(v: number): void {
    if (this.#isIn[v] === 0) return
    this.#unlink(v)
    const degree = --this.#degrees[v]!
    this.#link(v)
    if (degree < this.#least) this.#least = degree
  }

  #link(v: number): void {
    const degree = this.#degrees[v]!
    const after = this.#first[degree]!
    this.#next[v] = after
    this.#previous[v] = NONE
    if (after !== NONE) this.#previous[after] = v
    this.#first[degree] = v
  }

  #unlink(v: number): void {
    const before = this.#previous[v]!
    const after = this.#next[v]!
    if (before === NONE) this.#first[this.#degrees[v]!] = after
    else this.#next[before] = after
    if (after !== NONE) this.#previous[after] = before
  }
}

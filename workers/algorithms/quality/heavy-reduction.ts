import { IN, OUT, UNDECIDED as OPEN } from '../../graph/vertex-states.ts'
import type { Adjacency } from './residual-graph.ts'
import { WordList } from '../../base/word-list.ts'

/** Beside the states of vertices: in where its last neighbour is out. */
const FOLDED = 3
/** Neighbours of a vertex that is looked at again, and for others that it dominates. */
const MAX_VISITED = 256
const MAX_DEGREE = 8

/** What reductions leave of a graph whose vertices have weights. */
export interface HeavyKernel {
  readonly adjacency: Adjacency
  readonly weights: Float64Array
  /** What its vertices are in the whole graph. */
  readonly ids: Uint32Array
  /** Weight that follows besides, whatever independent set of the kernel is chosen. */
  readonly gain: number
  /** The set of the whole graph that follows from one of the kernel; one byte a vertex. */
  expand(members: Uint8Array): Uint8Array
}

/**
 * Exact reductions of the maximum weight independent set problem on a graph in memory (Lamm, Schulz, Strash, Williger, Zhang: Exactly Solving
 * the Maximum Weight Independent Set Problem on Large Real-World Graphs, ALENEX 2019, section 3):
 * - A vertex that weighs as much as its neighbours together is in.
 * - One with a single neighbour that is heavier: its weight is had in any case, and the neighbour loses as much.
 * - Domination: where every neighbour of u, and u, is v or a neighbour of v, and u weighs as much as v, v is out.
 * @param weights none is negative
 * @param pause called now and then; what it throws is thrown
 */
export function heavyKernel(adjacency: Adjacency, weights: Float64Array, pause: () => void): HeavyKernel {
  const reduction = new HeavyReduction(adjacency, weights.slice())
  reduction.run(pause)
  return reduction.kernel()
}

class HeavyReduction {
  readonly #adjacency: Adjacency
  readonly #weights: Float64Array
  readonly #states: Uint8Array
  readonly #degrees: Uint32Array
  readonly #queue: WordList
  readonly #isQueued: Uint8Array
  readonly #marks: Uint32Array
  #mark = 0
  /** Two words for each vertex that was folded: it, and its neighbour. */
  readonly #folds = new WordList()
  #gain = 0

  constructor(adjacency: Adjacency, weights: Float64Array) {
    const { vertices, starts } = adjacency
    this.#adjacency = adjacency
    this.#weights = weights
    this.#states = new Uint8Array(vertices)
    this.#degrees = new Uint32Array(vertices)
    this.#queue = new WordList(vertices)
    this.#isQueued = new Uint8Array(vertices)
    this.#marks = new Uint32Array(vertices)
    for (let v = vertices - 1; v >= 0; v--) {
      this.#degrees[v] = starts[v + 1]! - starts[v]!
      this.#put(v)
    }
  }

  run(pause: () => void): void {
    for (let steps = 0, v = this.#queue.pop(); v !== undefined; steps++, v = this.#queue.pop()) {
      if ((steps & 0x3fff) === 0) pause()
      this.#isQueued[v] = 0
      if (this.#states[v] === OPEN) this.#visit(v)
    }
  }

  kernel(): HeavyKernel {
    const { vertices, starts, targets } = this.#adjacency
    const states = this.#states
    const ids = Uint32Array.from(states.keys()).filter((v) => states[v] === OPEN)
    const numbers = new Uint32Array(vertices)
    ids.forEach((v, i) => (numbers[v] = i))
    const kept = new Uint32Array(ids.length + 1)
    ids.forEach((v, i) => (kept[i + 1] = kept[i]! + this.#degrees[v]!))
    const list = new Uint32Array(kept.at(-1)!)
    let at = 0
    for (const v of ids)
      for (let i = starts[v]!; i < starts[v + 1]!; i++)
        if (states[targets[i]!] === OPEN) list[at++] = numbers[targets[i]!]!
    return {
      adjacency: { vertices: ids.length, starts: kept, targets: list },
      weights: Float64Array.from(ids, (v) => this.#weights[v]!),
      ids,
      gain: this.#gain,
      expand: (members) => this.#expand(ids, members),
    }
  }

  #expand(ids: Uint32Array, members: Uint8Array): Uint8Array {
    const all = this.#states.slice()
    ids.forEach((v, i) => (all[v] = members[i] === 1 ? IN : OUT))
    const { values, length } = this.#folds
    for (let i = length - 2; i >= 0; i -= 2) all[values[i]!] = all[values[i + 1]!] === IN ? OUT : IN
    for (let v = 0; v < all.length; v++) all[v] = all[v] === IN ? 1 : 0
    return all
  }

  #put(v: number): void {
    if (this.#isQueued[v] === 1) return
    this.#isQueued[v] = 1
    this.#queue.push(v)
  }

  #visit(v: number): void {
    const weights = this.#weights
    const open = this.#openAround(v)
    const sum = open.reduce((total, u) => total + weights[u]!, 0)
    if (weights[v]! >= sum) {
      this.#states[v] = IN
      this.#gain += weights[v]!
      for (const u of open) this.#remove(u, OUT)
    } else if (open.length === 1) this.#fold(v, open[0]!)
    else if (open.length <= MAX_DEGREE) this.#dominate(v, open)
  }

  #openAround(v: number): number[] {
    const { starts, targets } = this.#adjacency
    const open: number[] = []
    for (let i = starts[v]!; i < starts[v + 1]!; i++) if (this.#states[targets[i]!] === OPEN) open.push(targets[i]!)
    return open
  }

  #fold(v: number, u: number): void {
    this.#gain += this.#weights[v]!
    this.#weights[u]! -= this.#weights[v]!
    this.#folds.push(v)
    this.#folds.push(u)
    this.#remove(v, FOLDED)
    // It is lighter, so that its neighbours may be heavy now.
    this.#putAround(u)
  }

  #dominate(v: number, open: readonly number[]): void {
    const mark = ++this.#mark
    this.#marks[v] = mark
    for (const u of open) this.#marks[u] = mark
    for (const u of open) {
      const isLighter = this.#weights[u]! <= this.#weights[v]! && this.#degrees[u]! >= open.length
      if (!isLighter || this.#openAround(u).filter((x) => this.#marks[x] === mark).length < open.length) continue
      // v has one neighbour less, and is looked at again.
      this.#remove(u, OUT)
      return
    }
  }

  #remove(v: number, state: number): void {
    this.#states[v] = state
    const { starts, targets } = this.#adjacency
    for (let i = starts[v]!; i < starts[v + 1]!; i++)
      if (this.#states[targets[i]!] === OPEN) this.#degrees[targets[i]!]!--
    this.#putAround(v)
  }

  #putAround(v: number): void {
    const { starts, targets } = this.#adjacency
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      const u = targets[i]!
      if (this.#states[u] === OPEN && starts[u + 1]! - starts[u]! <= MAX_VISITED) this.#put(u)
    }
  }
}

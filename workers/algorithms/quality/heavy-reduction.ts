import { IN, OUT, UNDECIDED as OPEN } from '../../graph/vertex-states.ts'
import { type Kernel, DEPENDENT, kernelOf } from './kernel.ts'
import type { Adjacency } from './held-graph.ts'
import { WordList } from '../../base/word-list.ts'

/** Neighbours of a vertex that is looked at again, and for others that it dominates. */
const MAX_VISITED = 256
const MAX_DEGREE = 8

/** What reductions leave of a graph whose vertices have weights. */
export interface HeavyKernel extends Kernel {
  readonly weights: Float64Array
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
  readonly #lengths: Uint32Array
  /** Open neighbours. */
  readonly #degrees: Uint32Array
  readonly #queue: WordList
  readonly #isQueued: Uint8Array
  readonly #marks: Uint32Array
  #mark = 0
  /** Three words for each vertex that was folded: it, and twice its last neighbour. */
  readonly #folded = new WordList()
  #gain = 0

  constructor(adjacency: Adjacency, weights: Float64Array) {
    const { vertices, starts } = adjacency
    this.#adjacency = adjacency
    this.#weights = weights
    this.#states = new Uint8Array(vertices)
    this.#lengths = new Uint32Array(vertices)
    this.#queue = new WordList(vertices)
    this.#isQueued = new Uint8Array(vertices)
    this.#marks = new Uint32Array(vertices)
    for (let v = vertices - 1; v >= 0; v--) {
      this.#lengths[v] = starts[v + 1]! - starts[v]!
      this.#put(v)
    }
    this.#degrees = this.#lengths.slice()
  }

  run(pause: () => void): void {
    for (let steps = 0, v = this.#queue.pop(); v !== undefined; steps++, v = this.#queue.pop()) {
      if ((steps & 0x3fff) === 0) pause()
      this.#isQueued[v] = 0
      if (this.#states[v] === OPEN) this.#visit(v)
    }
  }

  kernel(): HeavyKernel {
    const kernel = kernelOf({
      adjacency: this.#adjacency,
      states: this.#states,
      degrees: this.#degrees,
      lengths: this.#lengths,
      dependents: this.#folded,
      gain: this.#gain,
    })
    return { ...kernel, weights: Float64Array.from(kernel.ids, (v) => this.#weights[v]!) }
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
    for (const word of [v, u, u]) this.#folded.push(word)
    this.#remove(v, DEPENDENT)
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

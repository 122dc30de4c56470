/**
 * What reductions leave of a graph, and how a set of it becomes one of the whole graph. ReducedGraph is the base of both reductions:
 * reduction.ts for largest sets, and here the one for heaviest sets (Lamm, Schulz, Strash, Williger, Zhang, ALENEX 2019, section 3). They are
 * exact: a best set of the rest, expanded, is a best set of the graph. Time is about linear in the arcs, as lists longer than a bound are not
 * looked at for domination.
 */

import { IN, OUT, UNDECIDED as OPEN } from '../../graph/vertex-set.ts'
import { WordList } from '../../base/words.ts'
import type { Adjacency } from './in-memory-graph.ts'

const NONE = 0xffffffff

/** A state beside those of vertices: a member unless one of two others is, which are decided later. */
export const DEPENDENT = 3
/** Taken out of the graph without proof. */
export const PEELED = 4

/** What reductions leave. */
export interface ReducedGraph {
  /** The lists of the vertices that are not decided, numbered anew in ascending order. */
  readonly adjacency: Adjacency
  /** What they are in the whole graph. */
  readonly ids: Uint32Array
  /** Members, or weight, that follow besides, whatever independent set of the reduced graph is chosen. */
  readonly gain: number
  /**
   * The independent set of the whole graph that follows from one of the reduced graph; peeled vertices and those beside them may be free.
   * @param members one byte a vertex of the reduced graph
   * @returns one byte a vertex
   */
  expand(members: Uint8Array): Uint8Array
}

/** A graph that no reduction changed, as a reduced graph. */
export function unreducedGraph(adjacency: Adjacency): ReducedGraph {
  const ids = new Uint32Array(adjacency.vertices)
  // Callbacks for each of many vertices would take thrice as long.
  for (let v = 0; v < ids.length; v++) ids[v] = v
  return { adjacency, ids, gain: 0, expand: (members) => members }
}

/** A graph while reductions decide its vertices. */
export class GraphReduction {
  readonly adjacency: Adjacency
  readonly states: Uint8Array
  /** Entries of each list that may be open, and how many are, of open vertices. */
  readonly lengths: Uint32Array
  readonly degrees: Uint32Array
  /** Three words for each vertex that depends on two others, in the order in which they left: it, and these. */
  readonly dependents = new WordList()
  /** Members, or weight, that the decided vertices have, whatever the others do. */
  gain = 0

  constructor(adjacency: Adjacency) {
    const { vertices, starts } = adjacency
    this.adjacency = adjacency
    this.states = new Uint8Array(vertices)
    this.lengths = new Uint32Array(vertices)
    for (let v = 0; v < vertices; v++) this.lengths[v] = starts[v + 1]! - starts[v]!
    this.degrees = this.lengths.slice()
  }

  /** The graph of the open vertices, whose lists take the place of the first ones, and how a set of it becomes one of the whole graph. */
  reduced(): ReducedGraph {
    const { vertices, starts, targets } = this.adjacency
    const { states, lengths, dependents, gain } = this
    const numbers = new Uint32Array(vertices).fill(NONE)
    let count = 0
    for (let v = 0; v < vertices; v++) if (states[v] === OPEN) numbers[v] = count++
    const ids = new Uint32Array(count)
    let [i, at, from] = [0, 0, 0]
    for (let v = 0; v < vertices; v++) {
      const next = starts[v + 1]!
      if (states[v] === OPEN) {
        ids[i++] = v
        const end = from + lengths[v]!
        // No word is written before it was read.
        for (let arc = from; arc < end; arc++) {
          const number = numbers[targets[arc]!]!
          if (number !== NONE) targets[at++] = number
        }
        starts[i] = at
      }
      from = next
    }
    const adjacency = { vertices: count, starts: starts.subarray(0, count + 1), targets: targets.subarray(0, at) }
    return {
      adjacency,
      ids,
      gain,
      expand: (members) => expand(states, ids, members, dependents.words),
    }
  }
}

function expand(states: Uint8Array, ids: Uint32Array, members: Uint8Array, dependents: Uint32Array): Uint8Array {
  const all = states.slice()
  for (let i = 0; i < ids.length; i++) all[ids[i]!] = members[i] === 1 ? IN : OUT
  for (let i = dependents.length - 3; i >= 0; i -= 3)
    all[dependents[i]!] = all[dependents[i + 1]!] === IN || all[dependents[i + 2]!] === IN ? OUT : IN
  for (let v = 0; v < all.length; v++) all[v] = all[v] === IN ? 1 : 0
  return all
}

/** Neighbours of a vertex that is looked at again, and for others that it dominates. */
const MAX_VISITED = 256
const MAX_DEGREE = 8

/** What reductions leave of a graph whose vertices have weights. */
interface WeightedReducedGraph extends ReducedGraph {
  readonly weights: Float64Array
}

/**
 * Exact reductions of the maximum weight independent set problem on a graph in memory (Lamm, Schulz, Strash, Williger, Zhang: Exactly Solving
 * the Maximum Weight Independent Set Problem on Large Real-World Graphs, ALENEX 2019, section 3):
 * - A vertex that weighs as much as its neighbours together is in.
 * - One with a single neighbour that is heavier: its weight is had in any case, and the neighbour loses as much.
 * - Domination: where every neighbour of u, and u, is v or a neighbour of v, and u weighs as much as v, v is out.
 * @param weights none is negative
 * @param pause called now and then; what it throws is thrown, and true ends it early
 */
export function reduceWeighted(
  adjacency: Adjacency,
  weights: Float64Array,
  pause: () => boolean | void,
): WeightedReducedGraph {
  const reduction = new WeightedReduction(adjacency, weights.slice())
  reduction.run(pause)
  return reduction.reduced()
}

class WeightedReduction extends GraphReduction {
  readonly #weights: Float64Array
  readonly #queue: WordList
  readonly #isQueued: Uint8Array
  readonly #marks: Uint32Array
  #mark = 0

  constructor(adjacency: Adjacency, weights: Float64Array) {
    super(adjacency)
    const { vertices } = adjacency
    this.#weights = weights
    this.#queue = new WordList(vertices)
    this.#isQueued = new Uint8Array(vertices)
    this.#marks = new Uint32Array(vertices)
    for (let v = vertices - 1; v >= 0; v--) this.#put(v)
  }

  run(pause: () => boolean | void): void {
    for (let steps = 0, v = this.#queue.pop(); v !== undefined; steps++, v = this.#queue.pop()) {
      if ((steps & 0x3fff) === 0 && pause() === true) return
      this.#isQueued[v] = 0
      if (this.states[v] === OPEN) this.#visit(v)
    }
  }

  override reduced(): WeightedReducedGraph {
    const reduced = super.reduced()
    return { ...reduced, weights: Float64Array.from(reduced.ids, (v) => this.#weights[v]!) }
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
      this.states[v] = IN
      this.gain += weights[v]!
      for (const u of open) this.#remove(u, OUT)
    } else if (open.length === 1) this.#fold(v, open[0]!)
    else if (open.length <= MAX_DEGREE) this.#dominate(v, open)
  }

  #openAround(v: number): number[] {
    const { starts, targets } = this.adjacency
    const open: number[] = []
    for (let i = starts[v]!; i < starts[v + 1]!; i++) if (this.states[targets[i]!] === OPEN) open.push(targets[i]!)
    return open
  }

  #fold(v: number, u: number): void {
    this.gain += this.#weights[v]!
    this.#weights[u]! -= this.#weights[v]!
    // Twice its last neighbour.
    for (const word of [v, u, u]) this.dependents.push(word)
    this.#remove(v, DEPENDENT)
    // It is lighter, so that its neighbours may be heavy now.
    this.#putAround(u)
  }

  #dominate(v: number, open: readonly number[]): void {
    const mark = ++this.#mark
    this.#marks[v] = mark
    for (const u of open) this.#marks[u] = mark
    for (const u of open) {
      const isLighter = this.#weights[u]! <= this.#weights[v]! && this.degrees[u]! >= open.length
      if (!isLighter || this.#openAround(u).filter((x) => this.#marks[x] === mark).length < open.length) continue
      // v has one neighbour less, and is looked at again.
      this.#remove(u, OUT)
      return
    }
  }

  #remove(v: number, state: number): void {
    this.states[v] = state
    const { starts, targets } = this.adjacency
    for (let i = starts[v]!; i < starts[v + 1]!; i++)
      if (this.states[targets[i]!] === OPEN) this.degrees[targets[i]!]!--
    this.#putAround(v)
  }

  #putAround(v: number): void {
    const { starts, targets } = this.adjacency
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      const u = targets[i]!
      if (this.states[u] === OPEN && starts[u + 1]! - starts[u]! <= MAX_VISITED) this.#put(u)
    }
  }
}

import { IN, OUT, UNDECIDED as OPEN } from '../../graph/vertex-set.ts'
import { WordList } from '../../base/words.ts'
import type { Adjacency } from './held-graph.ts'

/** Beside the states of vertices: a member unless one of two others is, which are decided later. */
export const DEPENDENT = 3
/** Taken out of the graph without proof. */
export const PEELED = 4

/** What reductions leave. */
export interface Kernel {
  /** Of the vertices that are not decided, numbered anew in ascending order. */
  readonly adjacency: Adjacency
  /** What they are in the whole graph. */
  readonly ids: Uint32Array
  /** Members, or weight, that follow besides, whatever independent set of the kernel is chosen. */
  readonly gain: number
  /**
   * The independent set of the whole graph that follows from one of the kernel; peeled vertices and those beside them may be free.
   * @param members one byte a vertex of the kernel
   * @returns one byte a vertex
   */
  expand(members: Uint8Array): Uint8Array
}

/** Of a graph that was not reduced. */
export const wholeKernel = (adjacency: Adjacency): Kernel => ({
  adjacency,
  ids: new Uint32Array(adjacency.vertices).map((_, v) => v),
  gain: 0,
  expand: (members) => members,
})

/** A graph while reductions decide its vertices. */
export class ReducedGraph {
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

  /** The graph of the open vertices, and how a set of it becomes one of the whole graph. */
  kernel(): Kernel {
    const { vertices, starts: from, targets: all } = this.adjacency
    const { states, degrees, lengths, dependents, gain } = this
    const numbers = new Uint32Array(vertices)
    let [count, arcs] = [0, 0]
    for (let v = 0; v < vertices; v++) {
      if (states[v] !== OPEN) continue
      numbers[v] = count++
      arcs += degrees[v]!
    }
    const ids = new Uint32Array(count)
    const starts = new Uint32Array(count + 1)
    const targets = new Uint32Array(arcs)
    for (let v = 0, i = 0, at = 0; v < vertices; v++) {
      if (states[v] !== OPEN) continue
      ids[i++] = v
      const end = from[v]! + lengths[v]!
      for (let arc = from[v]!; arc < end; arc++) if (states[all[arc]!] === OPEN) targets[at++] = numbers[all[arc]!]!
      starts[i] = at
    }
    return {
      adjacency: { vertices: count, starts, targets },
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

import { IN, OUT } from '../../graph/vertex-states.ts'
import type { Adjacency } from './residual-graph.ts'

/** Beside the states of vertices: of a path between two vertices that are joined in its place; decided once these are. */
export const ON_PATH = 3
/** Taken out of the graph without proof. */
export const PEELED = 4

/** What reductions leave. */
export interface Kernel {
  /** Of the vertices that are not decided, numbered anew in ascending order. */
  readonly adjacency: Adjacency
  /** What they are in the whole graph. */
  readonly ids: Uint32Array
  /** Members that follow besides, whatever independent set of the kernel is chosen. */
  readonly gain: number
  readonly peeled: number
  /** By vertices of the whole graph. */
  readonly states: Uint8Array
  /** Three words for each vertex of a path, in the order in which they left: the vertex, and its two neighbours then. */
  readonly paths: Uint32Array
}

/** Of a graph that was not reduced. */
export function wholeKernel(adjacency: Adjacency): Kernel {
  const ids = new Uint32Array(adjacency.vertices)
  for (let v = 0; v < ids.length; v++) ids[v] = v
  return { adjacency, ids, gain: 0, peeled: 0, states: new Uint8Array(ids.length), paths: new Uint32Array(0) }
}

/**
 * The independent set of the whole graph that follows from one of the kernel; peeled vertices and those beside them may be free.
 * @param members one byte a vertex of the kernel
 * @returns one byte a vertex
 */
export function expandKernel({ ids, states, paths }: Kernel, members: Uint8Array): Uint8Array {
  const all = states.slice()
  for (let i = 0; i < ids.length; i++) all[ids[i]!] = members[i] === 1 ? IN : OUT
  for (let i = paths.length - 3; i >= 0; i -= 3)
    all[paths[i]!] = all[paths[i + 1]!] === IN || all[paths[i + 2]!] === IN ? OUT : IN
  for (let v = 0; v < all.length; v++) all[v] = all[v] === IN ? 1 : 0
  return all
}

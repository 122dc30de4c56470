import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { GaloisGr } from './galois-gr.ts'
import type { Ranking } from './priority.ts'

/** Entries of a vertex that stand together in the head slab; the kernels load them as one vec2. */
export const HEAD_WIDTH = 2
/** Fills the heads of a vertex with fewer entries. No vertex has this id: graphs have at most 2^32 - 2 vertices. */
export const NO_ENTRY = 0xffffffff

/**
 * The oriented view of a graph under a ranking: for each vertex only its neighbours of higher rank, highest first. It holds
 * each edge once. A vertex is in the set when all its entries are out, and out as soon as one is in.
 *
 * Stored as slabs: the first HEAD_WIDTH entries of every vertex side by side (nearly every vertex is settled by them), then
 * the rest of each vertex in `tails`, at [tailOffsets[v], tailOffsets[v + 1]).
 */
export interface OrientedView {
  readonly vertices: number
  /** HEAD_WIDTH words a vertex, NO_ENTRY where it has fewer. */
  readonly heads: Uint32Array
  /** n + 1 positions in `tails`. */
  readonly tailOffsets: Uint32Array
  readonly tails: Uint32Array
}

const ARCS_PER_READ = 1 << 22

/** The whole canonical graph in memory: n + 1 offsets and m targets. */
export interface Adjacency {
  readonly offsets: Float64Array
  readonly targets: Uint32Array
}

export function readAdjacency(graph: GaloisGr, job: JobContext): Adjacency {
  const offsets = graph.readOffsets(0, graph.vertices)
  const targets = new Uint32Array(graph.arcs)
  for (let first = 0; first < graph.arcs; first += ARCS_PER_READ) {
    throwIfCancelled(job.signal)
    const last = Math.min(graph.arcs, first + ARCS_PER_READ)
    graph.readTargets(first, last, targets.subarray(first, last))
    job.progress({ phase: 'read graph', done: last, total: graph.arcs, unit: 'arcs' })
  }
  return { offsets, targets }
}

export function degreesOf(offsets: Float64Array): Uint32Array {
  const degrees = new Uint32Array(offsets.length - 1)
  for (let v = 0; v < degrees.length; v++) degrees[v] = offsets[v + 1]! - offsets[v]!
  return degrees
}

/**
 * Orients the graph without sorting any list: the vertices are visited from the highest rank down, and each appends itself
 * to the lists of its neighbours of lower rank, which so fill highest first. O(n + m) time.
 */
export function orientGraph(adjacency: Adjacency, ranking: Ranking, job: JobContext): OrientedView {
  const { offsets, targets } = adjacency
  const { rank, order } = ranking
  const vertices = rank.length
  const tailOffsets = countTails(adjacency, rank, job)
  const heads = new Uint32Array(HEAD_WIDTH * vertices).fill(NO_ENTRY)
  const tails = new Uint32Array(tailOffsets[vertices]!)
  const filled = new Uint32Array(vertices)
  for (let i = vertices - 1, visited = 0; i >= 0; i--) {
    if ((++visited & 0xffff) === 0) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'build view', done: visited, total: vertices, unit: 'vertices' })
    }
    const u = order[i]!
    const end = offsets[u + 1]!
    for (let arc = offsets[u]!; arc < end; arc++) {
      const v = targets[arc]!
      if (rank[v]! > i) continue
      const slot = filled[v]!++
      if (slot < HEAD_WIDTH) heads[HEAD_WIDTH * v + slot] = u
      else tails[tailOffsets[v]! + slot - HEAD_WIDTH] = u
    }
  }
  return { vertices, heads, tailOffsets, tails }
}

/** Where the tail of each vertex begins: a running sum of the entries past the head. */
function countTails({ offsets, targets }: Adjacency, rank: Uint32Array, job: JobContext): Uint32Array {
  const vertices = rank.length
  const tailOffsets = new Uint32Array(vertices + 1)
  for (let v = 0; v < vertices; v++) {
    if ((v & 0xffff) === 0) throwIfCancelled(job.signal)
    const own = rank[v]!
    const end = offsets[v + 1]!
    let higher = 0
    for (let arc = offsets[v]!; arc < end; arc++) if (rank[targets[arc]!]! > own) higher++
    tailOffsets[v + 1] = tailOffsets[v]! + Math.max(0, higher - HEAD_WIDTH)
  }
  return tailOffsets
}

import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { GaloisGr } from './galois-gr.ts'

/** Entries of a vertex that stand together in the head slab; the kernels load them as one vec2. */
export const HEAD_WIDTH = 2
/** Fills the heads of a vertex with fewer entries. No vertex has this id: graphs have at most 2^32 - 2 vertices. */
export const NO_ENTRY = 0xffffffff

/**
 * The oriented view of a graph under a ranking. Its vertices stand in the order of their priority: position 0 is the vertex
 * of highest rank, and everything in the view is a position. Each vertex lists only its neighbours of higher rank, highest
 * first, which are the smaller positions in ascending order; so each edge stands there once. A vertex is in the set when all
 * its entries are out, and out as soon as one is in. As entries point backwards only, one walk from the front decides
 * everything, and a device that works from front to back meets few vertices that must wait
 * (docs/decisions/0006-views-in-priority-order.md).
 *
 * Stored as slabs: the first HEAD_WIDTH entries of every vertex side by side (nearly every vertex is settled by them), then
 * the rest of each vertex in `tails`, at [tailOffsets[p], tailOffsets[p + 1]).
 */
export interface OrientedView {
  readonly vertices: number
  /** HEAD_WIDTH words a position, NO_ENTRY where the vertex has fewer. */
  readonly heads: Uint32Array
  /** n + 1 places in `tails`. */
  readonly tailOffsets: Uint32Array
  readonly tails: Uint32Array
  /** positions[v] of each vertex of the graph. */
  readonly positions: Uint32Array
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
 * @param order the vertices from the lowest rank to the highest
 */
export function orientGraph(adjacency: Adjacency, order: Uint32Array, job: JobContext): OrientedView {
  const { offsets, targets } = adjacency
  const vertices = order.length
  const positions = new Uint32Array(vertices)
  for (let i = 0; i < vertices; i++) positions[order[i]!] = vertices - 1 - i
  const tailOffsets = countTails(adjacency, positions, job)
  const heads = new Uint32Array(HEAD_WIDTH * vertices).fill(NO_ENTRY)
  const tails = new Uint32Array(tailOffsets[vertices]!)
  const filled = new Uint32Array(vertices)
  for (let own = 0; own < vertices; own++) {
    if ((own & 0xffff) === 0) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'build view', done: own, total: vertices, unit: 'vertices' })
    }
    const u = order[vertices - 1 - own]!
    const end = offsets[u + 1]!
    for (let arc = offsets[u]!; arc < end; arc++) {
      const lower = positions[targets[arc]!]!
      if (lower < own) continue
      const slot = filled[lower]!++
      if (slot < HEAD_WIDTH) heads[HEAD_WIDTH * lower + slot] = own
      else tails[tailOffsets[lower]! + slot - HEAD_WIDTH] = own
    }
  }
  return { vertices, heads, tailOffsets, tails, positions }
}

/** Where the tail of each position begins: a running sum of the entries past the head. */
function countTails({ offsets, targets }: Adjacency, positions: Uint32Array, job: JobContext): Uint32Array {
  const vertices = positions.length
  const tailOffsets = new Uint32Array(vertices + 1)
  for (let v = 0; v < vertices; v++) {
    if ((v & 0xffff) === 0) throwIfCancelled(job.signal)
    const own = positions[v]!
    const end = offsets[v + 1]!
    let higher = 0
    for (let arc = offsets[v]!; arc < end; arc++) if (positions[targets[arc]!]! < own) higher++
    tailOffsets[own + 1] = Math.max(0, higher - HEAD_WIDTH)
  }
  for (let p = 0; p < vertices; p++) tailOffsets[p + 1]! += tailOffsets[p]!
  return tailOffsets
}

import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { GaloisGr } from './galois-gr.ts'
import { ChunkCut, FRONT, layerOf, placeChunk, placeFront, verticesBehind } from './view-layout.ts'

/** Entries of a vertex that stand together in the head slab; the kernels load them as one vec2. */
export const HEAD_WIDTH = 2
/** Fills the heads of a vertex with fewer entries. No vertex has this id: graphs have at most 2^32 - 2 vertices. */
export const NO_ENTRY = 0xffffffff

/**
 * The oriented view of a graph under a ranking. Its vertices are renumbered (workers/graph/view-layout.ts), and everything in the
 * view is a position. Each vertex lists only its neighbours of higher rank, which are the smaller positions, in ascending order; so each
 * edge stands there once. A vertex is in the set when all its entries are out, and out as soon as one is in. As entries point
 * backwards only, one walk from the front decides everything, and a device that works from front to back meets few vertices
 * that must wait (docs/decisions/0006-views-in-priority-order.md).
 *
 * Stored as slabs: the first HEAD_WIDTH entries of every vertex side by side (nearly every vertex is settled by them), then
 * the rest of each vertex in `tails`, at [tailOffsets[p], tailOffsets[p + 1]). Vertices of the front have no entries and stand in
 * no slab of a view on disk.
 */
export interface OrientedView {
  readonly vertices: number
  /** Positions [0, front) have no entries. */
  readonly front: number
  /** HEAD_WIDTH words a position from `front` on, NO_ENTRY where the vertex has fewer. */
  readonly heads: Uint32Array
  /** n + 1 places in `tails`, of all positions. */
  readonly tailOffsets: Uint32Array
  readonly tails: Uint32Array
  /** Entries in the tails of lists that do not begin with a vertex of the front. */
  readonly openTails: number
  /** The vertices at the positions from `front` on. */
  readonly behind: Uint32Array
  /** A bit for each vertex of the graph: whether it stands at the front, where ids ascend. */
  readonly frontBits: Uint32Array
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
 * Orients the graph without sorting any list: the vertices are visited from the first position to the last, and each appends itself
 * to the lists of its neighbours behind it, which so fill in ascending order. O(n + m) time.
 * @param order the vertices from the lowest rank to the highest
 */
export function orientGraph(adjacency: Adjacency, order: Uint32Array, job: JobContext): OrientedView {
  const { offsets, targets } = adjacency
  const vertices = order.length
  const { positions, front, frontBits, openTails, tailOffsets } = layOut(adjacency, order, job)
  const behind = verticesBehind(positions, front, new Uint32Array(vertices - front))
  const heads = new Uint32Array(HEAD_WIDTH * behind.length).fill(NO_ENTRY)
  const tails = new Uint32Array(tailOffsets[vertices]!)
  const filled = new Uint32Array(behind.length)
  const append = (u: number, own: number): void => {
    const end = offsets[u + 1]!
    for (let arc = offsets[u]!; arc < end; arc++) {
      const position = positions[targets[arc]!]!
      if (position < own) continue
      const lower = position - front
      const slot = filled[lower]!++
      if (slot < HEAD_WIDTH) heads[HEAD_WIDTH * lower + slot] = own
      else tails[tailOffsets[position]! + slot - HEAD_WIDTH] = own
    }
  }
  const look = newLook('build view', vertices, job)
  let own = 0
  for (let v = 0; v < vertices; v++) if ((frontBits[v >>> 5]! >>> (v & 31)) & 1) append(v, (look(own), own++))
  for (; own < vertices; own++) append(behind[own - front]!, (look(own), own))
  return { vertices, front, heads, tailOffsets, tails, openTails, behind, frontBits }
}

function newLook(phase: string, total: number, job: JobContext): (done: number) => void {
  return (done) => {
    if ((done & 0xffff) !== 0) return
    throwIfCancelled(job.signal)
    job.progress({ phase, done, total, unit: 'vertices' })
  }
}

interface Layout extends Pick<OrientedView, 'front' | 'frontBits' | 'openTails' | 'tailOffsets'> {
  readonly positions: Uint32Array
}

/** Where every vertex stands (workers/graph/view-layout.ts), and where its tail begins: one walk over all lists, by rank. */
function layOut({ offsets, targets }: Adjacency, order: Uint32Array, job: JobContext): Layout {
  const vertices = order.length
  const ranks = new Uint32Array(vertices)
  for (let i = 0; i < vertices; i++) ranks[order[i]!] = vertices - 1 - i
  const marks = new Uint8Array(vertices)
  const places = new Uint32Array(vertices)
  const entries = new Uint32Array(vertices)
  const cut = new ChunkCut()
  const look = newLook('rank', vertices, job)
  let [chunk, behind, openTails] = [0, 0, 0]
  for (let rank = 0; rank < vertices; rank++) {
    look(rank)
    const v = order[vertices - 1 - rank]!
    const end = offsets[v + 1]!
    if (cut.begins(end - offsets[v]!)) {
      behind = placeChunk(marks, chunk, rank, behind, places)
      chunk = rank
    }
    let [higher, below, beginsWithFront] = [0, 0, false]
    for (let arc = offsets[v]!; arc < end; arc++) {
      const other = ranks[targets[arc]!]!
      if (other >= rank) continue
      higher++
      const mark = marks[other]!
      if (mark === FRONT) beginsWithFront = true
      else if (other >= chunk && mark > below) below = mark
    }
    marks[rank] = higher === 0 ? FRONT : layerOf(below, beginsWithFront)
    entries[rank] = higher
    if (!beginsWithFront) openTails += Math.max(0, higher - HEAD_WIDTH)
  }
  behind = placeChunk(marks, chunk, vertices, behind, places)
  const front = vertices - behind
  const tailOffsets = new Uint32Array(vertices + 1)
  for (let rank = 0; rank < vertices; rank++) {
    if (marks[rank] === FRONT) continue
    places[rank]! += front
    tailOffsets[places[rank]! + 1] = Math.max(0, entries[rank]! - HEAD_WIDTH)
  }
  for (let p = 0; p < vertices; p++) tailOffsets[p + 1]! += tailOffsets[p]!
  const frontBits = placeFront(ranks, marks, places)
  return { positions: ranks.map((rank) => places[rank]!), front, frontBits, openTails, tailOffsets }
}

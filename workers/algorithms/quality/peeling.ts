import type { Adjacency } from './residual-graph.ts'
import { Reduction } from './reduction.ts'

const NONE = 0xffffffff

/** An independent set by reducing and peeling, and a bound. */
export interface PeeledSet {
  /** One byte a vertex. */
  readonly members: Uint8Array
  readonly size: number
  /** No independent set has more vertices. */
  readonly bound: number
}

/**
 * Reduces, and takes out a vertex of the largest degree where nothing can be reduced, until all are decided (Chang, Li, Zhang, SIGMOD 2017,
 * section 3). Each vertex that was taken out costs one member at most.
 * @param adjacency is changed
 * @param original the same graph, which is not
 * @param pause called now and then; what it throws is thrown
 */
export function peeledSet(adjacency: Adjacency, original: Adjacency, pause: () => void): PeeledSet {
  const reduction = new Reduction(adjacency)
  reduction.run(pause)
  peelAll(reduction, adjacency.vertices, pause)
  const members = reduction.kernel().expand(new Uint8Array(0))
  const added = addFree(original, members)
  const size = members.reduce((sum, bit) => sum + bit, 0)
  return { members, size, bound: size - added + reduction.peeled }
}

/** Vertices by the degree that they had when they were looked at last; as degrees only fall, the largest is found by looking again. */
function peelAll(reduction: Reduction, vertices: number, pause: () => void): void {
  let largest = 0
  for (let v = 0; v < vertices; v++) if (reduction.isOpen(v)) largest = Math.max(largest, reduction.degree(v))
  const first = new Uint32Array(largest + 1).fill(NONE)
  const next = new Uint32Array(vertices)
  const put = (v: number): void => {
    const degree = reduction.degree(v)
    next[v] = first[degree]!
    first[degree] = v
  }
  for (let v = vertices - 1; v >= 0; v--) if (reduction.isOpen(v)) put(v)
  for (let degree = largest; degree > 0;) {
    const v = first[degree]!
    if (v === NONE) {
      degree--
      continue
    }
    first[degree] = next[v]!
    if (!reduction.isOpen(v)) continue
    if (reduction.degree(v) < degree) put(v)
    else {
      reduction.peel(v)
      reduction.run(pause)
    }
  }
}

/** Lets every vertex without a member among its neighbours join, in ascending order; returns how many. */
export function addFree({ vertices, starts, targets }: Adjacency, members: Uint8Array): number {
  let added = 0
  for (let v = 0; v < vertices; v++) {
    let isFree = members[v] === 0
    for (let i = starts[v]!; isFree && i < starts[v + 1]!; i++) isFree = members[targets[i]!] === 0
    if (!isFree) continue
    members[v] = 1
    added++
  }
  return added
}

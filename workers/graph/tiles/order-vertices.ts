import type { JobContext } from '../../base/job.ts'
import { throwIfCancelled } from '../../base/job.ts'
import type { NeighbourLists } from './neighbour-lists.ts'
import type { TileOrder } from './tile-format.ts'

const CLUSTER_PASSES = 4
const LOOK_EVERY = 1 << 14

/**
 * The vertices in an order that brings neighbours close together, so that arcs share tiles; undefined for the graph's own.
 * Each is a function of the graph alone.
 * - degree: hubs first, so that the arcs among them make full tiles;
 * - rcm: reverse Cuthill-McKee (Cuthill and McKee 1969, George 1971), for meshes and roads;
 * - cluster: label propagation (Raghavan et al. 2007), a few passes in the order of ids; the vertices of a label together.
 */
export function orderForTiles(order: TileOrder, lists: NeighbourLists, job: JobContext): Uint32Array | undefined {
  switch (order) {
    case 'none':
      return undefined
    case 'degree':
      return byDegree(lists).reverse()
    case 'rcm':
      return reverseCuthillMcKee(lists, job)
    case 'cluster':
      return byCluster(lists, job)
  }
}

/** Vertices by ascending degree, then by descending id; so that, read backwards, ids ascend among equal degrees. */
function byDegree(lists: NeighbourLists): Uint32Array {
  const { vertices } = lists
  let most = 0
  for (let v = 0; v < vertices; v++) most = Math.max(most, lists.degree(v))
  const next = new Float64Array(most + 2)
  for (let v = 0; v < vertices; v++) next[lists.degree(v) + 1]!++
  for (let d = 0; d <= most; d++) next[d + 1]! += next[d]!
  const order = new Uint32Array(vertices)
  for (let v = vertices - 1; v >= 0; v--) order[next[lists.degree(v)]!++] = v
  return order
}

/** Breadth first from the vertex of least degree of each component, neighbours by ascending degree; then all backwards. */
function reverseCuthillMcKee(lists: NeighbourLists, job: JobContext): Uint32Array {
  const { vertices } = lists
  const order = new Uint32Array(vertices)
  const seen = new Uint8Array(vertices)
  let found = 0
  let done = 0
  for (const start of byDegree(lists)) {
    if (seen[start] === 1) continue
    seen[start] = 1
    order[found++] = start
    for (; done < found; done++) {
      if (done % LOOK_EVERY === 0) tell(job, 'order', done, vertices)
      const first = found
      for (const u of lists.of(order[done]!)) {
        if (seen[u] === 1) continue
        seen[u] = 1
        order[found++] = u
      }
      order.subarray(first, found).sort((a, b) => lists.degree(a) - lists.degree(b) || a - b)
    }
  }
  return order.reverse()
}

/** Each vertex takes the label that most of its neighbours have, the smallest of several; labels begin as ids. */
function byCluster(lists: NeighbourLists, job: JobContext): Uint32Array {
  const { vertices } = lists
  const label = Uint32Array.from({ length: vertices }, (_, v) => v)
  const votes = new Uint32Array(vertices)
  for (let pass = 0; pass < CLUSTER_PASSES; pass++) {
    let changed = 0
    for (let v = 0; v < vertices; v++) {
      if (v % LOOK_EVERY === 0) tell(job, 'order', pass * vertices + v, CLUSTER_PASSES * vertices)
      const neighbours = lists.of(v)
      for (const u of neighbours) votes[label[u]!]!++
      let best = label[v]!
      for (const u of neighbours) {
        const other = label[u]!
        if (votes[other]! > votes[best]! || (votes[other] === votes[best] && other < best)) best = other
      }
      for (const u of neighbours) votes[label[u]!] = 0
      if (best !== label[v]) changed++
      label[v] = best
    }
    if (changed === 0) break
  }
  const next = new Uint32Array(vertices + 1)
  for (let v = 0; v < vertices; v++) next[label[v]! + 1]!++
  for (let l = 0; l < vertices; l++) next[l + 1]! += next[l]!
  const order = new Uint32Array(vertices)
  for (let v = 0; v < vertices; v++) order[next[label[v]!]!++] = v
  return order
}

function tell(job: JobContext, phase: string, done: number, total: number): void {
  throwIfCancelled(job.signal)
  job.progress({ phase, done, total, unit: 'vertices' })
}

/**
 * Nodes of the drawing of a whole graph, opened in their place: their vertices, with the edges among them and to nodes that stay. On a map vertices
 * are where they are; elsewhere those of a node are placed by themselves, in a disc that reaches half of the way to the next node, so that nothing
 * else moves. It reads the lists of the vertices alone. overview.ts has the drawing.
 */

import { inputFailure } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import { MOST_OPENED, type Opened, type OpenedArgs } from '../contract/jobs.ts'
import type { AttributeTable } from '../graph/attribute-table.ts'
import { layOut } from './force-layout.ts'
import { type Decided, OpenedDataset, pairsIn } from './opened-dataset.ts'
import {
  decidedBy,
  describeNodes,
  type Drawing,
  drawingOf,
  inducedGraph,
  membersIn,
  placesOf,
  rounded,
} from './overview.ts'
import type { Places } from './quadtree.ts'
import { graphOfEdges, nodesOf, type SmallGraph } from './small-graph.ts'

/** Edges that are drawn of the vertices which are opened. */
const MOST_EDGES = 20_000

/** Opens nodes. @throws Failure (input) when the dataset or a result is damaged, or the nodes stand for more than MOST_OPENED vertices; (cancelled) */
export function openNodes(args: OpenedArgs, job: JobContext, table: AttributeTable | null = null): Opened {
  const dataset = new OpenedDataset(args, job)
  try {
    const whole = drawingOf(dataset, args, job)
    const { members, parents } = membersIn(whole, args.nodes)
    if (members.length > MOST_OPENED)
      throw inputFailure(args.folder, `these nodes are ${members.length} vertices`, 'Open fewer of them at once.')
    const small = inducedGraph(dataset.adjacency, members, job)
    const nodes = Uint32Array.from(members, (_, i) => i)
    const own: Drawing = { ...whole, key: '', vertices: members, nodes, graph: small, levels: [] }
    const places = whole.unplaced === null ? placesAround(whole, small, parents, job) : placesOnMap(dataset, members)
    const decided = decidedBy(args, dataset)
    return {
      parents: Array.from(parents),
      nodes: describeNodes(own, dataset, args, decided, table),
      x: rounded(places.x, 6),
      y: rounded(places.y, 6),
      drawn: edgesOfOpened(whole, { members, small }, decided.result, dataset),
    }
  } finally {
    dataset.close()
  }
}

function placesOnMap(dataset: OpenedDataset, vertices: Uint32Array): Places {
  const places = placesOf(dataset, vertices)!
  const each = (axis: 0 | 1): Float64Array => Float64Array.from(vertices, (_, i) => places[2 * i + axis]!)
  return { x: each(0), y: each(1) }
}

/** Each node's vertices by themselves, in a disc around its place that reaches half of the way to the next node. */
function placesAround({ x, y }: Drawing, small: SmallGraph, parents: Uint32Array, job: JobContext): Places {
  const places = { x: new Float64Array(parents.length), y: new Float64Array(parents.length) }
  const within = Map.groupBy(parents.keys(), (i) => parents[i]!)
  for (const [node, own] of within) {
    const at = new Map(own.map((i, place) => [i, place]))
    const ends = own.flatMap((i) =>
      Array.from(small.targets.subarray(small.offsets[i]!, small.offsets[i + 1]!), (u) => [i, u] as const).flatMap(
        ([from, to]) => (from < to && at.has(to) ? [[at.get(from)!, at.get(to)!] as const] : []),
      ),
    )
    const edges = { sources: ends.map(([from]) => from), targets: ends.map(([, to]) => to) }
    const disc = layOut(graphOfEdges(own.length, edges), job)
    const [middleX, middleY] = [mean(disc.x), mean(disc.y)]
    const furthest = disc.x.reduce(
      (most, value, i) => Math.max(most, Math.hypot(value - middleX, disc.y[i]! - middleY)),
      0,
    )
    const scale = (0.5 * nearest(x, y, node)) / (furthest || 1)
    own.forEach((i, place) => {
      places.x[i] = x[node]! + scale * (disc.x[place]! - middleX)
      places.y[i] = y[node]! + scale * (disc.y[place]! - middleY)
    })
  }
  return places
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** How far the next node is; 1 where there is none. */
function nearest(x: Float64Array, y: Float64Array, node: number): number {
  let least = Infinity
  for (let other = 0; other < x.length; other++) {
    const apart = Math.hypot(x[other]! - x[node]!, y[other]! - y[node]!)
    if (apart > 0) least = Math.min(least, apart)
  }
  return Number.isFinite(least) ? least : 1
}

/** Edges of a matching first, then those among the vertices, then those to other nodes, each node once for a vertex. */
function edgesOfOpened(
  { vertices, nodes, graph }: Drawing,
  { members, small }: { readonly members: Uint32Array; readonly small: SmallGraph },
  decided: Decided | null,
  { adjacency }: OpenedDataset,
): Opened['drawn'] {
  const n = members.length
  const at = new Map(Array.from(members, (v, i) => [v, i]))
  const places = vertices === null ? null : new Map(Array.from(vertices, (v, i) => [v, i]))
  const nodeOf = (v: number): number => nodes[places === null ? v : (places.get(v) ?? -1)] ?? nodesOf(graph)
  const mates = new Set<number>()
  for (const [u, v] of pairsIn(decided ?? { mates: null, pairs: null })) {
    const [i, j] = [at.get(u), at.get(v)]
    if (i !== undefined && j !== undefined) mates.add(Math.min(i, j) * n + Math.max(i, j))
  }
  const found: { source: number; target: number; matched: boolean; rank: number }[] = []
  for (let i = 0; i < n; i++) {
    for (let arc = small.offsets[i]!; arc < small.offsets[i + 1]!; arc++) {
      const j = small.targets[arc]!
      const matched = mates.has(i * n + j)
      if (i < j) found.push({ source: i, target: j, matched, rank: matched ? 0 : 1 })
    }
    const outside = new Set<number>()
    for (const u of adjacency.neighbours(members[i]!, MOST_EDGES)) {
      const node = at.has(u) ? nodesOf(graph) : nodeOf(u)
      if (node < nodesOf(graph)) outside.add(node)
    }
    for (const node of outside) found.push({ source: i, target: n + node, matched: false, rank: 2 })
  }
  const drawn = found.sort((a, b) => a.rank - b.rank).slice(0, MOST_EDGES)
  return {
    sources: drawn.map(({ source }) => source),
    targets: drawn.map(({ target }) => target),
    matched: drawn.map(({ matched }) => matched),
  }
}

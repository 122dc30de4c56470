/**
 * A whole graph as a drawing: its vertices if they are few, else groups by first choices, on a map by cells of it, else groups of a sample
 * whose lists fit a thread's memory. A node can be looked inside, which draws what it stands for, or opened in its place. The last drawing is kept
 * for a while. small-graph.ts and map-cells.ts group, force-layout.ts places, opened-nodes.ts opens; how many of each group are in a result is
 * counted here.
 */

import { inputFailure } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import { groupedBy } from '../base/words.ts'
import { type AttributeValue, type Overview, type OverviewArgs, type OverviewNodes } from '../contract/jobs.ts'
import { openVertexPlaces } from '../graph/vertex-places.ts'
import type { AttributeTable } from '../graph/attribute-table.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { AdjacencyReader, sampleVertices } from './adjacency-reader.ts'
import { contractLists } from './contract-lists.ts'
import { layOut } from './force-layout.ts'
import { mapCells } from './map-cells.ts'
import { columnsNamed, OpenedDataset, type Decided, decidedIn, pairsIn, valuesOf } from './opened-dataset.ts'
import {
  backbone,
  coarsen,
  contractBy,
  type Edges,
  graphOfEdges,
  joinNodes,
  NOT_THERE,
  nodesOf,
  placesAmong,
  type SmallGraph,
} from './small-graph.ts'

/** The most arcs of a graph that is drawn whole; else a sample is: its lists would not fit the memory of a thread. */
const MOST_ARCS = 1 << 25
/** Edges that are drawn; of more, each node keeps its heaviest. */
const MOST_EDGES = 150_000
/** A graph with more is placed by the edges that are drawn. */
const MOST_LAID_OUT = 500_000
/** The coarsest drawing that a zoom out comes to. */
const FEWEST_NODES = 200
/** How long a drawing waits for what is asked of it next: its nodes, with another result. */
const KEPT_MS = 120_000

interface DrawnEdges extends Edges {
  readonly counts: ArrayLike<number>
}

/** Which vertices each node stands for, where it is, and what is drawn. */
export interface Drawing {
  readonly key: string
  readonly kind: Overview['kind']
  /** Ascending; null: all of the graph. */
  readonly vertices: Uint32Array | null
  /** The node of each of them; no node has the number of those that a map leaves out. */
  readonly nodes: Uint32Array
  /** Vertices without a place; null: it is no map. */
  readonly unplaced: number | null
  readonly graph: SmallGraph
  readonly edges: Overview['drawn']
  readonly levels: readonly Uint32Array[]
  readonly x: Float64Array
  readonly y: Float64Array
}

let kept: Drawing | undefined
let forgetting: NodeJS.Timeout | undefined

/** Draws a graph, or one node of it (`inside`). @throws Failure (input) when the dataset or a result is damaged, or the graph has no vertices; (cancelled) */
export function overview(args: OverviewArgs, job: JobContext, table: AttributeTable | null = null): Overview {
  const dataset = new OpenedDataset(args, job)
  try {
    const { graph } = dataset
    const whole = drawingOf(dataset, args, job)
    const shown = args.inside === undefined ? whole : inside(dataset, whole, args.inside, args, job)
    const { kind, graph: coarse, edges, levels, x, y, unplaced } = shown
    const decided = decidedBy(args, dataset)
    return {
      kind,
      vertices: graph.vertices,
      edges: graph.arcs / 2,
      nodes: describeNodes(shown, dataset, args, decided, table),
      drawn: edges,
      levels: levels.map((parents) => Array.from(parents)),
      x: rounded(x, unplaced === null ? 3 : 6),
      y: rounded(y, unplaced === null ? 3 : 6),
      matched: matchedIn(shown, decided.result),
      unplaced,
      hidden: coarse.targets.length / 2 - edges.sources.length,
    }
  } finally {
    dataset.close()
  }
}

export const rounded = (values: Float64Array, digits: number): number[] =>
  Array.from(values, (value) => Number(value.toFixed(digits)))

type Which = Pick<OverviewArgs, 'folder' | 'checksum' | 'limit' | 'map'>

export function drawingOf(dataset: OpenedDataset, { folder, checksum, limit, map }: Which, job: JobContext): Drawing {
  const { graph } = dataset
  if (graph.vertices === 0) throw inputFailure(folder, 'this graph has no vertices', 'Choose another dataset.')
  clearTimeout(forgetting)
  forgetting = setTimeout(() => (kept = undefined), KEPT_MS).unref()
  const key = JSON.stringify([folder, checksum, limit, map === true])
  if (kept?.key === key) return kept
  kept = undefined
  job.progress({ phase: 'read', done: 0, total: 3, unit: 'steps' })
  const isSampled = graph.arcs > MOST_ARCS
  const vertices = isSampled ? sampleVertices(dataset.adjacency, limit, job) : null
  const parts = { key, vertices, limit, kind: isSampled ? ('sample' as const) : undefined }
  kept = (map === true ? drawMap(dataset, parts, job) : null) ?? draw(graphAmong(dataset, vertices, job), parts, job)
  return kept
}

/** The graph among some vertices; null: all of it. */
const graphAmong = ({ graph, adjacency }: OpenedDataset, vertices: Uint32Array | null, job: JobContext): SmallGraph =>
  vertices === null ? wholeGraph(graph) : inducedGraph(adjacency, vertices, job)

function wholeGraph(graph: GaloisGr): SmallGraph {
  const offsets = new Uint32Array(graph.readOffsets(0, graph.vertices))
  const targets = graph.readTargets(0, graph.arcs)
  return { offsets, targets, weights: null, sizes: new Uint32Array(graph.vertices).fill(1) }
}

/** The edges among some vertices, ascending. */
export function inducedGraph(adjacency: AdjacencyReader, vertices: Uint32Array, job: JobContext): SmallGraph {
  const places = new Map([...vertices].map((v, i) => [v, i]))
  const edges = [...adjacency.edgesAmong(vertices, job)]
  const sources = edges.map(([v]) => places.get(v)!)
  const targets = edges.map(([, u]) => places.get(u)!)
  return graphOfEdges(vertices.length, { sources, targets })
}

interface Drawn {
  readonly key: string
  readonly vertices: Uint32Array | null
  readonly limit: number
  readonly kind?: Overview['kind'] | undefined
}

function draw(small: SmallGraph, { key, vertices, limit, kind }: Drawn, job: JobContext): Drawing {
  job.progress({ phase: 'coarsen', done: 1, total: 3, unit: 'steps' })
  const within = coarsen(small, limit, job, joinNodes)
  const nodes = Uint32Array.from({ length: nodesOf(small) }, (_, v) => v)
  for (const { parents } of within) for (let v = 0; v < nodes.length; v++) nodes[v] = parents[nodes[v]!]!
  const graph = within.at(-1)?.graph ?? small
  const own = kind ?? (within.length === 0 ? 'whole' : 'coarse')
  const edges = drawnEdges(graph)
  const isAll = 2 * edges.sources.length === graph.targets.length
  // Coarser levels group by what is drawn, where the rest would be most of the work.
  const seen = isAll ? graph : { ...graphOfEdges(nodesOf(graph), edges, edges.counts), sizes: graph.sizes }
  const levels = coarsen(seen, Math.min(limit, FEWEST_NODES), job).map(({ parents }) => parents)
  const drawn = graph.targets.length / 2 <= MOST_LAID_OUT ? graph : seen
  const strong = backbone(drawn)
  return {
    ...{ key, kind: own, vertices, nodes, unplaced: null, graph, levels },
    edges: inOrder(nodesOf(graph), edges, strong),
    ...layOut(drawn, job, strong),
  }
}

/** A map of cells; null where no vertex has a place. */
function drawMap(dataset: OpenedDataset, { key, vertices, limit, kind }: Drawn, job: JobContext): Drawing | null {
  const places = placesOf(dataset, vertices)
  if (places === null) return null
  const { cells, count, levels, x, y } = mapCells(places, limit, Math.min(limit, FEWEST_NODES))
  if (count === 0) return null
  const graph =
    vertices === null
      ? contractLists(dataset.graph, cells, count, job)
      : contractBy(inducedGraph(dataset.adjacency, vertices, job), cells, count)
  const unplaced = cells.reduce((sum, cell) => sum + Number(cell === count), 0)
  const edges = drawnEdges(graph)
  const own = kind ?? (graph.sizes.every((size) => size === 1) ? 'whole' : 'coarse')
  return {
    ...{ key, kind: own, vertices, nodes: cells, unplaced, graph, levels, x, y },
    edges: inOrder(count, edges, backbone(graphOfEdges(count, edges))),
  }
}

/** Pairs x, y of all vertices, or of some; null where the dataset has none. */
export function placesOf({ folder, graph }: OpenedDataset, vertices: Uint32Array | null): Float32Array | null {
  const file = openVertexPlaces(folder, graph.vertices)
  if (file === null) return null
  try {
    const all = file.all()
    if (vertices === null) return all
    return Float32Array.from({ length: 2 * vertices.length }, (_, i) => all[2 * vertices[i >> 1]! + (i & 1)]!)
  } finally {
    file.close()
  }
}

/** Vertices of some nodes, ascending, and the node of each. */
export function membersIn({ vertices, nodes, graph }: Drawing, wanted: readonly number[]) {
  const { starts, members } = groupedBy(nodes, nodesOf(graph))
  const of = wanted.flatMap((node) => Array.from(members.subarray(starts[node] ?? 0, starts[node + 1] ?? 0)))
  const places = Uint32Array.from(new Set(of)).sort()
  return { members: places.map((i) => vertices?.[i] ?? i), parents: places.map((i) => nodes[i]!) }
}

interface DecidedBoth {
  readonly result: Decided | null
  readonly against: Decided | null
}

export const decidedBy = (
  { result, against }: Pick<OverviewArgs, 'result' | 'against'>,
  { vertices }: OpenedDataset,
): DecidedBoth => ({
  result: result === undefined ? null : decidedIn(result, vertices),
  against: against === undefined ? null : decidedIn(against, vertices),
})

/** Edges of a matching between nodes that are one vertex each. */
function matchedIn({ vertices, nodes, graph: { sizes } }: Drawing, decided: Decided | null): Overview['matched'] {
  const matched: { sources: number[]; targets: number[] } = { sources: [], targets: [] }
  if (decided === null || (decided.mates === null && decided.pairs === null)) return matched
  const places = vertices === null ? null : new Map(Array.from(vertices, (v, i) => [v, i]))
  const nodeOf = (v: number): number => nodes[places === null ? v : (places.get(v) ?? -1)] ?? sizes.length
  for (const [u, v] of pairsIn(decided)) {
    const [a, b] = [nodeOf(u), nodeOf(v)]
    if (sizes[a] !== 1 || sizes[b] !== 1) continue
    matched.sources.push(a)
    matched.targets.push(b)
  }
  return matched
}

/** What one node stands for, drawn by itself. */
function inside(dataset: OpenedDataset, whole: Drawing, node: number, { limit, map }: Which, job: JobContext): Drawing {
  const { members } = membersIn(whole, [node])
  const parts = { key: '', vertices: members, limit }
  return (map === true ? drawMap(dataset, parts, job) : null) ?? draw(graphAmong(dataset, members, job), parts, job)
}

/** The edges that are drawn: of too many the heaviest ones of each node; the more nodes, the fewer of each. */
function drawnEdges(graph: SmallGraph): DrawnEdges {
  const { offsets, targets, weights, sizes } = graph
  const n = sizes.length
  const isAll = targets.length / 2 <= MOST_EDGES
  const most = Math.max(1, Math.floor(MOST_EDGES / n))
  const room = isAll ? targets.length / 2 : most * n
  const drawn = { sources: new Uint32Array(room), targets: new Uint32Array(room), counts: new Float32Array(room) }
  let count = 0
  const draw = (v: number, arc: number): void => {
    drawn.sources[count] = v
    drawn.targets[count] = targets[arc]!
    drawn.counts[count++] = weights?.[arc] ?? 1
  }
  if (isAll) {
    for (let v = 0; v < n; v++)
      for (let arc = offsets[v]!; arc < offsets[v + 1]!; arc++) if (v < targets[arc]!) draw(v, arc)
    return drawn
  }
  const kept = heaviestArcs(graph, most)
  const keeps = (u: number, v: number): boolean => {
    for (let at = u * most; at < (u + 1) * most && kept[at] !== NOT_THERE; at++)
      if (targets[kept[at]!] === v) return true
    return false
  }
  for (let v = 0; v < n; v++)
    for (let at = v * most; at < (v + 1) * most && kept[at] !== NOT_THERE; at++) {
      const u = targets[kept[at]!]!
      if (u > v || !keeps(u, v)) draw(v, kept[at]!)
    }
  return {
    sources: drawn.sources.subarray(0, count),
    targets: drawn.targets.subarray(0, count),
    counts: drawn.counts.subarray(0, count),
  }
}

/** So many arcs of each node as it has, at most `most`, those of the largest shares of their targets first; NOT_THERE behind them. */
function heaviestArcs({ offsets, targets, weights, sizes }: SmallGraph, most: number): Int32Array {
  const kept = new Int32Array(sizes.length * most).fill(NOT_THERE)
  const shares = new Float64Array(most)
  for (let v = 0; v < sizes.length; v++) {
    const first = v * most
    let count = 0
    for (let arc = offsets[v]!; arc < offsets[v + 1]!; arc++) {
      const share = (weights === null ? 1 : weights[arc]!) / sizes[targets[arc]!]!
      if (count === most && share <= shares[most - 1]!) continue
      let at = count < most ? count++ : most - 1
      for (; at > 0 && shares[at - 1]! < share; at--) {
        kept[first + at] = kept[first + at - 1]!
        shares[at] = shares[at - 1]!
      }
      kept[first + at] = arc
      shares[at] = share
    }
  }
  return kept
}

/** Edges of the backbone first, the most alike of them before others. */
function inOrder(nodes: number, { sources, targets, counts }: DrawnEdges, strong: Edges): Overview['drawn'] {
  const ranks = placesAmong(nodes, { sources, targets }, strong)
  const first = new Int32Array(strong.sources.length).fill(NOT_THERE)
  ranks.forEach((rank, i) => rank !== NOT_THERE && (first[rank] = i))
  // Some edges of the backbone may not be drawn.
  const drawnFirst = first.filter((i) => i !== NOT_THERE)
  const others = Uint32Array.from(ranks.keys()).filter((i) => ranks[i] === NOT_THERE)
  const order = [...drawnFirst, ...others]
  const by = (values: ArrayLike<number>): number[] => order.map((i) => values[i]!)
  return { sources: by(sources), targets: by(targets), counts: by(counts), strong: drawnFirst.length }
}

/** Each node by its vertex of the highest degree, and how many of its vertices the results have. */
export function describeNodes(
  grouped: Drawing,
  dataset: OpenedDataset,
  args: Pick<OverviewArgs, 'result' | 'attributes'>,
  { result: first, against: second }: DecidedBoth,
  table: AttributeTable | null,
): OverviewNodes {
  const { heads, degrees } = headsOf(grouped, dataset)
  const columns = columnsNamed(table, args.attributes ?? [])
  const counted = (isIn: (v: number) => boolean): number[] => countIn(grouped, isIn)
  return {
    ...named(heads, first, args, dataset),
    degrees: Array.from(degrees),
    sizes: Array.from(grouped.graph.sizes),
    members: first && counted((v) => first.isIn(v)),
    others: second && counted((v) => second.isIn(v)),
    both: first && second && counted((v) => first.isIn(v) && second.isIn(v)),
    ...(table === null ? {} : { attributes: columns.map((at) => columnOf(grouped, table, at)) }),
  }
}

function headsOf({ vertices, nodes, graph: coarse }: Drawing, { graph, adjacency }: OpenedDataset) {
  const heads = new Uint32Array(nodesOf(coarse))
  const degrees = new Int32Array(nodesOf(coarse)).fill(-1)
  const offsets = vertices === null ? graph.readOffsets(0, graph.vertices) : null
  for (let i = 0; i < nodes.length; i++) {
    const v = vertices?.[i] ?? i
    const degree = offsets === null ? adjacency.degree(v) : offsets[v + 1]! - offsets[v]!
    if (!(degree > degrees[nodes[i]!]!)) continue
    degrees[nodes[i]!] = degree
    heads[nodes[i]!] = v
  }
  return { heads, degrees }
}

function countIn({ vertices, nodes, graph }: Drawing, isIn: (v: number) => boolean): number[] {
  const counts = new Array<number>(nodesOf(graph)).fill(0)
  for (let i = 0; i < nodes.length; i++) if (nodes[i]! < counts.length && isIn(vertices?.[i] ?? i)) counts[nodes[i]!]!++
  return counts
}

/** An attribute of every node: the mean of the numbers of its vertices, or the value that most of them have. */
function columnOf({ vertices, nodes, graph }: Drawing, table: AttributeTable, column: number): AttributeValue[] {
  const count = nodesOf(graph)
  const [sums, counted] = [new Float64Array(count), new Uint32Array(count)]
  const frequent: Map<AttributeValue, number>[] = []
  let [row, next] = [0, 0]
  for (const [value = null] of table.tuples([column])) {
    const v = row++
    if (vertices !== null && vertices[next] !== v) continue
    const node = nodes[vertices === null ? v : next++]!
    if (value === null || node >= count) continue
    counted[node]!++
    if (typeof value === 'number') sums[node]! += value
    else (frequent[node] ??= new Map()).set(value, (frequent[node].get(value) ?? 0) + 1)
  }
  return Array.from(sums, (sum, node) => {
    const most = frequent[node]
    if (most !== undefined) return [...most].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
    return counted[node]! === 0 ? null : sum / counted[node]!
  })
}

type Named = Pick<OverviewNodes, 'ids' | 'labels' | 'names' | 'values'>

function named(
  heads: Uint32Array,
  decided: Decided | null,
  { result }: Pick<OverviewArgs, 'result'>,
  dataset: OpenedDataset,
): Named {
  const { labels, names } = dataset
  dataset.expectTexts(heads.length)
  const words = valuesOf(result, (v) => labels.of(v))
  const valueOf = (v: number): NonNullable<Named['values']>[number] => {
    const number = decided?.values?.[v]
    return number === undefined || decided?.isIn(v) !== true ? null : { number, text: words(number) }
  }
  return {
    ids: Array.from(heads),
    labels: Array.from(heads, (v) => labels.of(v)),
    names: names && Array.from(heads, (v) => names.of(v)),
    values: decided?.values == null ? null : Array.from(heads, valueOf),
  }
}

import type { OverviewArgs, OverviewNodes } from '../contract/jobs.ts'
import { type Decided, decidedIn } from './decided.ts'
import { openVertexPlaces, valuesOf } from './neighbourhood.ts'
import type { OpenedDataset } from './opened-dataset.ts'
import { nodesOf, type SmallGraph } from './small-graph.ts'

interface Grouped {
  /** Ascending; null: all of the graph. */
  readonly vertices: Uint32Array | null
  /** Of each of them. */
  readonly nodes: Uint32Array
  readonly graph: SmallGraph
}

/** Each node by its vertex of the highest degree, and how many of its vertices the results have. */
export function describeNodes(grouped: Grouped, dataset: OpenedDataset, args: OverviewArgs): OverviewNodes {
  const { heads, degrees } = headsOf(grouped, dataset)
  const first = args.result === undefined ? null : decidedIn(args.result, dataset.vertices)
  const second = args.against === undefined ? null : decidedIn(args.against, dataset.vertices)
  const counted = (isIn: (v: number) => boolean): number[] => countIn(grouped, isIn)
  return {
    ...named(heads, first, args, dataset),
    degrees: Array.from(degrees),
    sizes: Array.from(grouped.graph.sizes),
    members: first && counted((v) => first.isIn(v)),
    others: second && counted((v) => second.isIn(v)),
    both: first && second && counted((v) => first.isIn(v) && second.isIn(v)),
  }
}

function headsOf({ vertices, nodes, graph: coarse }: Grouped, { graph, adjacency }: OpenedDataset) {
  const heads = new Uint32Array(nodesOf(coarse))
  const degrees = new Int32Array(nodesOf(coarse)).fill(-1)
  const offsets = vertices === null ? graph.readOffsets(0, graph.vertices) : null
  for (let i = 0; i < nodes.length; i++) {
    const v = vertices?.[i] ?? i
    const degree = offsets === null ? adjacency.degree(v) : offsets[v + 1]! - offsets[v]!
    if (degree <= degrees[nodes[i]!]!) continue
    degrees[nodes[i]!] = degree
    heads[nodes[i]!] = v
  }
  return { heads, degrees }
}

function countIn({ vertices, nodes, graph }: Grouped, isIn: (v: number) => boolean): number[] {
  const counts = new Array<number>(nodesOf(graph)).fill(0)
  for (let i = 0; i < nodes.length; i++) if (isIn(vertices?.[i] ?? i)) counts[nodes[i]!]!++
  return counts
}

type Named = Pick<OverviewNodes, 'ids' | 'labels' | 'names' | 'places' | 'values'>

function named(heads: Uint32Array, decided: Decided | null, args: OverviewArgs, dataset: OpenedDataset): Named {
  const { labels, names } = dataset
  const places = dataset.closing(openVertexPlaces(dataset.folder, dataset.vertices))
  const spots = places === null ? null : Array.from(heads, (v) => places.of(v))
  const words = valuesOf(args.result, (v) => labels.of(v))
  const valueOf = (v: number): NonNullable<Named['values']>[number] => {
    const number = decided?.values?.[v]
    return number === undefined || decided?.isIn(v) !== true ? null : { number, text: words(number) }
  }
  return {
    ids: Array.from(heads),
    labels: Array.from(heads, (v) => labels.of(v)),
    names: names && Array.from(heads, (v) => names.of(v)),
    places: spots?.every((spot) => spot !== null) === true ? spots.map((spot) => [spot!.x, spot!.y] as const) : null,
    values: decided?.values == null ? null : Array.from(heads, valueOf),
  }
}

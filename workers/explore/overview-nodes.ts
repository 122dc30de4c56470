import type { OverviewArgs, OverviewNodes } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { Adjacency } from './adjacency.ts'
import { type Decided, decidedIn } from './decided.ts'
import { openVertexPlaces, valuesOf } from './neighbourhood.ts'
import { nodesOf } from './small-graph.ts'
import type { SmallGraph } from './small-graph.ts'
import { openVertexLabels, openVertexNames } from './vertex-search.ts'

interface Grouped {
  /** Ascending; null: all of the graph. */
  readonly vertices: Uint32Array | null
  /** Of each of them. */
  readonly nodes: Uint32Array
  readonly graph: SmallGraph
}

/** Each node by its vertex of the highest degree, and how many of its vertices the results have. */
export function describeNodes(grouped: Grouped, graph: GaloisGr, args: OverviewArgs): OverviewNodes {
  const { heads, degrees } = headsOf(grouped, graph)
  const first = args.result === undefined ? null : decidedIn(args.result, graph.vertices)
  const second = args.against === undefined ? null : decidedIn(args.against, graph.vertices)
  const counted = (isIn: (v: number) => boolean): number[] => countIn(grouped, isIn)
  return {
    ...named(heads, first, args, graph.vertices),
    degrees: Array.from(degrees),
    sizes: Array.from(grouped.graph.sizes),
    members: first && counted((v) => first.isIn(v)),
    others: second && counted((v) => second.isIn(v)),
    both: first && second && counted((v) => first.isIn(v) && second.isIn(v)),
  }
}

function headsOf({ vertices, nodes, graph: coarse }: Grouped, graph: GaloisGr) {
  const heads = new Uint32Array(nodesOf(coarse))
  const degrees = new Int32Array(nodesOf(coarse)).fill(-1)
  const offsets = vertices === null ? graph.readOffsets(0, graph.vertices) : null
  const adjacency = new Adjacency(graph)
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

function named(heads: Uint32Array, decided: Decided | null, { folder, result }: OverviewArgs, vertices: number): Named {
  const labels = openVertexLabels(folder, vertices)
  const names = openVertexNames(folder, vertices)
  const places = openVertexPlaces(folder, vertices)
  try {
    const spots = places === null ? null : Array.from(heads, (v) => places.of(v))
    const words = valuesOf(result, (v) => labels.of(v))
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
  } finally {
    labels.close()
    names?.close()
    places?.close()
  }
}

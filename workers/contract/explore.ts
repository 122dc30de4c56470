/**
 * What the window may ask of a graph and its results: facts and degrees, search for vertices, rows of a result, neighbourhoods, drawings of the
 * whole graph and layouts. Answers are bounded in size whatever the graph, and vertices are named by labels. Schemas check what crosses a
 * process or the network. workers/explore answers; jobs.ts lists the jobs.
 */

import { z } from 'zod'
import type { EdgeWeights } from './catalogue.ts'
import { attributeKind, attributeValue } from './dataset.ts'
import { MOST_OPENED } from './drawings.ts'
import type { RunResult } from './result.ts'
import { count, list, numbers, texts, type GraphPlace } from './schema.ts'

/** Those of all degrees are all vertices. */
export const degreesSchema = z.lazy(() =>
  z.object({
    vertices: count,
    /** Degrees that occur, ascending. */
    degrees: list(z.object({ degree: count, vertices: count })),
  }),
)
export type DegreeDistribution = z.infer<typeof degreesSchema>

const vertex = { id: count, label: z.string(), name: z.string().nullable(), degree: count }
export type FoundVertex = z.infer<z.ZodObject<typeof vertex>>

const columns = list(z.object({ name: z.string(), kind: attributeKind }))

/** Column by column. */
const described = { ...vertex, attributes: list(attributeValue) }
export type DescribedVertex = z.infer<z.ZodObject<typeof described>>

/** `columns`: attributes of vertices. */
export const vertexSearchSchema = z.lazy(() => z.object({ columns, vertices: list(z.object(described)) }))
export type VertexSearch = z.infer<typeof vertexSearchSchema>

export const searchPart = { text: z.string().max(200), limit: z.number().int().min(1).max(100) }
export type VertexSearchArgs = GraphPlace & z.infer<z.ZodObject<typeof searchPart>>

export interface GraphFactsArgs extends GraphPlace {
  /** The weights' range as the report of the import has it; null without weights. */
  readonly weightRange: { readonly smallest: number; readonly largest: number } | null
  readonly onlyKept: boolean
}

export const graphFactsSchema = z.lazy(() =>
  z.object({
    components: z.object({
      count,
      /** Components of one vertex. */
      single: count,
      /** Sizes of the largest, the largest first. */
      largest: list(count),
    }),
    /** Mean local clustering coefficient of so many vertices. */
    clustering: z.object({ sampled: count, mean: z.number() }),
    /** Edges by weight, from `from` to below `to` (of the last one: to it); null without weights. */
    weights: list(z.object({ from: z.number(), to: z.number(), edges: count })).nullable(),
    /** Those of the largest degrees, equal ones by id. */
    top: list(z.object(vertex)),
  }),
)
export type GraphFacts = z.infer<typeof graphFactsSchema>

export interface ResultPlace {
  readonly kind: RunResult['kind']
  readonly algorithm: string
  readonly file: string
  readonly hash: string
}

/** A graph with results to mark in it. */
interface MarkedGraph extends GraphPlace {
  /** Absent: none is marked; of a table, all vertices are `in`. */
  readonly result?: ResultPlace | undefined
  /** Another one, to compare with. */
  readonly against?: ResultPlace | undefined
}

/** Which rows of a table of vertices, and in which order. */
export const tablePart = {
  /** The beginning of a label or name; empty: all. */
  text: z.string().max(200),
  /** A condition on attributes of vertices (docs/formats.md); of a pair one end is enough. Absent: all. */
  where: z.string().max(2000).optional(),
  /** What rows are sorted by, degree, value or attribute; equal ones by id; a pair by its smaller end. */
  sort: z.enum(['id', 'degree', 'value', 'attribute']),
  /** Its name, to sort by; rows without it are last. */
  attribute: z.string().optional(),
  down: z.boolean(),
  offset: count,
  limit: z.number().int().min(1).max(1000),
}
/** `out`: the vertices that are left; `both`: what `against` has too, pairs and values alike; `only`: what it has not. */
export const shownRows = z.enum(['in', 'out', 'both', 'only'])

export interface ResultRowsArgs extends MarkedGraph, Readonly<z.infer<z.ZodObject<typeof tablePart>>> {
  /** Absent: nothing. */
  readonly order?: EdgeOrderOfRun | undefined
  readonly show: z.infer<typeof shownRows>
}

interface EdgeOrderOfRun {
  readonly weights: EdgeWeights
  readonly seed: number
}

export const resultRowsSchema = z.lazy(() =>
  z.object({
    /** Rows of the whole table. */
    total: count,
    /** More were found. */
    truncated: z.boolean(),
    /** Attributes of vertices; of the edges of pairs. */
    columns,
    edgeColumns: columns,
    rows: list(
      z.object({
        ...described,
        /** The other end of a pair, and what the edge weighs and is. */
        mate: z.object({ ...described, weight: z.number().nullable(), ofEdge: list(attributeValue) }).nullable(),
        /** Words for the value; null: the result has none. */
        value: z.string().nullable(),
      }),
    ),
  }),
)
export type ResultRows = z.infer<typeof resultRowsSchema>

/** How the values of a result are spread over its vertices. */
export const valueCountsSchema = z.lazy(() =>
  z.object({
    /** What a bar is of: values, or the sizes of the classes that values only name. */
    by: z.enum(['values', 'sizes']),
    /** Values that occur. */
    distinct: count,
    /** Vertices without a value. */
    without: count,
    /** Ascending; those of all bars, and those without, are all vertices. */
    bars: list(z.object({ from: count, to: count, text: z.string(), vertices: count, values: count })),
  }),
)
export type ValueCounts = z.infer<typeof valueCountsSchema>

export interface ValueCountsArgs extends GraphPlace {
  readonly result: ResultPlace
}

/** Attributes of the vertices, by name, that a drawing is coloured or sized by. */
const attributes = { attributes: z.array(z.string()).max(100).optional() }

export const neighbourhoodPart = {
  ...attributes,
  /** A label; null: one that shows something, always the same. */
  vertex: z.string().nullable(),
  hops: z.number().int().min(1).max(4),
  limit: z.number().int().min(1).max(2000),
  /** Labels of further vertices, each with its neighbours, whatever the limit. */
  also: z.array(z.string()).max(100).optional(),
}
export type NeighbourhoodArgs = MarkedGraph & Readonly<z.infer<z.ZodObject<typeof neighbourhoodPart>>>

/** null without a run, for sets and matchings, and where the vertex has none. */
const value = z.object({ number: count, text: z.string() }).nullable()

export const neighbourhoodSchema = z.lazy(() =>
  z.object({
    centre: z.string(),
    vertices: list(
      z.object({
        ...vertex,
        /** Edges away from the middle. */
        hop: count,
        /** Whether it is in the set, or an end of a matched edge; null without a run. */
        member: z.boolean().nullable(),
        /** Whether it is in the result to compare with. */
        other: z.boolean().nullable(),
        value,
        /** Those that were asked for, in that order. */
        attributes: list(attributeValue).optional(),
        /** Longitude and latitude for cities. */
        x: z.number().nullable(),
        y: z.number().nullable(),
      }),
    ),
    edges: list(z.object({ source: count, target: count, weight: z.number().nullable(), matched: z.boolean() })),
    /** Something within `hops` is left out. */
    truncated: z.boolean(),
    limits: texts,
  }),
)
export type Neighbourhood = z.infer<typeof neighbourhoodSchema>

/** Which drawing of a whole graph is meant. */
const drawing = {
  ...attributes,
  /** Nodes at most. */
  limit: z.number().int().min(100).max(50_000),
  /** Groups by the cells of a map, where vertices have places; else by edges. */
  map: z.boolean().optional(),
}

export const overviewPart = {
  ...drawing,
  /** One node of the drawing of the same `limit`, whose vertices are drawn by themselves. */
  inside: count.optional(),
}
export type OverviewArgs = MarkedGraph & Readonly<z.infer<z.ZodObject<typeof overviewPart>>>

const ids = list(count)

/** Nodes of a drawing, column by column; each stands for one vertex or for a group, which is called by its vertex of the highest degree. */
const overviewNodesSchema = z.lazy(() =>
  z.object({
    ids,
    labels: texts,
    names: list(z.string().nullable()).nullable(),
    degrees: ids,
    /** Vertices that each stands for. */
    sizes: ids,
    /** How many of them are in the set, or matched; in that of the other result; in both. null without these. */
    members: ids.nullable(),
    others: ids.nullable(),
    both: ids.nullable(),
    /** The value of the vertex that each is called by, if the result has values. */
    values: list(value).nullable(),
    /** Those that were asked for, a column each: the mean of the numbers of a group, the most frequent of other values. */
    attributes: list(list(attributeValue)).optional(),
  }),
)
export type OverviewNodes = z.infer<typeof overviewNodesSchema>

/** A whole graph as it can be drawn. */
export const overviewSchema = z.lazy(() =>
  z.object({
    /** Every vertex; groups of them; groups of a sample. */
    kind: z.enum(['whole', 'coarse', 'sample']),
    /** Vertices of the graph. */
    vertices: count,
    edges: count,
    nodes: overviewNodesSchema,
    /** Edges between nodes, each once, and how many of the graph's each stands for; the first `strong` ones hold groups together. */
    drawn: z.object({ sources: ids, targets: ids, counts: numbers, strong: count }),
    /** Edges between nodes that are not drawn. */
    hidden: count,
    /** Pairs of nodes, each of one vertex, whose edge is in a matching. */
    matched: z.object({ sources: ids, targets: ids }),
    /** Vertices without a place, which a map leaves out; null: it is no map. */
    unplaced: count.nullable(),
    /** The node of the next coarser drawing that holds each node, level by level. */
    levels: list(ids),
    /** The place at which each node is drawn: by forces, or in the middle of the places of its vertices. */
    x: numbers,
    y: numbers,
  }),
)
export type Overview = z.infer<typeof overviewSchema>

export const openedPart = {
  ...drawing,
  /** Nodes of the drawing, which together stand for at most MOST_OPENED vertices. */
  nodes: z.array(count).min(1).max(MOST_OPENED),
}
export type OpenedArgs = MarkedGraph & Readonly<z.infer<z.ZodObject<typeof openedPart>>>

/** The vertices of some nodes of a drawing, column by column, in their place. */
export const openedSchema = z.lazy(() =>
  z.object({
    /** The node of the drawing that each vertex was in. */
    parents: ids,
    nodes: overviewNodesSchema,
    x: numbers,
    y: numbers,
    /** Edges from a vertex, by its place in these columns, to another, or to a node that stays: that node and the number of vertices. */
    drawn: z.object({ sources: ids, targets: ids, matched: list(z.boolean()) }),
  }),
)
export type Opened = z.infer<typeof openedSchema>

const MOST_LAID_OUT = 10_000
const ends = z.array(count).max(20 * MOST_LAID_OUT) as z.ZodType<readonly number[]>
const known = z.array(z.number().nullable()).max(MOST_LAID_OUT) as z.ZodType<readonly (number | null)[]>

/** A graph that is to be drawn: the ends of its edges are places in it. */
export const layoutArgsSchema = z.lazy(() =>
  z
    .object({
      nodes: count.max(MOST_LAID_OUT),
      sources: ends,
      targets: ends,
      /** Places of nodes that stay where they are; null for those that have none yet. Absent: none has. */
      known: z.object({ x: known, y: known }).optional(),
    })
    .refine(
      ({ nodes, sources, targets, known: places }) =>
        sources.length === targets.length &&
        [...sources, ...targets].every((v) => v < nodes) &&
        (places === undefined || (places.x.length === nodes && places.y.length === nodes)),
      'the ends of edges and the places must be those of the nodes',
    ),
)
export type LayoutArgs = z.infer<typeof layoutArgsSchema>

/** `strong`: of each edge, whether it holds a group together. */
export const layoutSchema = z.lazy(() => z.object({ x: numbers, y: numbers, strong: list(z.boolean()) }))
export type Layout = z.infer<typeof layoutSchema>

export interface ExploreJobs {
  degrees: { args: GraphPlace; result: DegreeDistribution }
  'graph-facts': { args: GraphFactsArgs; result: GraphFacts | null }
  'vertex-search': { args: VertexSearchArgs; result: VertexSearch }
  neighbourhood: { args: NeighbourhoodArgs; result: Neighbourhood }
  'result-rows': { args: ResultRowsArgs; result: ResultRows }
  'value-counts': { args: ValueCountsArgs; result: ValueCounts }
  overview: { args: OverviewArgs; result: Overview }
  'open-nodes': { args: OpenedArgs; result: Opened }
  layout: { args: LayoutArgs; result: Layout }
}

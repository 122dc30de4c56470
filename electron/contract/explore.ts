import { z } from 'zod'
import {
  attributeKinds,
  type GraphFacts,
  type Layout,
  type Neighbourhood,
  type Overview,
  type ResultRows,
  type VertexSearch,
  type DegreeDistribution,
} from '../../workers/contract/jobs.ts'

const id = z.number().int().nonnegative()
const vertex = {
  id,
  label: z.string(),
  name: z.string().nullable(),
  degree: id,
}

const valueSchema = z.object({ number: id, text: z.string() }).nullable()

const columns = z.array(z.object({ name: z.string(), kind: z.enum(attributeKinds) }))
const values = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
const described = { ...vertex, attributes: values }

const vertexSearchSchema: z.ZodType<VertexSearch> = z.object({ columns, vertices: z.array(z.object(described)) })

const graphFactsSchema: z.ZodType<GraphFacts> = z.object({
  components: z.object({ count: id, single: id, largest: z.array(id) }),
  clustering: z.object({ sampled: id, mean: z.number() }),
  weights: z.array(z.object({ from: z.number(), to: z.number(), edges: id })).nullable(),
  top: z.array(z.object(vertex)),
})

const resultRowsSchema: z.ZodType<ResultRows> = z.object({
  total: id,
  truncated: z.boolean(),
  columns,
  edgeColumns: columns,
  rows: z.array(
    z.object({
      ...described,
      mate: z.object({ ...described, weight: z.number().nullable(), ofEdge: values }).nullable(),
      value: z.string().nullable(),
    }),
  ),
})

const neighbourhoodSchema: z.ZodType<Neighbourhood> = z.object({
  centre: z.string(),
  vertices: z.array(
    z.object({
      ...vertex,
      hop: id,
      member: z.boolean().nullable(),
      other: z.boolean().nullable(),
      value: valueSchema,
      x: z.number().nullable(),
      y: z.number().nullable(),
    }),
  ),
  edges: z.array(z.object({ source: id, target: id, weight: z.number().nullable(), matched: z.boolean() })),
  truncated: z.boolean(),
  limits: z.array(z.string()),
})

const ids = z.array(id)
const numbers = z.array(z.number())

const overviewSchema: z.ZodType<Overview> = z.object({
  kind: z.enum(['whole', 'coarse', 'sample']),
  vertices: id,
  edges: id,
  nodes: z.object({
    ids,
    labels: z.array(z.string()),
    names: z.array(z.string().nullable()).nullable(),
    degrees: ids,
    places: z.array(z.tuple([z.number(), z.number()])).nullable(),
    sizes: ids,
    members: ids.nullable(),
    others: ids.nullable(),
    both: ids.nullable(),
    values: z.array(valueSchema).nullable(),
  }),
  drawn: z.object({ sources: ids, targets: ids, counts: numbers, strong: id }),
  hidden: id,
  levels: z.array(ids),
  x: numbers,
  y: numbers,
})

const MOST_LAID_OUT = 10_000
const ends = z.array(id).max(20 * MOST_LAID_OUT)
const known = z.array(z.number().nullable()).max(MOST_LAID_OUT)

/** A graph that is to be drawn; see `LayoutArgs` in workers/contract/jobs.ts. */
const layoutArgsSchema = z
  .object({
    nodes: id.max(MOST_LAID_OUT),
    sources: ends,
    targets: ends,
    known: z.object({ x: known, y: known }).optional(),
  })
  .refine(
    ({ nodes, sources, targets, known: places }) =>
      sources.length === targets.length &&
      [...sources, ...targets].every((v) => v < nodes) &&
      (places === undefined || (places.x.length === nodes && places.y.length === nodes)),
    'the ends of edges and the places must be those of the nodes',
  )

const layoutSchema: z.ZodType<Layout> = z.object({ x: numbers, y: numbers, strong: z.array(z.boolean()) })

/** Which rows of a table of vertices, and in which order. */
const tablePart = {
  /** Vertices whose label or name begins with it; empty: all. */
  text: z.string().max(200),
  /** A condition on attributes (docs/formats.md). */
  where: z.string().max(2000).optional(),
  sort: z.enum(['id', 'degree', 'value', 'attribute']),
  attribute: z.string().optional(),
  down: z.boolean(),
  offset: z.number().int().nonnegative(),
  limit: z.number().int().min(1).max(1000),
}

/** The calls of pages that show a graph. */
export const exploreCalls = {
  'explore.search': {
    args: z.object({ dataset: z.string(), text: z.string().max(200), limit: z.number().int().min(1).max(100) }),
    result: vertexSearchSchema,
  },
  /** Of the whole graph, in one pass. `onlyKept`: what was counted before, else null. */
  'explore.facts': {
    args: z.object({ dataset: z.string(), onlyKept: z.boolean() }),
    result: z.object({ facts: graphFactsSchema.nullable() }),
  },
  'explore.neighbourhood': {
    args: z.object({
      dataset: z.string(),
      run: z.string().optional(),
      /** A second run, to compare with. */
      against: z.string().optional(),
      /** Its label; null for a sensible start. */
      vertex: z.string().nullable(),
      hops: z.number().int().min(1).max(4),
      limit: z.number().int().min(1).max(2000),
      /** Labels of vertices that are shown with their neighbours, wherever they are. */
      also: z.array(z.string()).max(100).optional(),
    }),
    result: neighbourhoodSchema,
  },
  /** The whole graph, or what one node of such a drawing stands for. */
  'explore.overview': {
    args: z.object({
      dataset: z.string(),
      run: z.string().optional(),
      against: z.string().optional(),
      /** Nodes at most. */
      limit: z.number().int().min(100).max(50_000),
      inside: z.number().int().nonnegative().optional(),
    }),
    result: overviewSchema,
  },
  /** Places for a graph of the page's own. */
  'explore.layout': { args: layoutArgsSchema, result: layoutSchema },
  /** A part of the table of a run's result: its members or pairs, the vertices that are left, or what it has in common with another's. */
  'explore.result': {
    args: z.object({
      run: z.string(),
      /** A second run of the same dataset, for `both` and `only`. */
      against: z.string().optional(),
      show: z.enum(['in', 'out', 'both', 'only']),
      ...tablePart,
    }),
    result: resultRowsSchema,
  },
  /** A part of the table of all vertices. */
  'explore.vertices': { args: z.object({ dataset: z.string(), ...tablePart }), result: resultRowsSchema },
} as const

const count = z.number().int().nonnegative()

export const degreesSchema: z.ZodType<DegreeDistribution> = z.object({
  vertices: count,
  degrees: z.array(z.object({ degree: count, vertices: count })),
})

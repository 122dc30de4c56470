import type { EdgeWeights } from './catalogue.ts'
import type { AttributeColumn, AttributeValue } from './dataset.ts'
import type { RunResult } from './result.ts'

export interface DegreesArgs {
  readonly folder: string
  readonly checksum: string
}

/** Those of all degrees are all vertices. */
export interface DegreeDistribution {
  readonly vertices: number
  /** That occur, ascending. */
  readonly degrees: readonly { readonly degree: number; readonly vertices: number }[]
}

export interface FoundVertex {
  readonly id: number
  readonly label: string
  readonly name: string | null
  readonly degree: number
}

export interface GraphFactsArgs extends DegreesArgs {
  /** As the report of the import has it; null without weights. */
  readonly weightRange: { readonly smallest: number; readonly largest: number } | null
  readonly onlyKept: boolean
}

export interface GraphFacts {
  readonly components: {
    readonly count: number
    /** Of one vertex. */
    readonly single: number
    /** Sizes of the largest, the largest first. */
    readonly largest: readonly number[]
  }
  /** Mean local clustering coefficient of so many vertices. */
  readonly clustering: { readonly sampled: number; readonly mean: number }
  /** Edges by weight, from `from` to below `to` (of the last one: to it); null without weights. */
  readonly weights: readonly { readonly from: number; readonly to: number; readonly edges: number }[] | null
  /** Those of the largest degrees, equal ones by id. */
  readonly top: readonly FoundVertex[]
}

export interface VertexSearchArgs {
  readonly folder: string
  readonly checksum: string
  readonly text: string
  readonly limit: number
}

export interface VertexSearch {
  /** Attributes of vertices. */
  readonly columns: readonly NamedColumn[]
  readonly vertices: readonly DescribedVertex[]
}

export type NamedColumn = Pick<AttributeColumn, 'name' | 'kind'>

export interface DescribedVertex extends FoundVertex {
  /** Column by column. */
  readonly attributes: readonly AttributeValue[]
}

export interface ResultPlace {
  readonly kind: RunResult['kind']
  readonly algorithm: string
  readonly file: string
  readonly hash: string
}

export interface ResultRowsArgs {
  readonly folder: string
  readonly checksum: string
  /** Absent: all vertices are `in`. */
  readonly result?: ResultPlace | undefined
  /** Another result of the same kind, for `both` and `only`. */
  readonly against?: ResultPlace | undefined
  /** Absent: nothing. */
  readonly order?: EdgeOrderOfRun | undefined
  /** `out`: the vertices that are left; `both`: what `against` has too, pairs and values alike; `only`: what it has not. */
  readonly show: 'in' | 'out' | 'both' | 'only'
  /** The beginning of a label or name; empty: all. */
  readonly text: string
  /** A condition on attributes of vertices; of a pair one end is enough. Absent: all. */
  readonly where?: string | undefined
  /** By degree, value or attribute, equal ones by id; of a pair its smaller end. */
  readonly sort: 'id' | 'degree' | 'value' | 'attribute'
  /** Its name, to sort by; rows without it are last. */
  readonly attribute?: string | undefined
  readonly down: boolean
  readonly offset: number
  readonly limit: number
}

export interface EdgeOrderOfRun {
  readonly weights: EdgeWeights
  readonly seed: number
}

export interface ResultRows {
  /** Rows of the whole table. */
  readonly total: number
  /** More were found. */
  readonly truncated: boolean
  /** Attributes of vertices; of the edges of pairs. */
  readonly columns: readonly NamedColumn[]
  readonly edgeColumns: readonly NamedColumn[]
  readonly rows: readonly (DescribedVertex & {
    /** Of a pair its other end, and what the edge weighs and is. */
    readonly mate:
      (DescribedVertex & { readonly weight: number | null; readonly ofEdge: readonly AttributeValue[] }) | null
    /** In words; null where the result has none. */
    readonly value: string | null
  })[]
}

export interface NeighbourhoodArgs {
  readonly folder: string
  readonly checksum: string
  /** A label; null: one that shows something, always the same. */
  readonly vertex: string | null
  readonly hops: number
  readonly limit: number
  /** Labels of further vertices, each with its neighbours, whatever the limit. */
  readonly also?: readonly string[] | undefined
  /** Absent: none is marked. */
  readonly result?: ResultPlace | undefined
  /** Another one, to compare with. */
  readonly against?: ResultPlace | undefined
}

export interface Neighbourhood {
  readonly centre: string
  readonly vertices: readonly (FoundVertex & {
    /** Edges away from the middle. */
    readonly hop: number
    /** In the set; an end of a matched edge. null without a run. */
    readonly member: boolean | null
    /** Of the result to compare with. */
    readonly other: boolean | null
    /** null without a run, for sets and matchings, and where the vertex has none. */
    readonly value: { readonly number: number; readonly text: string } | null
    /** Longitude and latitude for cities. */
    readonly x: number | null
    readonly y: number | null
  })[]
  readonly edges: readonly {
    readonly source: number
    readonly target: number
    readonly weight: number | null
    readonly matched: boolean
  }[]
  /** Something within `hops` is left out. */
  readonly truncated: boolean
  readonly limits: readonly string[]
}

export interface OverviewArgs {
  readonly folder: string
  readonly checksum: string
  /** Nodes at most. */
  readonly limit: number
  /** One node of the drawing of the same `limit`, whose vertices are drawn by themselves. */
  readonly inside?: number | undefined
  readonly result?: ResultPlace | undefined
  /** Another result, to compare with. */
  readonly against?: ResultPlace | undefined
}

/** Nodes of a drawing, column by column; each stands for one vertex or for a group, which is called by its vertex of the highest degree. */
export interface OverviewNodes {
  readonly ids: readonly number[]
  readonly labels: readonly string[]
  readonly names: readonly (string | null)[] | null
  readonly degrees: readonly number[]
  /** Places x, y of their own, where all have them. */
  readonly places: readonly (readonly [number, number])[] | null
  /** Vertices that each stands for. */
  readonly sizes: readonly number[]
  /** How many of them are in the set, or matched; in that of the other result; in both. null without these. */
  readonly members: readonly number[] | null
  readonly others: readonly number[] | null
  readonly both: readonly number[] | null
  /** Of the vertex that each is called by, where the result is of values. */
  readonly values: readonly Neighbourhood['vertices'][number]['value'][] | null
}

/** A whole graph as it can be drawn. */
export interface Overview {
  /** Every vertex; groups of them; groups of a sample. */
  readonly kind: 'whole' | 'coarse' | 'sample'
  /** Of the graph. */
  readonly vertices: number
  readonly edges: number
  readonly nodes: OverviewNodes
  /** Edges between nodes, each once, and how many of the graph's each stands for; the first `strong` ones hold groups together. */
  readonly drawn: {
    readonly sources: readonly number[]
    readonly targets: readonly number[]
    readonly counts: readonly number[]
    readonly strong: number
  }
  /** Edges between nodes that are not drawn. */
  readonly hidden: number
  /** The node of the next coarser drawing that holds each node, level by level. */
  readonly levels: readonly (readonly number[])[]
  /** Where each node is drawn, by forces. */
  readonly x: readonly number[]
  readonly y: readonly number[]
}

/** A graph that is to be drawn: the ends of its edges are places in it. */
export interface LayoutArgs {
  readonly nodes: number
  readonly sources: readonly number[]
  readonly targets: readonly number[]
  /** Places of nodes that stay where they are; null for those that have none yet. Absent: none has. */
  readonly known?: { readonly x: readonly (number | null)[]; readonly y: readonly (number | null)[] } | undefined
}

export interface Layout {
  readonly x: readonly number[]
  readonly y: readonly number[]
  /** Of each edge, whether it holds a group together. */
  readonly strong: readonly boolean[]
}

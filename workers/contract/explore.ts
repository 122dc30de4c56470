import type { EdgeWeights } from './catalogue.ts'
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

export interface VertexSearchArgs {
  readonly folder: string
  readonly checksum: string
  readonly text: string
  readonly limit: number
}

export interface VertexSearch {
  readonly vertices: readonly FoundVertex[]
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
  readonly result: ResultPlace
  /** Absent: nothing. */
  readonly order?: EdgeOrderOfRun | undefined
  /** `out`: the vertices that are left. */
  readonly show: 'in' | 'out'
  /** The beginning of a label or name; empty: all. */
  readonly text: string
  /** By degree or value, equal ones by id; of a pair its smaller end. */
  readonly sort: 'id' | 'degree' | 'value'
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
  readonly rows: readonly (FoundVertex & {
    /** Of a pair its other end, and what the edge weighs. */
    readonly mate: (FoundVertex & { readonly weight: number | null }) | null
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
  /** Absent: none is marked. */
  readonly result?: ResultPlace | undefined
}

export interface Neighbourhood {
  readonly centre: string
  readonly vertices: readonly (FoundVertex & {
    /** Edges away from the middle. */
    readonly hop: number
    /** In the set; an end of a matched edge. null without a run. */
    readonly member: boolean | null
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

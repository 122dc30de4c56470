import type { EdgeWeights } from './catalogue.ts'
import type { RunResult } from './result.ts'

export interface DegreesArgs {
  readonly folder: string
  readonly checksum: string
}

/** How many vertices have which degree. A conserved sum: those of all degrees are all vertices. */
export interface DegreeDistribution {
  readonly vertices: number
  /** Every degree that occurs, 0 too, ascending. At most sqrt(2 m) + 1 of them: the degrees add up to the arcs. */
  readonly degrees: readonly { readonly degree: number; readonly vertices: number }[]
}

/** A vertex that was found: internal id, label, the name that its dataset has for it, degree. */
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

/** The result of a run, as its record names it. */
export interface ResultPlace {
  readonly kind: RunResult['kind']
  /** Which explains the values of one. */
  readonly algorithm: string
  readonly file: string
  readonly hash: string
}

export interface ResultRowsArgs {
  readonly folder: string
  readonly checksum: string
  readonly result: ResultPlace
  /** What the edges of a matching weigh; absent: nothing. */
  readonly order?: EdgeOrderOfRun | undefined
  /** The members, the pairs or the vertices with a value, or the vertices that are left. */
  readonly show: 'in' | 'out'
  /** Vertices whose label or name begins with it; empty: all. */
  readonly text: string
  /** By id, by degree (of a pair: of its smaller end), or by value, equal ones by id. */
  readonly sort: 'id' | 'degree' | 'value'
  readonly down: boolean
  readonly offset: number
  readonly limit: number
}

export interface EdgeOrderOfRun {
  readonly weights: EdgeWeights
  readonly seed: number
}

/** A part of the table of a result. */
export interface ResultRows {
  /** Rows of the whole table. */
  readonly total: number
  /** Whether more were found than a search gives. */
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
  /** Label of the vertex in the middle; null: one that shows something, the same every time. */
  readonly vertex: string | null
  readonly hops: number
  /** Vertices at most. */
  readonly limit: number
  /** The result of a run; absent: none is marked. */
  readonly result?: ResultPlace | undefined
}

/** A part of a graph that is small enough to be drawn. */
export interface Neighbourhood {
  /** Label of the vertex in the middle. */
  readonly centre: string
  readonly vertices: readonly (FoundVertex & {
    /** Edges away from the middle. */
    readonly hop: number
    /** In the set; an end of a matched edge. null without a run. */
    readonly member: boolean | null
    /** As the result has it, and in words; null without a run, for sets and matchings, and where the vertex has none. */
    readonly value: { readonly number: number; readonly text: string } | null
    /** Its place, where the dataset has places: longitude and latitude for cities. */
    readonly x: number | null
    readonly y: number | null
  })[]
  /** Between internal ids of vertices above, each once. */
  readonly edges: readonly {
    readonly source: number
    readonly target: number
    readonly weight: number | null
    readonly matched: boolean
  }[]
  /** Whether something within `hops` is left out. */
  readonly truncated: boolean
  /** In words, what was left out and why. */
  readonly limits: readonly string[]
}

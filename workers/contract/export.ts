import type { GraphExportFormat } from './graph-formats.ts'
import type { RunResult } from './result.ts'

export const exportFormats = [
  'ids',
  'csv',
  'bits',
  'npy',
  'parquet',
  'aggregate',
  'classes',
  'prolongation',
  'quotient',
] as const
/**
 * Of a set, ids: one member a line; csv: every vertex as `id,in`; bits: bit vector, least significant bit first; npy, parquet: member
 * ids. Of a matching, ids: a pair a line; csv, parquet: pairs; aggregate: every vertex as `id,aggregate`; npy: the aggregates alone. Of
 * values, ids: every vertex as `id<TAB>value`; csv, parquet: the same as a table; npy: the values alone, u32, in the order of the vertices;
 * classes: the vertices of one value a line. Of a matching and of values that are dense, prolongation: the matrix of 0 and 1 from
 * aggregates to vertices as Matrix Market; quotient: the graph of aggregates as that, a line with its weight, or 1, for every edge between two.
 */
export type ExportFormat = (typeof exportFormats)[number]

export interface GraphExportArgs {
  readonly folder: string
  readonly checksum: string
  readonly format: GraphExportFormat
  readonly output: string
  readonly gzip?: boolean | undefined
  /** Of CSV: no cell begins as a formula does. */
  readonly spreadsheetSafe?: boolean | undefined
  /** Of edge lists: no comment at the top, no quotes around texts. */
  readonly bare?: boolean | undefined
}

export interface GraphExportOutcome {
  /** The graph, and the labels beside it where the format has no room for them. */
  readonly files: readonly string[]
  readonly bytes: number
  readonly vertices: number
  readonly arcs: number
  /** What the format could not carry. */
  readonly notes: readonly string[]
}

export interface ExportArgs {
  readonly folder: string
  readonly checksum: string
  readonly resultFile: string
  /** As recorded; absent: not compared. */
  readonly hash?: string | undefined
  /** Absent: an independent set. */
  readonly kind?: RunResult['kind'] | undefined
  readonly algorithm?: string | undefined
  readonly format: ExportFormat
  readonly output: string
  /** Of CSV: no cell begins as a formula does. */
  readonly spreadsheetSafe?: boolean | undefined
}

export interface ExportOutcome {
  readonly files: readonly string[]
  readonly bytes: number
  /** Or pairs, or vertices with a value. */
  readonly members: number
}

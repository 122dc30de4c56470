import type { GraphExportFormat } from './graph-formats.ts'
import type { RunResult } from './run.ts'

export const exportFormats = ['ids', 'csv', 'bits', 'npy', 'parquet', 'aggregate'] as const
/**
 * Of a set, ids: one member a line; csv: every vertex as `id,in`; bits: bit vector, least significant bit first; npy, parquet: member
 * ids. Of a matching, ids: a pair a line; csv, parquet: pairs; aggregate: every vertex as `id,aggregate`; npy: the aggregates alone.
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
}

export interface GraphExportOutcome {
  /** The graph, and the labels beside it where the format has no room for them. */
  readonly files: readonly string[]
  /** Bytes of the graph's file. */
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
  /** Its fingerprint, as the run recorded it; absent: it is taken as it is. */
  readonly hash?: string | undefined
  /** What resultFile holds; absent: an independent set. */
  readonly kind?: RunResult['kind'] | undefined
  readonly format: ExportFormat
  readonly output: string
  /** Of CSV: no cell begins as a formula does. */
  readonly spreadsheetSafe?: boolean | undefined
}

export interface ExportOutcome {
  readonly files: readonly string[]
  readonly bytes: number
  /** Of the set, or pairs of the matching. */
  readonly members: number
}

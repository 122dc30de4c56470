import { z } from 'zod'
import { graphExportFormats } from './graph-formats.ts'
import type { RunResult } from './result.ts'
import { texts, type GraphPlace } from './schema.ts'

/** With the ends of names. */
export const resultEndings = {
  ids: 'txt',
  csv: 'csv',
  bits: 'bits',
  npy: 'npy',
  parquet: 'parquet',
  aggregate: 'aggregate.csv',
  classes: 'classes.txt',
  prolongation: 'prolongation.mtx',
  quotient: 'quotient.mtx',
} as const
/**
 * Of a set, ids: one member a line; csv: every vertex as `id,in`; bits: bit vector, least significant bit first; npy, parquet: member
 * ids. Of a matching, ids: a pair a line; csv, parquet: pairs; aggregate: every vertex as `id,aggregate`; npy: the aggregates alone. Of
 * values, ids: every vertex as `id<TAB>value`; csv, parquet: the same as a table; npy: the values alone, u32, in the order of the vertices;
 * classes: the vertices of one value a line. Of a matching and of values that are dense, prolongation: the matrix of 0 and 1 from
 * aggregates to vertices as Matrix Market; quotient: the graph of aggregates as that, a line with its weight, or 1, for every edge between two.
 */
export type ExportFormat = keyof typeof resultEndings
export const exportFormats = Object.keys(resultEndings) as ExportFormat[]

/** Of CSV: no cell begins as a formula does. */
export const spreadsheetSafe = z.boolean().optional()

export const graphExportOptions = {
  format: z.enum(graphExportFormats),
  output: z.string(),
  gzip: z.boolean().optional(),
  spreadsheetSafe,
  /** Of edge lists: no comment at the top, no quotes around texts. */
  bare: z.boolean().optional(),
}
export type GraphExportArgs = GraphPlace & Readonly<z.infer<z.ZodObject<typeof graphExportOptions>>>

export const graphExportOutcomeSchema = z.object({
  /** The graph, and the labels beside it where the format has no room for them. */
  files: texts,
  bytes: z.number(),
  vertices: z.number(),
  arcs: z.number(),
  /** What the format could not carry. */
  notes: texts,
})
export type GraphExportOutcome = z.infer<typeof graphExportOutcomeSchema>

export const exportOptions = { format: z.enum(exportFormats), output: z.string(), spreadsheetSafe }

export interface ExportArgs extends GraphPlace, Readonly<z.infer<z.ZodObject<typeof exportOptions>>> {
  readonly resultFile: string
  /** As recorded; absent: not compared. */
  readonly hash?: string | undefined
  /** Absent: an independent set. */
  readonly kind?: RunResult['kind'] | undefined
  readonly algorithm?: string | undefined
}

export const exportOutcomeSchema = z.object({
  files: texts,
  bytes: z.number(),
  /** Or pairs, or vertices with a value. */
  members: z.number(),
})
export type ExportOutcome = z.infer<typeof exportOutcomeSchema>

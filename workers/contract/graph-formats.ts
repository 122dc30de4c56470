/**
 * File formats that import reads (docs/formats.md). `edge-list` covers SNAP, TSV, CSV and space-separated lists; `galois` both
 * versions, `egr` both widths, `gapbs` .sg and .wsg, as the file itself says.
 */
export const graphFormats = [
  'matrix-market',
  'edge-list',
  'konect',
  'metis',
  'dimacs',
  'dimacs9',
  'pbbs',
  'galois',
  'egr',
  'gapbs',
  'vite',
  'graph500',
  'graph500-packed',
  'parquet',
  'arrow',
  'graphml',
  'gexf',
  'webgraph',
] as const
export type FormatName = (typeof graphFormats)[number]

export const weightRules = ['reject', 'absolute', 'drop', 'shift'] as const
/**
 * What to do with weights that are zero or negative; `shift` adds the same number to all weights, so that the smallest becomes 1.
 * NaN and infinite weights are always refused.
 */
export type WeightRule = (typeof weightRules)[number]

export const mergeRules = ['max', 'sum', 'min', 'first'] as const
/**
 * Which weight stays where an edge is given several times. Entries (u, v) that repeat are merged first: the largest, their
 * sum, the smallest, or the one read first stays. Then the two directions are: the smaller one stays under `min`, that from
 * the smaller id under `first`, else the larger one; they are never added, as many files hold every edge in both directions.
 */
export type MergeRule = (typeof mergeRules)[number]

export const headerChoices = ['auto', 'yes', 'no'] as const
export type HeaderChoice = (typeof headerChoices)[number]

/** Which columns of a table (CSV and the like, Parquet, Arrow) make the graph. Columns are names, or numbers from 1 as text. */
export interface TableOptions {
  readonly sourceColumn?: string | undefined
  readonly targetColumn?: string | undefined
  readonly weightColumn?: string | undefined
  /** One character, or `tab`, `space` (runs of blanks), `comma`, `semicolon`, `pipe`. Absent: as the first lines say. */
  readonly delimiter?: string | undefined
  /** Whether the first line names the columns. */
  readonly header?: HeaderChoice | undefined
  /** What lines that are no data begin with. Absent: #, % and //. */
  readonly comment?: string | undefined
  /** "column op number" with <, <=, =, !=, >= or >: only rows for which it holds are entries. */
  readonly where?: string | undefined
}

export const graphExportFormats = [
  'matrix-market',
  'edge-list',
  'csv',
  'metis',
  'dimacs',
  'dimacs9',
  'galois',
  'galois2',
  'egr',
  'egr64',
  'sg',
  'wsg',
  'pbbs',
  'vite',
  'parquet',
  'arrow',
] as const
/** Formats that graphs are written in (docs/formats.md): versions and widths that reading tells apart have names of their own. */
export type GraphExportFormat = (typeof graphExportFormats)[number]

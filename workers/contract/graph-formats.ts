/** Formats that import reads (docs/formats.md), each with the ends of names that suggest it; the file itself decides. */
const formatEndings = {
  'matrix-market': ['mtx'],
  'edge-list': ['el', 'wel', 'edges', 'edgelist', 'snap', 'txt', 'tsv', 'csv', 'ssv'],
  konect: [],
  metis: ['metis', 'chaco', 'graph'],
  dimacs: ['col', 'dimacs', 'clq'],
  dimacs9: [],
  pbbs: ['adj', 'pbbs'],
  galois: ['gr'],
  egr: ['egr', 'egr64'],
  gapbs: ['sg', 'wsg'],
  vite: [],
  graph500: [],
  'graph500-packed': [],
  parquet: ['parquet'],
  arrow: ['arrow', 'feather'],
  graphml: ['graphml'],
  gexf: ['gexf'],
  webgraph: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type FormatName = keyof typeof formatEndings
export const graphFormats = Object.keys(formatEndings) as FormatName[]

/** The format that a file's name suggests. */
export function formatOfName(name: string): FormatName | undefined {
  const plain = name.toLowerCase().replace(/\.(gz|bgz)$/, '')
  return graphFormats.find((format) => formatEndings[format].some((ending) => plain.endsWith(`.${ending}`)))
}

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

/** Formats that graphs are written in (docs/formats.md), versions and widths apart, each with the usual end of its names. */
export const exportEndings = {
  'matrix-market': 'mtx',
  'edge-list': 'txt',
  csv: 'csv',
  metis: 'graph',
  dimacs: 'col',
  dimacs9: 'gr',
  galois: 'gr',
  galois2: 'gr',
  egr: 'egr',
  egr64: 'egr64',
  sg: 'sg',
  wsg: 'wsg',
  pbbs: 'adj',
  vite: 'vite',
  parquet: 'parquet',
  arrow: 'arrow',
} as const satisfies Readonly<Record<string, string>>

export type GraphExportFormat = keyof typeof exportEndings
export const graphExportFormats = Object.keys(exportEndings) as GraphExportFormat[]

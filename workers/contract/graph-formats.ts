/** Formats that import reads, with the ends of names that suggest them; the file decides. */
const formatEndings = {
  'matrix-market': ['mtx'],
  'edge-list': ['el', 'wel', 'edges', 'edgelist', 'snap', 'txt', 'tsv', 'csv', 'ssv'],
  konect: [],
  metis: ['metis', 'chaco', 'graph'],
  dimacs: ['col', 'dimacs', 'clq'],
  dimacs9: [],
  pace: [],
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
  gml: ['gml'],
  'node-link': ['json'],
  'json-graph': ['jgf'],
  lemon: ['lgf'],
  pajek: ['net', 'paj'],
  graph6: ['g6', 's6', 'd6'],
  npz: ['npz'],
  npy: ['npy'],
  hmetis: ['hgr'],
  'rutherford-boeing': ['rb', 'hb', 'rua', 'rsa', 'rra', 'pua', 'psa', 'pra', 'cua', 'csa'],
  webgraph: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type FormatName = keyof typeof formatEndings
export const graphFormats = Object.keys(formatEndings) as FormatName[]

/** Whether several files can be one graph: a file of any other format holds a whole one. */
export const canBePart = (format: string): boolean => format === 'edge-list'

export function formatOfName(name: string): FormatName | undefined {
  const plain = name.toLowerCase().replace(/\.(gz|bgz)$/, '')
  return graphFormats.find((format) => formatEndings[format].some((ending) => plain.endsWith(`.${ending}`)))
}

export const weightRules = ['reject', 'absolute', 'drop', 'shift'] as const
/** `shift`: the smallest becomes 1. NaN and infinite weights are always refused. */
export type WeightRule = (typeof weightRules)[number]

export const mergeRules = ['max', 'sum', 'min', 'first', 'total', 'count'] as const
/**
 * Entries (u, v) that repeat are merged first. Then of the two directions the smaller weight stays under `min`, that
 * from the smaller id under `first`, else the larger one; they are added under `total` alone, as many files hold every edge
 * in both directions. Under `count` the weight of an edge is the number of its entries, in either direction.
 */
export type MergeRule = (typeof mergeRules)[number]

/** Whether weights of both directions of an edge are added. */
export const addsDirections = (rule: MergeRule = 'max'): boolean => rule === 'total' || rule === 'count'

/** Whether weights are added: sums are 32-bit floats. */
export const addsWeights = (rule: MergeRule = 'max'): boolean => rule === 'sum' || addsDirections(rule)

/** `auto`: UTF-8, and what a byte order mark, zero bytes or an XML declaration say. Windows-1252 includes Latin-1. */
const textEncodings = [
  'auto',
  'utf-8',
  'utf-16',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'macintosh',
  'shift_jis',
  'gb18030',
  'euc-kr',
] as const
export type TextEncoding = (typeof textEncodings)[number]

interface TableOptionEntry {
  readonly value: string
  readonly words: string
  readonly choices?: readonly string[]
}

/**
 * Options of the command line, fields of requests and of the window. Columns are names, or numbers from 1 as text.
 */
export const tableOptions = {
  sourceColumn: { value: 'column', words: 'name or number (from 1) of the column of first ids' },
  targetColumn: { value: 'column', words: 'name or number of the column of second ids' },
  weightColumn: { value: 'column', words: 'name or number of the column of weights' },
  delimiter: {
    value: 'character',
    words: 'what separates columns: one character, or tab, space, comma, semicolon, pipe',
  },
  header: { value: 'choice', words: 'whether the first line names the columns', choices: ['auto', 'yes', 'no'] },
  comment: { value: 'prefix', words: 'what lines that are no data begin with (default: #, % and //)' },
  where: { value: 'condition', words: "keep rows only for which it holds: 'weight>=0.9'" },
  attributes: {
    value: 'columns',
    words:
      'columns to keep as attributes of the edges: names with commas between them, all, or none (default: those of formats that have some)',
  },
  vertexColumn: {
    value: 'column',
    words:
      'name or number of the column of ids in the table of vertices (default: id, node or vertex by name, else the first)',
  },
  encoding: { value: 'name', words: 'how the text is encoded', choices: textEncodings },
  decimal: {
    value: 'sign',
    words: 'the decimal sign of weights (default: as they show)',
    choices: ['auto', 'point', 'comma'],
  },
  missingWeight: {
    value: 'rule',
    words: 'what to do with edges that have no weight where others have one (default: stop)',
    choices: ['stop', 'one', 'skip'],
  },
  badRows: {
    value: 'rule',
    words: 'what to do with rows that are no edge: an id is missing or broken, quotes do not end (default: stop)',
    choices: ['stop', 'skip'],
  },
} as const satisfies Readonly<Record<string, TableOptionEntry>>

type TableOptionName = keyof typeof tableOptions

export type TableOptions = {
  readonly [Name in TableOptionName]?:
    ((typeof tableOptions)[Name] extends { readonly choices: readonly (infer Choice)[] } ? Choice : string) | undefined
}

/** Formats that are written, with the usual ends of names; those that most programs read come first. */
export const exportEndings = {
  csv: 'csv',
  'edge-list': 'txt',
  vertices: 'vertices.csv',
  graphml: 'graphml',
  gexf: 'gexf',
  geojson: 'geojson',
  parquet: 'parquet',
  arrow: 'arrow',
  'matrix-market': 'mtx',
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
} as const satisfies Readonly<Record<string, string>>

export type GraphExportFormat = keyof typeof exportEndings
export const graphExportFormats = Object.keys(exportEndings) as GraphExportFormat[]

/** What the formats that are written are called in menus, with the programs that read them. */
export const exportTitles: Readonly<Record<GraphExportFormat, string>> = {
  csv: 'CSV, an edge a row',
  'edge-list': 'Edge list, two ids a line',
  vertices: 'CSV, a vertex a row',
  graphml: 'GraphML: Gephi, Cytoscape, NetworkX',
  gexf: 'GEXF: Gephi',
  geojson: 'GeoJSON, a point for every vertex: QGIS',
  parquet: 'Parquet, an edge a row',
  arrow: 'Arrow, an edge a row',
  'matrix-market': 'Matrix Market: SciPy, Julia, MATLAB',
  metis: 'METIS: partitioners',
  dimacs: 'DIMACS: cliques and colourings',
  dimacs9: 'DIMACS 9: roads, shortest paths',
  galois: 'Galois .gr, 32-bit',
  galois2: 'Galois .gr, 64-bit',
  egr: 'ECL .egr, 32-bit',
  egr64: 'ECL .egr, 64-bit',
  sg: 'GAP .sg, without weights',
  wsg: 'GAP .wsg, with weights',
  pbbs: 'PBBS: adjacency lists as text',
  vite: 'Vite: binary lists',
}

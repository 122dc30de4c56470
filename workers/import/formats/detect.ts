/**
 * Which format a file is of: by magic numbers, by lengths and offsets that fit a header, by its first lines, then by its name; asked once for
 * each file, of the descriptors in registry.ts, in their order. A damaged file keeps its format, whose reader reports the fault; what is no
 * text, or of a known format that is not read, is refused with what helps. reading/known-file.ts asks.
 */

import { basename, extname } from 'node:path'
import { Failure, type Fix, inputFailure, OTHER_FORMAT } from '../../base/failure.ts'
import type { FormatName, ImportArgs } from '../../contract/jobs.ts'
import type { GraphLink } from '../../graph/graph-file.ts'
import { MAX_VERTICES } from '../reader/graph-reader.ts'
import { addsDirections } from '../../contract/graph-formats.ts'
import { policyOf } from '../reader/policies.ts'
import { PLAIN_TEXT, textFormOf } from '../reader/text-source.ts'
import { mayBeAdjacency } from './binary-graphs.ts'
import { choosesColumns } from './column-choice.ts'
import { type CsrLayout, mayBeCanonical, numbers, type Section } from './csr.ts'
import { edgeList } from './edge-list.ts'
import type { DetectedFormat, GraphFormat, WholeFormat } from './graph-format.ts'
import { textFormats, wholeFormat, wholeFormats } from './registry.ts'
import { StoredFile, unpackedName } from './stored-file.ts'

/** Text on which the format is decided. */
export const SAMPLE_BYTES = 256 << 10
/** What tells a format of text that is no table must begin here. */
const TEXT_HEAD_BYTES = 64 << 10
const MAGIC_BYTES = 512
/** Targets that decide between layouts of the same length. */
const PROBE = 1024

const binaryFormats = wholeFormats.filter(({ isText }) => isText !== true)
const markupFormats = wholeFormats.filter(({ isText }) => isText)
const adjacency = wholeFormats.filter(({ layout }) => layout !== undefined)

/**
 * Decides the format from the first lines, then from the name. A damaged file keeps its format, whose reader reports the fault.
 * @param sample decompressed, without byte order mark
 * @param complete whether the sample is the whole text
 * @throws Failure (input) for what is no text, or of a format that is not read
 */
export function detectFormat(sample: Uint8Array, complete: boolean, path: string): DetectedFormat {
  const text = Buffer.from(sample).toString('latin1')
  refuseOtherFormat(text, complete, path)
  refuseBinary(sample, path)
  return (
    firstOf(textFormats, ({ recognise }) => recognise?.(text, complete)) ??
    firstOf(textFormats, ({ promisedBy: { begin } = {} }) =>
      begin !== undefined && basename(path).startsWith(begin) ? `the file's name begins with ${begin}` : null,
    ) ??
    byEndOfName(textFormats, path) ?? { format: edgeList.name, reason: 'every line holds an edge' }
  )
}

/** The first format for which something speaks. */
function firstOf<F extends GraphFormat>(
  formats: readonly F[],
  reasonOf: (format: F) => string | null | undefined,
): DetectedFormat | null {
  for (const format of formats) {
    const reason = reasonOf(format) ?? null
    if (reason !== null) return { format: format.name, reason }
  }
  return null
}

function byEndOfName(formats: readonly GraphFormat[], path: string): DetectedFormat | null {
  const end = extensionOf(path)
  return firstOf(formats, ({ promisedBy }) =>
    promisedBy?.ends?.includes(end) === true ? `the file's name ends in ${end}` : null,
  )
}

/** @throws Failure (input) at the first line with bytes that no text has */
export function refuseBinary(sample: Uint8Array, path: string): void {
  let line = 1
  for (const c of sample) {
    if (c === 10) line++
    else if (c < 9 || (c > 13 && c < 32 && c !== 27) || c === 127)
      throw inputFailure(
        `${path}:${line}`,
        `this is not text: it holds the byte 0x${c.toString(16).padStart(2, '0')}`,
        'Is it of a binary format whose header is damaged, or that has none? Text must be UTF-8, plain or gzip.',
        [OTHER_FORMAT],
      )
  }
}

/** Detects by magic, then by lengths and offsets that fit the header, then by name; null for text, and for bytes that no format explains. */
export function detectBinary(file: StoredFile): DetectedFormat | null {
  const head = file.head(MAGIC_BYTES)
  return detectMagic(head, file.name) ?? (hasCounts(head) ? detectLists(file) : null)
}

/** Detects binary lists, whose header has counts. */
export function detectLists(file: StoredFile): DetectedFormat | null {
  const head = file.head(MAGIC_BYTES)
  // DIMACS-9 and Galois have one extension, and UTF-16 has zero bytes too.
  const isText = textFormOf(head) !== PLAIN_TEXT
  return byLayout(file) ?? (isText ? null : byEndOfName(adjacency, file.name))
}

/** Headers of 32- and 64-bit counts have zero bytes near their start; no text has. */
export const hasCounts = (head: Uint8Array): boolean => head.subarray(0, 64).includes(0)

/** The format of a compressed file, whose length tells nothing: by its name, else any that the beginning fits. */
export const packedAdjacency = (name: string, head: Uint8Array, complete: boolean): FormatName | null =>
  byEndOfName(adjacency, name)?.format ?? (mayBeAdjacency(head, complete) ? adjacency[0]!.name : null)

/** Detects by first bytes that no other file has, or by a file beside it. */
export function detectMagic(head: Uint8Array, name: string): DetectedFormat | null {
  const bytes = Buffer.from(head.subarray(0, MAGIC_BYTES)).toString('latin1')
  return firstOf(binaryFormats, ({ recognise }) => recognise?.(bytes, name))
}

function byLayout(file: StoredFile): DetectedFormat | null {
  const fitting = wholeFormats.flatMap(({ name, promisedBy, sharedEnds = [], layout }) => {
    const fits = layout?.(file) ?? null
    const ends = [...sharedEnds, ...(promisedBy?.ends ?? [])]
    return fits !== null && targetsFit(file, fits) ? [{ name, ends, layout: fits }] : []
  })
  const end = extensionOf(file.name)
  const best = fitting.find(({ ends }) => ends.includes(end)) ?? fitting[0]
  if (best === undefined) return null
  const { vertices, arcs } = best.layout
  const others = fitting.length > 1 ? ', and the name speaks for it' : ''
  return { format: best.name, reason: `${vertices} vertices and ${arcs} arcs explain its length${others}` }
}

/** A weighted 64-bit ECL file and a Vite file can have the same length. */
function targetsFit(file: StoredFile, { targets, arcs, vertices }: CsrLayout): boolean {
  return numbers(file, targets, 0, Math.min(PROBE, arcs)).every((v) => v >= 0 && v < vertices)
}

/** null for formats without, and where header and length do not fit */
export function csrLayout(format: WholeFormat, file: StoredFile): CsrLayout | null {
  const layout = format.layout?.(file) ?? null
  return layout !== null && layout.vertices <= MAX_VERTICES ? layout : null
}

export interface LinkableFile {
  readonly format: FormatName
  readonly file: StoredFile
  readonly layout: CsrLayout
}

/** @returns null where it cannot be linked, or the import reports the fault */
export function openLinkable(args: ImportArgs): LinkableFile | null {
  if ((args.sources?.length ?? 0) > 0 || choosesColumns(args.table ?? {}) || addsDirections(args.merge)) return null
  let file: StoredFile | undefined
  let opened: LinkableFile | null = null
  try {
    file = StoredFile.open(args.source)
    const format = file.isGzip ? undefined : (args.format ?? detectBinary(file)?.format)
    const whole = format === undefined ? null : wholeFormat(format)
    const found = whole && csrLayout(whole, file)
    const layout = found && linkable(found, args)
    if (format !== undefined && layout && mayBeCanonical(file, layout)) opened = { format, file, layout }
    return opened
  } catch (error) {
    if (error instanceof Failure && error.code === 'input') return null
    throw error
  } finally {
    if (opened === null) file?.close()
  }
}

/** Aligned words of 32 bits, which pieces of a file do not cut; null for other layouts. */
function linkable(layout: CsrLayout, args: ImportArgs): CsrLayout | null {
  const { offsets, targets } = layout
  const weights = args.ignoreWeights === true ? null : layout.weights
  const isWord = ({ at, stride, kind }: Section): boolean => at % 4 === 0 && stride === 4 && /32$/.test(kind)
  const keeps = weights === null || (isWord(weights) && !policyOf(args).needsRange)
  return isWord(targets) && ((offsets.stride === 8 && offsets.at % 8 === 0) || isWord(offsets)) && keeps
    ? { ...layout, weights }
    : null
}

export function storedLayout({ vertices, arcs, offsets, targets, weights }: CsrLayout): GraphLink['layout'] {
  return {
    vertices,
    arcs,
    offsets: { at: offsets.at, bytesEach: offsets.stride === 8 ? 8 : 4, leadingZero: offsets.leading },
    targetsAt: targets.at,
    weights: weights === null ? null : { at: weights.at, kind: weights.kind === 'f32' ? 'f32' : 'i32' },
  }
}

/** Detects by the beginning; else by name. */
export function detectText(head: Uint8Array, name: string): DetectedFormat | null {
  const text = Buffer.from(head.subarray(0, TEXT_HEAD_BYTES))
    .toString('utf8')
    .replace(/^\ufeff/, '')
  return firstOf(markupFormats, ({ recognise }) => recognise?.(text, name)) ?? byEndOfName(markupFormats, name)
}

function extensionOf(path: string): string {
  return extname(unpackedName(path)).toLowerCase()
}

interface OtherFormat {
  readonly name: string
  /** What the first bytes are as latin1; what the name is. */
  readonly begins?: RegExp
  readonly called?: RegExp
  readonly shows?: (text: string, isCut: boolean) => boolean
  /** A format that reads it once it is chosen, as a sentence says. */
  readonly asks?: string
  readonly remedy: string
  readonly fixes?: readonly Fix[]
}

const asTable = 'Save it as CSV (in Excel: "CSV UTF-8"), and import that.'
const asGraphMl = 'Write it as GraphML or as an edge list: networkx, igraph and Gephi read and write both.'
/** What looks at a file without unpacking it, such as a plan, comes to these. */
const asDataset = 'Import it, which unpacks it; then name the dataset.'

/** Files that people take for graphs. */
const otherFormats: readonly OtherFormat[] = [
  {
    name: 'an Excel workbook',
    begins: /^PK\x03\x04[^]*?(?:\[Content_Types\]\.xml|xl\/)/,
    remedy: `Open it, and save the sheet of edges as CSV (in Excel: "CSV UTF-8"); then import that.`,
  },
  {
    name: 'a spreadsheet of LibreOffice',
    begins: /^PK\x03\x04[^]*?application\/vnd\.oasis\.opendocument/,
    remedy: 'Open it, and save the sheet of edges as CSV; then import that.',
  },
  { name: 'a zip archive', begins: /^PK\x03\x04/, remedy: asDataset },
  { name: 'an Excel 97 workbook', begins: /^\xd0\xcf\x11\xe0/, remedy: asTable },
  { name: 'UTF-32 text', begins: /^(?:\xff\xfe\0\0|\0\0\xfe\xff)/, remedy: `Save it as UTF-8. ${asTable}` },
  { name: 'compressed with zstd', begins: /^\x28\xb5\x2f\xfd/, remedy: asDataset },
  { name: 'compressed with bzip2', begins: /^BZh\d/, remedy: asDataset },
  { name: 'compressed with xz', begins: /^\xfd7zXZ/, remedy: asDataset },
  {
    name: 'compressed with lz4',
    begins: /^\x04\x22\x4d\x18/,
    remedy: 'Unpack it with lz4 -d, and import that; gzip, bzip2, xz and zstd are read as they are.',
  },
  { name: 'a tar archive', begins: /^[^]{257}ustar/, remedy: asDataset },
  { name: 'HDF5', begins: /^\x89HDF\r\n/, remedy: 'Write the graph as an edge list or as Parquet.' },
  { name: 'a MATLAB file', begins: /^MATLAB [57]\.\d/, remedy: 'Write the matrix with mmwrite, as Matrix Market.' },
  { name: 'a pickle of Python', begins: /^\x80[\x02-\x05](?:\x95|[c}\]])/, remedy: asGraphMl },
  {
    name: 'an R object (saveRDS)',
    begins: /^[XAB]\n\0\0\0[\x02\x03]/,
    remedy: 'Write its edges with write.csv, or as GraphML with igraph.',
  },
  {
    name: 'a hypergraph of hMETIS',
    called: /\.hgr$/i,
    asks: 'the format hmetis reads all pairs of the vertices of each hyperedge as edges',
    remedy: '',
    fixes: [{ action: 'set', option: 'format', to: 'hmetis' }],
  },
  {
    name: 'a labelled graph of subgraph matching, with lines t, v and e',
    begins: /^t\s+(?:#\s*)?\d+(?:\s+\d+)?\s*\n\s*v\s+\d+/,
    remedy: 'Write its lines e, without the letter, as an edge list.',
  },
  { name: 'an SQLite database', begins: /^SQLite format 3/, remedy: asTable },
  { name: 'a graph-tool file', begins: /^\xe2\x9b\xbe gt/, remedy: asGraphMl },
  { name: 'a NetworKit binary graph', begins: /^nkbg00/, remedy: 'Write it as METIS or as an edge list.' },
  {
    name: 'DOT (Graphviz)',
    begins:
      /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*\n|#.*\n)*(?:strict\s+)?(?:di)?graph(?:\s+(?:"[^"]*"|[\w.-]+)\s*|\s*)\{/i,
    remedy: asGraphMl,
  },
  {
    name: 'JSON of Cytoscape.js',
    begins: /^\s*\{[^]*"elements"\s*:\s*[{[]/,
    remedy: 'Export the network as GraphML (Cytoscape: File, Export, Network to File).',
  },
  {
    name: 'JSON of adjacency lists, as networkx.adjacency_data writes',
    begins: /^\s*\{[^]*"adjacency"\s*:\s*\[/,
    remedy: 'Write it with networkx.node_link_data, or as GraphML.',
  },
  {
    name: 'JSON, but without the lists of nodes and links that NetworkX and D3 write',
    begins: /^\s*(?:\{\s*["}]|\[\s*[[{"\]\d])/,
    remedy: 'Write the graph with networkx.node_link_data or as GraphML, or its edges as CSV.',
  },
  {
    name: 'a SIF file of Cytoscape',
    called: /\.sif$/i,
    remedy:
      'Export the network as GraphML; or, where every line has three columns, import it as an edge list from column 1 to 3.',
  },
  { name: 'an LGL file, whose lines with # are vertices', called: /\.lgl$/i, remedy: 'Write it as NCOL or GraphML.' },
  {
    name: 'a list of neighbours, as House of Graphs and Sage write it',
    begins: /^\s*\d+[ \t]*:(?:[ \t]+\d+)*[ \t]*;?\r?\n\s*\d+[ \t]*:/,
    remedy: 'Download the graph as graph6, or write a line for each edge.',
  },
  {
    name: 'an adjacency matrix as text',
    shows: isMatrix,
    remedy: 'Download the graph as graph6, or write it with scipy.io.mmwrite or numpy.savez.',
  },
  {
    name: 'planar code of plantri',
    begins: /^>>(?:planar|edge|multi)_code/,
    remedy: 'Write it as graph6 (plantri -g).',
  },
  {
    name: 'a Steiner tree problem of SteinLib or PACE',
    begins: /^\s*(?:33D32945 STP File|SECTION (?:Comment|Graph)\b)/i,
    remedy: 'Write its lines E, without the letter, as an edge list.',
  },
  { name: 'a list of neighbours', called: /\.(?:adjlist|multiline_adjlist)$/i, remedy: asGraphMl },
  { name: 'TGF (trivial graph format)', called: /\.tgf$/i, remedy: asGraphMl },
  { name: 'UCINET DL', begins: /^\s*dl[\s,]+(?:n[rcm]?|format)\s*=/i, remedy: asGraphMl },
  { name: 'GDF (GUESS, Gephi)', begins: /^\s*nodedef\s*>/i, remedy: asGraphMl },
  { name: 'VNA (NetDraw)', begins: /^\s*\*(?:node|tie) (?:data|properties)\b/i, remedy: asGraphMl },
  { name: 'TLP (Tulip)', begins: /^\s*\(tlp\s/, remedy: asGraphMl },
  { name: 'LEDA', begins: /^\s*LEDA\.GRAPH\b/, remedy: asGraphMl },
  { name: 'an LG file of Graphs.jl', begins: /^\d+,\s*\d+,\s*[du],.*simple(?:di)?graph/, remedy: asGraphMl },
  {
    name: 'a list of tuples in brackets',
    begins: /^\s*\([^,()\n]+,[^,()\n]+\)\s*,?\s*\n/,
    remedy: 'Write two ids in a line, without brackets: nx.write_edgelist(G, path, data=False).',
  },
  {
    name: 'an SQL dump',
    begins:
      /^(?:\s|--.*\n|\/\*(?:[^*]|\*(?!\/))*\*\/;?)*(?:pragma \w|begin\b.*;|create table|insert into|set \w+ *=|copy \S+ \()/i,
    remedy: 'Export the table as CSV, and import that.',
  },
  {
    name: 'RDF (Turtle or N-Triples)',
    begins: /^\s*(?:@(?:prefix|base)\s|<[^<>\s]+>\s+<[^<>\s]+>\s)/i,
    remedy: 'Write its subjects and objects as a table of two columns.',
  },
  { name: 'GraphStream DGS', begins: /^DGS00\d/, remedy: asGraphMl },
  { name: 'a web page', begins: /^\s*<(?:!doctype html|html)\b/i, remedy: 'Download the file itself.' },
  { name: 'XML, but neither GraphML nor GEXF', begins: /^\s*</, remedy: 'Is its root element right?' },
]

/** Digits with nothing between them, or each by itself: ids such as 10 and 11 are no digits of a row. */
const rowOfBits = /^[01](?:[01]+|(?:[ \t]*[ \t,;][ \t]*[01])+)[,;]?$/

/** Whether this begins with the rows of an adjacency matrix. Fewer than three, or four of numbers, may be edges. */
function isMatrix(text: string, isCut: boolean): boolean {
  const lines = (isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text).trim()
  const width = cellsOf(/^.*/.exec(lines)![0]).length
  const texts = lines.split(/\s*\n\s*/, width + 1)
  const rows = texts.map((row) => cellsOf(row).map((cell) => (cell === '' ? NaN : Number(cell))))
  const isSquare = isCut ? rows.length <= width : rows.length === width
  if (!isSquare || rows.some((row) => row.length !== width)) return false
  if (texts.every((row) => rowOfBits.test(row))) return width > 2
  return width > 3 && rows.length > 2 && relatesVertices(rows)
}

function cellsOf(row: string): readonly string[] {
  return rowOfBits.test(row) ? row.match(/[01]/g)! : row.replace(/[,;]\s*$/, '').split(/[ \t,;]+/)
}

/** Whether no vertex has an edge to itself, or each pair is there twice alike: rows with two ids first are never so. */
function relatesVertices(rows: readonly (readonly number[])[]): boolean {
  const isEach = (holds: (value: number, row: number, column: number) => boolean): boolean =>
    rows.every((cells, row) => cells.slice(0, rows.length).every((value, column) => holds(value, row, column)))
  if (!rows.every((cells) => cells.every(Number.isFinite))) return false
  return (
    isEach((value, row, column) => row !== column || value === 0) ||
    isEach((value, row, column) => value === rows[column]?.[row])
  )
}

const HEAD_BYTES = 4096

/** @throws Failure (input) */
function refuseOtherFormat(text: string, complete: boolean, path: string): void {
  const head = text.slice(0, HEAD_BYTES)
  const other = otherFormats.find(
    ({ begins, called, shows }) =>
      begins?.test(head) === true || called?.test(unpackedName(path)) === true || shows?.(text, !complete) === true,
  )
  if (other !== undefined)
    throw inputFailure(
      `${path}:1`,
      `this is ${other.name}${other.asks === undefined ? ', which is not read here' : `: ${other.asks}`}`,
      other.remedy,
      other.fixes,
    )
}

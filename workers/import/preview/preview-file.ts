/**
 * A file as it would be imported: its format, first rows, columns and what they are taken for, doubts, and the balance of a sample; alone, or
 * behind another file of the same graph, or with the table of its vertices. It reads the beginning of large files, by the same readers as the
 * import, so that both refuse alike. sample-balance.ts counts; the window and the command line show it.
 */

import { Failure, inputFailure } from '../../base/failure.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JobContext, quietJob } from '../../base/job.ts'
import { previewContained } from '../containers/import-file.ts'
import {
  float32,
  type FilePreview,
  type PreviewArgs,
  type PreviewTable,
  type VertexPreview,
} from '../../contract/jobs.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import { openVertexFile, textsOf, type VertexRow } from '../reading/vertex-file.ts'
import { attributeColumns } from '../formats/column-choice.ts'
import { END_NAMES, type FirstRows, type WholeFormat } from '../formats/graph-format.ts'
import { textFormat } from '../formats/registry.ts'
import { unmark, wholeRows } from '../formats/quoted-breaks.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { type AnyShape, doubtOf, edgePlaces, isNamed, tableShape } from '../formats/table-shape.ts'
import { areLines, type KnownFile, knownFile, KnownFiles, type KnownLines } from '../reading/known-file.ts'
import { type GivenToReader, readerContext, Reading } from '../reading/reading.ts'
import { sampleLines } from '../formats/sample-lines.ts'
import { allFields, delimiterName } from '../formats/table-lines.ts'
import type { OtherReading, ReaderContext, ReadOutcome, Sides, TextId } from '../reader/graph-reader.ts'
import { LabelTable } from '../reader/input-ids.ts'
import type { LineTally } from '../reader/line-tally.ts'
import { laterFile, otherWeights, requireEdges } from '../reading/read-graph-file.ts'
import { allZeros, type CountedFailure, lineOf, RowPolicy } from '../reader/policies.ts'
import { idOf, SampleEntries } from './sample-balance.ts'

/** The most rows looked at of a table of vertices, which the import reads all. */
const MOST_LOOKED = 1 << 14
/** Ids that a warning names of rows that match no edge. */
const MOST_NAMED = 5

/**
 * A file as it would be imported: alone, or behind another one of the same graph; with the table of its vertices. Of large files only the
 * beginning is read.
 * @throws Failure (input) when the file cannot be read, or is of no known format
 */
export const previewFiles = (args: PreviewArgs, job: JobContext = quietJob): Promise<FilePreview> =>
  previewContained(args, join(tmpdir(), 'anticlique-preview'), job, previewPlain)

const previewPlain = async (args: PreviewArgs): Promise<FilePreview> => withoutEntries(await parsedFiles(args))

/** What an import of a file makes, counted; null where it is too large to be looked at whole, or would be refused. @param known the file */
export async function countedFile(args: PreviewArgs, known: KnownFile): Promise<CountedFile | null> {
  const preview = await parsedFiles(args, known).catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
  if (preview === null) return null
  const { entries, space, looked, refusals, balance, table: columns } = preview
  const isRead = entries !== null && space !== null && looked.complete && refusals.length === 0
  if (!isRead || entries.refused > 0 || (columns?.asks ?? null) !== null) return null
  const own = verticesOf(space, entries)
  const table = balance?.vertices ?? null
  // Ends alone are compared with a table of vertices.
  if (args.vertices !== undefined && (table === null || (space.kind === 'text' && own > entries.vertices))) return null
  const vertices = table === null ? own : table.matched + table.added + table.withoutRow
  return { vertices, entries: entries.total, arcs: 2 * entries.edges, weighted: entries.weighted }
}

function verticesOf(space: ReadOutcome['vertices'], entries: SampleEntries): number {
  if (space.kind === 'counted') return space.vertices
  return space.kind === 'text' ? space.table.count : entries.vertices
}

/** The size of a graph, before it is imported. */
interface CountedFile {
  readonly vertices: number
  readonly entries: number
  readonly arcs: number
  readonly weighted: boolean
}

/** @param known the file, where it is alone and that was found out */
async function parsedFiles(args: PreviewArgs, known?: KnownFile): Promise<ParsedPreview> {
  const parsed = args.joins === undefined ? await parsedFile(args, known) : await previewLater(args, args.joins)
  if (args.vertices === undefined) return parsed
  const { entries, space, ...preview } = parsed
  try {
    const policy = new RowPolicy(args.table, true)
    const { rows, complete, shown } = await previewVertices(args.vertices, args, policy)
    const refusals = [...preview.refusals, ...policy.refusals()]
    const refused = [...policy.refusals(), ...policy.skips()].reduce((sum, { count }) => sum + count, 0)
    const isWhole = complete && preview.looked.complete && preview.balance !== null && space !== null
    const joined = isWhole ? (entries?.vertexTable(args.vertices, rows, refused, space) ?? null) : null
    const balance = preview.balance && { ...preview.balance, vertices: joined?.table ?? null }
    const skips = [...preview.skips, ...policy.skips()]
    const warnings = [...preview.warnings, ...(joined === null ? [] : unmatchedWords(joined))]
    return { ...parsed, vertices: shown, refusals, skips, balance, warnings }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...parsed, refusals: [...preview.refusals, oneRefusal(error)] }
  }
}

/** Rows of a table of vertices that match no edge, by their first ids. */
function unmatchedWords({ added, unknown }: Pick<ReturnType<SampleEntries['vertexTable']>, 'added' | 'unknown'>) {
  const said = (ids: readonly string[], [one, several]: readonly [string, string]): string[] => {
    const named = ids.slice(0, MOST_NAMED).map((id) => JSON.stringify(id))
    const such = ids.length > MOST_NAMED ? ', such as' : ':'
    const fate =
      ids.length === 1
        ? `One row of the table of vertices ${one}`
        : `${ids.length} rows of the table of vertices ${several}`
    return ids.length === 0 ? [] : [`${fate}${such} ${named.join(', ')}.`]
  }
  return [
    ...said(added, ['matches no edge and adds a vertex without one', 'match no edge and add vertices without one']),
    ...said(unknown, ['is of no vertex and is left out', 'are of no vertex and are left out']),
  ]
}

const oneRefusal = (failure: Failure): CountedFailure => {
  const value = failure.toValue()
  return { count: 1, failure: value, rows: [{ line: lineOf(value), what: value.what }] }
}

/** With what a table of vertices is compared with; null where entries are not read. */
interface ParsedPreview extends FilePreview {
  readonly entries: SampleEntries | null
  readonly space: ReadOutcome['vertices'] | null
}

function withoutEntries({ entries: _entries, space: _space, ...preview }: ParsedPreview): FilePreview {
  return preview
}

async function previewLater(args: PreviewArgs, first: string): Promise<ParsedPreview> {
  const files = new KnownFiles({ ...args, source: first })
  const before = await parsedFile({ ...args, source: first }, await files.first())
  requireEdges(first, before.format)
  const preview = await parsedFile(args, await laterFile(first, args.source, before.format, files))
  const [isWeighted, wasWeighted] = [preview, before].map(({ table }) => (table?.weight ?? null) !== null)
  if (isWeighted === wasWeighted) return preview
  const failure = otherWeights(args.source, isWeighted === true, first)
  return { ...preview, refusals: [...preview.refusals, oneRefusal(failure)] }
}

async function previewVertices(path: string, { table }: PreviewArgs, policy: RowPolicy) {
  const file = await openVertexFile(path, table)
  const rows: Pick<VertexRow, 'id'>[] = []
  const cells: string[][] = []
  let [complete, isFull] = [true, false]
  const take = (row: VertexRow): void => {
    if (isFull) return
    rows.push({ id: row.id })
    if (cells.length === PREVIEW_ROWS) return
    const known = textsOf(row)
    cells.push(file.names.map((name) => (name === file.idColumn ? row.id : (known.get(name) ?? ''))))
  }
  for await (const _ of file.rows(policy, take)) {
    complete = !isFull
    if (isFull) break
    isFull = rows.length >= MOST_LOOKED
  }
  const shown: VertexPreview = { columns: file.names, id: file.names.indexOf(file.idColumn), rows: cells }
  return { rows, complete, shown }
}

/**
 * The format as an import would find it, and the first rows; of large files only the beginning is read.
 * @throws Failure (input) when the file cannot be read, or is of no known format
 */
async function parsedFile(args: PreviewArgs, found?: KnownFile): Promise<ParsedPreview> {
  const known = found ?? (await knownFile(args))
  const { format, reason, compression, bytes, whole, isRecoded } = known
  if (format === null)
    throw inputFailure(
      args.source,
      'the file is binary and compressed: its format shows only when it is unpacked',
      'Choose the format, or import it and let it be found out.',
    )
  const stated = { format, reason, compression, bytes }
  if (areLines(known)) return { ...stated, ...(await previewText(known, args)) }
  // What is read by position has to be unpacked whole, which only the import does.
  const note = compression === 'gzip' ? PACKED : isRecoded ? RECODED : null
  if (note !== null) return { ...stated, ...NOTHING_SHOWN, warnings: [note], entries: null, space: null }
  const file = StoredFile.open(args.source)
  try {
    return { ...stated, ...(await previewWhole(whole!, file, args)) }
  } finally {
    file.close()
  }
}

const PACKED = 'The import unpacks the file before it reads it, so no rows are shown.'
const RECODED = 'The import puts the text in UTF-8 before it reads it, so no rows are shown.'

const NOTHING_SHOWN = {
  columns: null,
  rows: [],
  warnings: [],
  refusals: [],
  skips: [],
  looked: { rows: 0, complete: false },
  balance: null,
  table: null,
  vertices: null,
} as const

/** Files up to here are read whole, for their balance. */
const BALANCED_BYTES = 1 << 20

/** What is shown beside what the file is. */
type Look = Omit<ParsedPreview, 'format' | 'reason' | 'compression' | 'bytes'>

/** @throws Failure (input) */
async function previewWhole(format: WholeFormat, file: StoredFile, args: PreviewArgs): Promise<Look> {
  const none = { entries: null, space: null }
  const isSmall = file.bytes <= BALANCED_BYTES
  const named = await format.firstRows?.(file, PREVIEW_ROWS)
  if (named !== undefined) {
    const { rows: _rows, ...look } = isSmall ? await lookAt(format, file, args) : { ...NOTHING_SHOWN, ...none }
    return { ...look, ...namedRows(named, args) }
  }
  if (file.bytes > (format.mostPreviewBytes ?? Infinity))
    return { ...NOTHING_SHOWN, ...none, warnings: ['The file is large: its rows show when it is imported.'] }
  return lookAt(format, file, args, isSmall ? Infinity : PREVIEW_ROWS)
}

/** What the import would read and refuse. @param most entries */
async function lookAt(format: WholeFormat, file: StoredFile, args: PreviewArgs, most = Infinity): Promise<Look> {
  const given = givenTo(args)
  const context = readerContext(format, { ...args, memoryBytes: Infinity }, given)
  const { output, weights } = context
  weights.showsRefused = true
  let outcome = null as ReadOutcome | null
  let last: FilePreview['refusals'] = []
  try {
    const reading = async function* () {
      outcome = yield* format.read(file, context)
    }
    for await (const _ of reading()) if (output.total >= most) break
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    last = [oneRefusal(error)]
  }
  const looked = { rows: output.total, complete: outcome !== null }
  const tally = outcome && (outcome.tally ?? null)
  const read = { outcome, last, looked, tally: outcome === null ? undefined : tally, linesAreEntries: tally !== null }
  return lookOf(context, given.tables[0] ?? format.firstId ?? 0, read)
}

/** What readers of a preview are given, and the table of ids that are texts, once one asks for it. */
function givenTo({ table }: PreviewArgs) {
  const tables: LabelTable[] = []
  return { rows: new RowPolicy(table, true), newTable: () => (tables[0] ??= new LabelTable()), tables }
}

/** How far a sample was read. */
interface ReadSample extends Pick<PreviewRows, 'looked'> {
  /** null where it was not read to its end. */
  readonly outcome: ReadOutcome | null
  /** What ended the reading. */
  readonly last: FilePreview['refusals']
  /** Lines of a balance; null for a format without lines, undefined where there is no balance. */
  readonly tally: LineTally | null | undefined
  readonly linesAreEntries: boolean
}

/** What a sample came to. @param usual the table that entries point into, or the first id of the format */
async function lookOf(
  { output, weights, rows }: ReaderContext,
  usual: LabelTable | number,
  { outcome, last, looked, tally, linesAreEntries }: ReadSample,
): Promise<Look> {
  const space = outcome?.vertices ?? null
  const ids = typeof usual === 'number' && space?.kind === 'counted' ? space.base : usual
  const entries = new SampleEntries(ids, weights, outcome?.declared ?? 0)
  const first: string[][] = []
  const accept = (block: EntryBlock): void => {
    addRows(block, ids, first)
    entries.accept(block)
  }
  await output.drain({ accept }, true)
  return {
    ...NOTHING_SHOWN,
    rows: first,
    warnings: outcome?.warnings ?? [],
    refusals: [...rows.refusals(), ...weights.refusals(), ...last],
    skips: [...rows.skips(), ...weights.skips()],
    looked,
    balance: tally === undefined ? null : entries.balance(tally, linesAreEntries, weights, rows),
    entries,
    space,
  }
}

function namedRows(
  { names, rows, weight }: FirstRows,
  { source, table: said = {}, ignoreWeights = false }: PreviewArgs,
): Pick<PreviewRows, 'columns' | 'rows' | 'table'> {
  const [sourceColumn, targetColumn] = END_NAMES
  const elements = weight !== undefined
  const own = { sourceColumn, targetColumn, weightColumn: weight ?? undefined, attributes: 'all' }
  const table = elements ? { ...own, ...said } : said
  const shape = { delimiter: null, header: true, names, table, decimal: 'point' as const, weighted: true, doubt: null }
  const columns = names.map((name) => ({ name }))
  const asEdges = { ...read(shape, rows, names.length, ignoreWeights, source), elements }
  return { columns, rows, table: asEdges }
}

const PREVIEW_ROWS = 20

type PreviewRows = Omit<FilePreview, 'format' | 'reason' | 'compression' | 'bytes'>

/** Both ids, and the weight where there is one. @param labels the table that entries point into, or what is added to internal ids */
function addRows(block: EntryBlock, labels: LabelTable | number, rows: string[][]): void {
  for (let i = 0; i < block.count && rows.length < PREVIEW_ROWS; i++)
    rows.push([
      idOf(block.from[i]!, block.fromHigh?.[i] ?? 0, labels),
      idOf(block.to[i]!, block.toHigh?.[i] ?? 0, labels),
      ...(block.weights === null ? [] : [float32(block.weights[i]!)]),
    ])
}

const NEWLINE = 10
async function previewText(known: KnownLines, args: PreviewArgs): Promise<Look> {
  const { shownAs } = textFormat(known.format, args.source)
  const look = await lookAtLines(known, args, { text: null })
  if (shownAs === undefined) return look
  const { table, ...rows } = tableRows(known, args)
  return { ...look, ...rows, table: shownAs === 'table' ? table : null }
}

/** What the import would refuse is counted by rule; a second time where ids turn out to be texts. */
async function lookAtLines(
  known: KnownLines,
  args: PreviewArgs,
  found: Pick<GivenToReader, 'sides'> & { readonly text: TextId | null },
): Promise<Look> {
  const { text } = found
  const { sample, form } = known.start
  const given = givenTo(args)
  const { context, reader, rowForm } = new Reading(known, args, { ...found, ...given, joins: true })
  const { weights, output } = context
  weights.showsRefused = true
  let outcome: ReadOutcome | null = null
  let last: FilePreview['refusals'] = []
  try {
    // A reader takes marks out of rows, which may be read once more.
    const all = known.table?.rows.slice() ?? sample.bytes
    const bytes = endingInNewline(rowForm === null || sample.complete ? all : wholeRows(all, rowForm))
    reader.readLines(bytes, 0, bytes.length)
    const read = sample.complete ? reader.finish() : (reader.other ?? null)
    if (read !== null && 'other' in read) return await lookAtLines(known, args, { ...found, ...asFound(read) })
    outcome = read
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    last = [oneRefusal(error)]
  }
  if (outcome !== null && weights.areZeros(output.total)) {
    const pattern = await lookAtLines(known, { ...args, ignoreWeights: true }, found)
    return { ...pattern, warnings: [...pattern.warnings, allZeros(weights.zeros)] }
  }
  const { line, continued = 0, tally, linesAreEntries = false } = reader
  const { firstId = 0 } = textFormat(known.format, args.source)
  const look = await lookOf(context, given.tables[0] ?? firstId, {
    ...{ outcome, last, linesAreEntries, looked: { rows: line, complete: sample.complete } },
    tally: last.length === 0 && tally !== undefined ? { ...tally, total: line - continued } : undefined,
  })
  const asTexts = `All ids are read as texts, because line ${text?.line} holds "${text?.id}".`
  const notes = [...(form.note === null ? [] : [`${form.note}.`]), ...(text === null ? [] : [asTexts])]
  return { ...look, warnings: [...notes, ...look.warnings] }
}

/** What another reading has to know. */
function asFound(read: OtherReading): { readonly text?: TextId; readonly sides?: Sides } {
  if (read.other === 'texts') return { text: read }
  return read.other === 'sides' ? { sides: read.sides } : {}
}

function endingInNewline(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === NEWLINE ? bytes : Buffer.concat([bytes, Buffer.of(NEWLINE)])
}

function tableRows(
  { start: { sample, form }, table: known }: KnownLines,
  { table = {}, ignoreWeights = false, source }: PreviewArgs,
): Pick<PreviewRows, 'columns' | 'rows'> & { readonly table: PreviewTable } {
  const bytes = Uint8Array.from(known?.rows ?? sample.bytes)
  unmark(bytes)
  const shape = known?.shape ?? tableShape(bytes, table, sample.complete)
  const rows = sampleLines(bytes, table, PREVIEW_ROWS + 1, shape.comments).lines.map(
    (line) => allFields(line, shape.delimiter) ?? [Buffer.from(line).toString('utf8')],
  )
  if (isNamed(shape)) rows.shift()
  const shown = rows.slice(0, PREVIEW_ROWS)
  const { names } = shape
  // Empty fields at the end of a line do not count.
  const width = Math.max(names?.length ?? 0, ...shown.map((row) => row.length))
  const asEdges = { ...read(shape, shown, width, ignoreWeights, source), encoding: form.decoder ?? 'utf-8' }
  const isUsual = width <= 3 && asEdges.source === 0 && asEdges.target === 1 && asEdges.asks !== 'columns'
  const isTable = names !== null || !isUsual
  if (isTable) for (const row of shown) while (row.length < width) row.push('')
  const columns = isTable ? Array.from({ length: width }, (_, i) => ({ name: names?.[i] || String(i + 1) })) : null
  return { columns, rows: shown, table: asEdges }
}

/** Columns that were chosen and are not there, or are the same, are asked for again. */
function read(
  shape: AnyShape,
  rows: readonly (readonly string[])[],
  width: number,
  ignoreWeights: boolean,
  source: string,
): PreviewTable {
  const { delimiter, header, names, table, decimal } = shape
  const name = delimiter === null ? null : delimiterName(delimiter)
  const lines = { delimiter: name, elements: false, header, encoding: 'utf-8', decimal }
  try {
    const places = edgePlaces(shape, rows[0]?.[2] ?? '', width, ignoreWeights, source)
    const asks = doubtOf(shape, ignoreWeights)?.asks ?? null
    const weight = asks === 'weights' ? null : places.weight
    const attributes = attributeColumns({ file: source, names, width }, { ...places, weight }, table.attributes)
    return { ...lines, source: places.source, target: places.target, weight, attributes, asks }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...lines, source: 0, target: 1, weight: null, attributes: [], asks: 'columns' }
  }
}

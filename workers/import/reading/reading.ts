/**
 * How files are read: the sample that decides on format and columns, the reader of the format and what it is given, and the chunks that it
 * takes. Bytes are summed as they pass, for the report. known-file.ts decides what a file is, read-graph-file.ts reads with it,
 * preview/preview-file.ts looks with it.
 */

import { type JobContext, YieldScheduler } from '../../base/job.ts'
import type { FormatName, ImportArgs, ImportReport, TableOptions, TextEncoding } from '../../contract/jobs.ts'
import { choosesColumns } from '../formats/column-choice.ts'
import { refuseBinary, SAMPLE_BYTES } from '../formats/detect.ts'
import { EntryOutput, type EntrySink } from '../../graph/entries.ts'
import { END_NAMES, type GraphFormat, hasRows, type WholeFormat } from '../formats/graph-format.ts'
import type { RowForm } from '../formats/quoted-breaks.ts'
import { textFormat } from '../formats/registry.ts'
import type { TableShape } from '../formats/table-shape.ts'
import type { GraphReader, OtherReading, ReaderContext, ReadOutcome, TextId } from '../reader/graph-reader.ts'
import { LabelTable } from '../reader/input-ids.ts'
import { preparingBytes } from '../../base/host-resources.ts'
import { type TextForm, type Compression, markBytes, TextSource } from '../reader/text-source.ts'
import { RowPolicy, WeightPolicy } from '../reader/policies.ts'
import type { WeightTaker } from '../reader/weight-codes.ts'
import { Failure, inputFailure, OTHER_FORMAT, usageFailure } from '../../base/failure.ts'
import type { StoredFile } from '../formats/stored-file.ts'

/** Bytes that tell a format must begin here. */
const HEAD_BYTES = 64 << 10

/** The first bytes of a text, which decide on format and columns. */
export interface Sample {
  /** Whole lines, where there are some. */
  readonly bytes: Uint8Array
  /** The first bytes, wherever lines end. */
  readonly head: Uint8Array
  /** Bytes of a byte order mark, which is left out. */
  readonly markBytes: number
  /** Whether this is all of the text. */
  readonly complete: boolean
}

function sampleIn(all: Uint8Array, complete: boolean): Sample {
  const mark = markBytes(all)
  const cut = complete ? all.length : SAMPLE_BYTES
  const newline = complete ? cut : all.lastIndexOf(10, cut) + 1
  const bytes = all.subarray(mark, newline > 0 ? newline : cut)
  return { bytes, head: all.subarray(mark, mark + HEAD_BYTES), markBytes: mark, complete }
}

/** Without an iterator, which makes an object of every byte until it is compiled. */
function newlinesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}

/** The beginning of a text, unpacked and as UTF-8, and how it is stored. */
export interface TextStart {
  readonly sample: Sample
  readonly compression: Compression
  readonly form: TextForm
}

/** @throws Failure (input), at the line where a compressed text is damaged */
export async function sampleOf(source: string, encoding: TextEncoding | null | undefined): Promise<TextStart> {
  const text = await TextSource.open(source, { chunkBytes: SAMPLE_BYTES, encoding })
  const chunks: Uint8Array[] = []
  let [length, lines] = [0, 0]
  try {
    for await (const chunk of text.chunks()) {
      chunks.push(chunk)
      length += chunk.length
      lines += newlinesIn(chunk)
      if (length > SAMPLE_BYTES) break
    }
    const sample = sampleIn(Buffer.concat(chunks), length <= SAMPLE_BYTES)
    return { sample, compression: text.compression, form: text.form }
  } catch (error) {
    throw atLine(error, text, lines)
  } finally {
    await text.close()
  }
}

/** The failure of a compressed text, which names the file alone, at the line behind those that were read. */
export function atLine(error: unknown, { compression, path }: TextSource, lines: number): unknown {
  if (compression === 'none' || !(error instanceof Failure) || error.where !== path) return error
  return new Failure({ ...error.toValue(), where: `${path}:${1 + lines}` })
}

/** What readers of several files share, or that is made for one. */
export interface GivenToReader extends Pick<ReaderContext, 'newTable' | 'tap' | 'vertexTap' | 'sides'> {
  readonly rows?: RowPolicy | undefined
  readonly codes?: WeightTaker | undefined
  policy?: WeightPolicy | undefined
  /** Read all ids as texts. */
  readonly text?: TextId | null
  /** Rows that go over several lines are joined before they are read. */
  readonly joins?: boolean
}

/** What readers of a format are given. */
export function readerContext(
  format: GraphFormat,
  args: Omit<ImportArgs, 'folder'>,
  given: GivenToReader,
): ReaderContext {
  const { weightRule, ignoreWeights = false, invertWeights, source, table, memoryBytes = preparingBytes() } = args
  const rule = weightRule ?? format.weights?.rule ?? 'reject'
  const zerosAreNone = weightRule === undefined && format.weights?.zerosAreNone === true
  const badRows = hasRows(format) ? (table?.badRows ?? 'stop') : undefined
  const { newTable, tap, vertexTap, codes, sides, rows = new RowPolicy(table), joins: areJoined } = given
  const weights = given.policy ?? new WeightPolicy({ rule, zerosAreNone, invert: invertWeights, badRows, codes })
  requireNoMember(format, args)
  const { member } = args
  return {
    source,
    output: new EntryOutput(),
    weights,
    rows,
    ignoreWeights,
    memoryBytes,
    member,
    table,
    newTable,
    tap,
    vertexTap,
    areJoined,
    sides,
  }
}

/** @throws Failure (usage) where columns or rows were chosen of a format that has none */
export function requireColumns(format: GraphFormat, table: TableOptions = {}): void {
  const { sourceColumn = END_NAMES[0], targetColumn = END_NAMES[1], where } = table
  const isUsual = sourceColumn === END_NAMES[0] && targetColumn === END_NAMES[1] && where === undefined
  const isOther = format.kind === 'whole' && format.elements !== undefined && !isUsual
  const { attributes = 'none' } = table
  const choosesAttributes = !['all', 'none'].includes(attributes) && !(format.kind === 'whole' && format.elements)
  if ((hasRows(format) && !isOther) || !(choosesColumns(table) || choosesAttributes)) return
  const what = `${format.name} has no columns to choose from`
  if (where === undefined) throw usageFailure(undefined, what, 'Leave the choice of columns out.', [OTHER_FORMAT])
  throw usageFailure(undefined, what, '', [{ action: 'omit', option: 'where' }, OTHER_FORMAT])
}

/** @throws Failure (input) where a member is asked for, and a file holds one graph */
function requireNoMember(format: GraphFormat, { source, member }: Pick<ImportArgs, 'source' | 'member'>): void {
  if (member === undefined || (format.kind === 'whole' && format.graphs !== undefined)) return
  throw inputFailure(source, 'this file is no archive, and a member of one is asked for', 'Leave the member out.')
}

/** The rows of a table of text, and how they are cut. */
export interface KnownTable {
  /** Those of the beginning, each in a line: with a mark for each line break within quotes. */
  readonly rows: Uint8Array
  /** How rows over several lines are joined, and whether the beginning has some. */
  readonly rowForm: RowForm
  readonly hasBreaks: boolean
  readonly shape: TableShape
}

/** A file of text in lines, and what is known of it. */
export interface KnownText {
  readonly source: string
  readonly format: FormatName
  readonly start: TextStart
  /** null where lines are no rows of a table. */
  readonly table: KnownTable | null
}

/** A text in lines that is read: its format, and the reader of that. */
export class Reading {
  readonly format: FormatName
  readonly context: ReaderContext
  readonly reader: GraphReader
  /** How rows are joined; null where lines are read as they are. */
  readonly rowForm: RowForm | null
  /** Whether rows of the beginning go over several lines, and are not joined. */
  readonly #hasBreaks: boolean

  constructor(known: KnownText, args: Omit<ImportArgs, 'folder'>, given: Partial<GivenToReader> = {}) {
    const { text = null, newTable = () => new LabelTable(), joins = false } = given
    const { source, start, table } = known
    refuseBinary(start.sample.bytes, source)
    this.format = known.format
    const format = textFormat(this.format, source)
    requireColumns(format, args.table)
    this.#hasBreaks = table !== null && table.hasBreaks && !joins
    this.rowForm = joins ? (table?.rowForm ?? null) : null
    this.context = readerContext(format, { ...args, source }, { ...given, joins: this.rowForm !== null, newTable })
    this.reader = format.open(this.context, text, table?.shape ?? null)
  }

  /** Why the file has to be read in another way. */
  get other(): OtherReading | null {
    return this.#hasBreaks ? { other: 'rows' } : (this.reader.other ?? null)
  }

  /** What its reader gave. */
  read(
    outcome: ReadOutcome,
    weighted: boolean,
    source: Pick<FileRead, 'compression' | 'sourceBytes' | 'sourceSha256' | 'entries'>,
  ): FileRead {
    const { format, reader, context } = this
    const { line, continued = 0, tally, linesAreEntries = false } = reader
    const entries = source.entries - (outcome.declared ?? 0)
    return {
      ...outcome,
      ...source,
      entries,
      ...{ format, lines: line, weighted, policy: context.weights },
      tally: tally && { ...tally, total: line - continued, entries: linesAreEntries ? entries : 0 },
    }
  }
}

/** A file that is read by position, open. */
export interface OpenedFile {
  readonly format: WholeFormat
  /** As the user gave it. */
  readonly stored: StoredFile
  /** The same, or unpacked beside the dataset. */
  readonly file: StoredFile
  /** Needed in every case. */
  close(): void
}

export interface FileRead
  extends ReadOutcome, Pick<ImportReport, 'compression' | 'sourceBytes' | 'sourceSha256' | 'lines' | 'entries'> {
  readonly format: FormatName
  readonly weighted: boolean
  readonly policy: WeightPolicy
}

/** @param given has a tap in a second pass, whose bytes are not summed again @throws Failure (input) that names the file; (cancelled) */
export async function readWholeFile(
  { format, stored, file }: OpenedFile,
  args: ImportArgs,
  { sink, ...given }: GivenToReader & { readonly sink: EntrySink },
  job: JobContext,
): Promise<FileRead> {
  const context = readerContext(format, args, given)
  const { output, weights: policy } = context
  const scheduler = new YieldScheduler(job)
  const yields = (done: number, { bytes: total }: StoredFile): Promise<void> =>
    scheduler.yield({ phase: 'read', done, total, unit: 'bytes' })
  let outcome!: ReadOutcome
  const reading = async function* (): AsyncGenerator<number> {
    outcome = yield* format.read(file, context)
  }
  // A reader closes what it opened, also where this loop fails.
  for await (const readBytes of reading()) {
    await output.drain(sink)
    await yields(readBytes, file)
  }
  policy.refuse()
  await output.drain(sink, true)
  const sourceSha256 = given.tap === undefined ? await stored.sha256((done) => yields(done, stored)) : ''
  const entries = output.entries - (outcome.declared ?? 0)
  const { weighted } = output
  return { ...outcome, format: format.name, ...storedAs(stored), sourceSha256, lines: 0, entries, weighted, policy }
}

export const storedAs = ({ isGzip, bytes }: StoredFile): Pick<FileRead, 'compression' | 'sourceBytes'> => {
  return { compression: isGzip ? 'gzip' : 'none', sourceBytes: bytes }
}

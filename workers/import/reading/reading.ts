/**
 * How files are read: the sample that decides on format and columns, the reader of the format and what it is given, and the chunks that it
 * takes. Bytes are summed as they pass, for the report. known-file.ts decides what a file is, read-graph-file.ts reads with it,
 * preview/preview-file.ts looks with it.
 */

import { type JobContext, YieldScheduler } from '../../base/job.ts'
import type { FormatName, ImportArgs, ImportReport, TextEncoding } from '../../contract/jobs.ts'
import { requireColumns } from '../formats/column-choice.ts'
import { refuseBinary, SAMPLE_BYTES } from '../formats/detect.ts'
import { EntryOutput, type EntrySink } from '../../graph/entries.ts'
import { type GraphFormat, hasRows, type WholeFormat } from '../formats/graph-format.ts'
import { joinedSample, type RowForm, rowFormOf, unmark } from '../formats/quoted-breaks.ts'
import { textFormat } from '../formats/registry.ts'
import type { GraphReader, OtherReading, ReaderContext, ReadOutcome, TextId } from '../reader/graph-reader.ts'
import { LabelTable } from '../reader/input-ids.ts'
import { preparingBytes } from '../../base/host-resources.ts'
import { type TextForm, type Compression, markBytes, TextSource } from '../reader/text-source.ts'
import { RowPolicy, WeightPolicy } from '../reader/policies.ts'
import type { WeightTaker } from '../reader/weight-codes.ts'
import { Failure, inputFailure } from '../../base/failure.ts'
import type { StoredFile } from '../formats/stored-file.ts'

/** Bytes that tell a format must begin here. */
const HEAD_BYTES = 64 << 10

/** The first bytes of a text, which decide on format and columns. */
export class Sample {
  /** Whole lines, where there are some. */
  bytes: Uint8Array = new Uint8Array(0)
  /** The first bytes, wherever lines end. */
  head: Uint8Array = new Uint8Array(0)
  /** Bytes of a byte order mark, which is left out. */
  markBytes = 0
  complete = true
  /** Before the stream broke. */
  lines = 0

  /** Passes the chunks on once it is filled. */
  async *fill(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let first: Uint8Array[] = []
    let length = 0
    let gathered = false
    for await (const chunk of chunks) {
      if (gathered) {
        yield chunk
        continue
      }
      first.push(chunk)
      length += chunk.length
      this.lines += newlinesIn(chunk)
      gathered = length > SAMPLE_BYTES
      if (!gathered) continue
      this.#take(first, false)
      yield* first
      first = []
    }
    if (gathered) return
    this.#take(first, true)
    yield* first
  }

  #take(chunks: Uint8Array[], complete: boolean): void {
    const all = Buffer.concat(chunks)
    this.complete = complete
    this.markBytes = markBytes(all)
    const cut = complete ? all.length : Math.min(all.length, SAMPLE_BYTES)
    const newline = complete ? cut : all.lastIndexOf(10, cut) + 1
    this.bytes = all.subarray(this.markBytes, newline > 0 ? newline : cut)
    this.head = all.subarray(this.markBytes, this.markBytes + HEAD_BYTES)
  }
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
  const sample = new Sample()
  try {
    const chunks = sample.fill(text.chunks())
    await chunks.next()
    await chunks.return(undefined)
    return { sample, compression: text.compression, form: text.form }
  } catch (error) {
    throw atLine(error, text, sample.lines)
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

/** @throws Failure (input) where a member is asked for, and a file holds one graph */
function requireNoMember(format: GraphFormat, { source, member }: Pick<ImportArgs, 'source' | 'member'>): void {
  if (member === undefined || (format.kind === 'whole' && format.graphs !== undefined)) return
  throw inputFailure(source, 'this file is no archive, and a member of one is asked for', 'Leave the member out.')
}

/** Arguments with a format that was chosen or found out. */
export type KnownArgs = ImportArgs & { readonly format: FormatName }

/** A text in lines that is read: its format, and the reader of that. */
export class Reading {
  readonly format: FormatName
  readonly context: ReaderContext
  readonly reader: GraphReader

  /** How rows are joined; null where lines are read as they are. */
  readonly rowForm: RowForm | null

  /** Whether rows of the sample go over several lines, and are not joined. */
  readonly #hasBreaks: boolean

  constructor(args: KnownArgs, sample: Sample, given: Partial<GivenToReader> = {}) {
    const { text = null, newTable = () => new LabelTable(), joins = false } = given
    const rows = joinedSample(sample.bytes, args.table)
    if (rows !== null) unmark(rows.bytes)
    const seen = rows?.bytes ?? sample.bytes
    refuseBinary(seen, args.source)
    this.format = args.format
    const format = textFormat(this.format, args.source)
    requireColumns(format, args.table)
    const isTable = hasRows(format)
    this.#hasBreaks = isTable && rows !== null && !joins
    this.rowForm = isTable && joins ? (rows?.form ?? rowFormOf(sample.bytes, args.table)) : null
    this.context = readerContext(format, args, { ...given, joins: this.rowForm !== null, newTable })
    this.reader = format.open(this.context, isTable ? seen : sample.bytes, text, sample.complete)
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

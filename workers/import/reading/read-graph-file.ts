/**
 * Reads files as one graph, whatever their formats: opens each, finds its shape, drives its reader over chunks of lines or by
 * position, and starts anew where a reader asks for it (texts, sides, weights that floats do not hold). A second pass taps columns for
 * attributes. Later files must fit the first. reading.ts opens, graph-reader.ts is what readers see, import-graph.ts chooses the way behind
 * them.
 */

import { createHash } from 'node:crypto'
import { Failure, inputFailure, WITHOUT_WEIGHTS } from '../../base/failure.ts'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import type { FormatName, ImportArgs } from '../../contract/jobs.ts'
import type { EntryOutput, EntrySink } from '../../graph/entries.ts'
import { declareVertices, type RowSpreader } from './vertex-file.ts'
import { areLines, KnownFiles, type KnownLines, openKnown } from './known-file.ts'
import { MeasuredSink, OnesSink, type WeightPolicy } from '../reader/policies.ts'
import {
  type FileRead,
  type OpenedFile,
  readWholeFile,
  type GivenToReader,
  Reading,
  atLine,
  type KnownText,
} from './reading.ts'
import {
  type EdgeTap,
  type GraphReader,
  type LineSpan,
  lineTooLong,
  type ReadOutcome,
  type OtherReading,
  type TextId,
  type VertexTap,
  wholeLines,
} from '../reader/graph-reader.ts'
import { LabelTable } from '../reader/input-ids.ts'
import { sumOfTallies } from '../reader/line-tally.ts'
import { TextSource } from '../reader/text-source.ts'
import type { ImportTuning } from '../reader/import-resources.ts'
import { roundsWeights, type StoredAs, type WeightCodes, type WeightMap } from '../reader/weight-codes.ts'
import { writtenMeanwhile } from '../formats/stored-file.ts'
import { joinedRows } from '../formats/quoted-breaks.ts'
import { linesAreEdges } from '../formats/registry.ts'

const NEWLINE = 10
/** Between two looks at the signal: under 100 ms even where ids are texts. */
const PIECE_BYTES = 512 << 10

/** Lines for a reader, and where it puts entries. */
export interface ReadLines extends LineSpan {
  readonly reader: GraphReader
  readonly output: EntryOutput
}

/** Takes entries and the lines that other threads can parse. */
export interface LineSink extends EntrySink {
  /** A table for texts that may be emptied between lines. */
  newTable(): LabelTable
  /** `drain` hands on all entries so far. */
  betweenLines(drain: () => Promise<void>): Promise<void>
  /** @returns where lines are left that the reader has to read itself */
  spread(lines: ReadLines): Promise<number>
  readonly spreadBytes: number
  /** @throws Failure (input) at the first line with a fault */
  settle(): Promise<void>
}

export interface ReadFile extends FileRead {
  /** Applied before duplicates are merged; null for none. */
  readonly weightMap: WeightMap | null
  /** Whether weights are keys already, of what the map made of them. */
  readonly areKeys?: boolean
}

/** @param mostBytes of texts that are known at a time */
function nothingTaken(mostBytes = Infinity): LineSink {
  const table = new LabelTable()
  return {
    accept: () => {},
    newTable: () => table,
    betweenLines: async () => {
      if (table.usedBytes > mostBytes) table.clear()
    },
    spread: async ({ start }) => start,
    spreadBytes: Infinity,
    settle: async () => {},
  }
}

/**
 * Reads a file once more, for the columns of edges that are kept, or for values of vertices.
 * @param ids how those of the first pass were read
 * @throws Failure (input), (cancelled)
 */
export async function tapGraphFile(
  args: ImportArgs,
  format: FormatName,
  ids: 'integer' | 'text',
  { rows, ...taps }: { readonly tap?: EdgeTap; readonly vertexTap?: VertexTap; readonly rows?: RowSpreader },
  job: JobContext,
): Promise<void> {
  const quiet: JobContext = { ...job, log: () => {}, progress: (at) => job.progress({ ...at, phase: 'attributes' }) }
  const files = new KnownFiles({ ...args, format })
  const opened = await openKnown(await files.first(), args, quiet)
  try {
    const text = ids === 'text' ? { line: 0, id: '' } : null
    const given = { opened, files, text, ...taps, joins: true }
    const spread = rows && {
      spread: rows.take.bind(rows),
      settle: rows.settle.bind(rows),
      spreadBytes: rows.pieceBytes,
    }
    const asked = { ...args, format, vertices: undefined }
    const read = await readGraphFile(asked, { ...nothingTaken(), ...spread }, quiet, {}, given)
    if ('other' in read) throw writtenMeanwhile(args.source)
  } finally {
    opened?.close()
  }
}

const KNOWN_TEXT_BYTES = 1 << 24

/**
 * Gathers the distinct weights of a file, or of several, and gives each its key.
 * @param spread gives lines to threads
 * @param given as of {@link readGraphFile}, which returns and throws the same
 */
export async function readWeights(
  args: ImportArgs,
  codes: WeightCodes,
  job: JobContext,
  tuning: ImportTuning,
  given: GivenToFiles,
  spread: Pick<LineSink, 'spread' | 'settle' | 'spreadBytes'>,
): Promise<OtherReading | null> {
  const quiet: JobContext = { ...job, log: () => {}, progress: (at) => job.progress({ ...at, phase: 'weigh' }) }
  const nothing = nothingTaken(KNOWN_TEXT_BYTES)
  const lines: LineSink = {
    ...nothing,
    spread: (read) => spread.spread(read),
    settle: () => spread.settle(),
    spreadBytes: spread.spreadBytes,
  }
  const read = await readGraphFile(args, lines, quiet, tuning, { ...given, codes })
  return 'other' in read ? read : null
}

/** What the readers of all files share. */
interface Shared extends GivenToReader {
  readonly codes?: WeightCodes | undefined
  readonly sink: MeasuredSink
  readonly text: TextId | null
}

/** `files`: what they are; `opened`: the first one where it is no text in lines; `text`: read all ids as texts; `joins`: rows over several lines. */
type GivenToFiles = Pick<Shared, 'text' | 'tap' | 'vertexTap' | 'joins' | 'sides' | 'codes'> & {
  readonly opened: OpenedFile | null
  readonly files: KnownFiles
}

/**
 * Reads a file, or several as one graph.
 * @returns how it has to be read instead, if a reader finds out
 * @throws Failure (input), (cancelled)
 */
export async function readGraphFile(
  args: ImportArgs,
  lines: LineSink,
  job: JobContext,
  tuning: ImportTuning,
  { opened, files, ...given }: GivenToFiles,
): Promise<ReadFile | OtherReading> {
  if (opened !== null && severalFiles(args)) throw oneFileOnly(args.source, opened.format.name)
  let table: LabelTable | null = null
  const shared: Shared = {
    sink: new MeasuredSink(args.merge === 'count' ? new OnesSink(lines) : lines),
    newTable: () => (table ??= lines.newTable()),
    ...given,
  }
  const first =
    opened === null
      ? await readOnce((await files.first()) as KnownLines, args, lines, job, tuning, shared)
      : await readWholeFile(opened, args, shared, job)
  if ('other' in first) return first
  let all = first
  if (severalFiles(args)) requireEdges(args.source, all.format)
  for (const source of args.sources ?? []) {
    shared.policy = all.policy
    const one = await readOnce(
      await laterFile(args.source, source, all.format, files),
      args,
      lines,
      job,
      tuning,
      shared,
    )
    if ('other' in one) return one
    if (one.weighted !== all.weighted) throw otherWeights(source, one.weighted, args.source)
    all = joined(all, one)
  }
  all.policy.refuse()
  if (all.policy.areZeros(all.entries)) return { other: 'pattern', zeros: all.policy.zeros }
  if (areWide(args, all, shared)) return { other: 'weights' }
  const border = (drain: () => Promise<void>): Promise<void> =>
    opened === null ? lines.betweenLines(drain) : Promise.resolve()
  const declared = await declareVertices(args, all.vertices, all.weighted, shared.sink, border, job)
  if ('other' in declared) {
    if (opened !== null && declared.other === 'texts') throw mixedIds(args, declared)
    return declared
  }
  all = { ...all, ...withDeclared(all, declared) }
  const { text } = given
  const asTexts = text === null ? [] : [`all ids were read as texts, because line ${text.line} holds "${text.id}"`]
  return {
    ...all,
    warnings: [...asTexts, ...all.warnings],
    weighted: all.weighted || args.merge === 'count',
    ...mapOf(all.policy, shared),
  }
}

function mapOf(policy: WeightPolicy, { codes, sink }: Shared): Pick<ReadFile, 'weightMap' | 'areKeys'> {
  if (codes === undefined) return { weightMap: policy.mapFor(sink.range), areKeys: false }
  if (!codes.areKnown) codes.close((range) => policy.mapFor(range))
  return { weightMap: codes.map, areKeys: true }
}

/** Whether 32-bit floats do not hold the weights, or what a map makes of them. */
function areWide(args: ImportArgs, { weighted, policy }: FileRead, { sink, codes, tap }: Shared): boolean {
  if (isRounded(args, codes, tap) || !weighted) return false
  return !policy.digits.areKept || (policy.needsRange && !sink.areSmallWhole)
}

/** What the weights of a file are to the floats that are stored. */
export function storedAsOf(args: ImportArgs, { policy }: Pick<FileRead, 'policy'>, codes?: WeightCodes): StoredAs {
  if (codes !== undefined) return codes.table !== null ? 'table' : codes.areDecimals ? 'decimals' : 'floats'
  return roundsWeights(args) || !policy.digits.areDecimals ? 'floats' : 'decimals'
}

/** Whether 32-bit floats will do, or weights are keys already. */
const isRounded = (args: ImportArgs, codes: WeightCodes | undefined, tap: EdgeTap | undefined): boolean =>
  codes !== undefined || tap !== undefined || roundsWeights(args)

/** A file behind the first one. @throws Failure (input) where it is of another format than that */
export async function laterFile(
  first: string,
  source: string,
  format: FormatName,
  files: KnownFiles,
): Promise<KnownLines> {
  const known = await files.later(source)
  if (!areLines(known)) throw oneFileOnly(source, known.format ?? 'binary lists')
  if (known.format === format) return known
  const what = `this file is of the format ${known.format}, and ${first} of ${format}`
  throw inputFailure(source, what, 'Import it by itself.', [{ action: 'set', option: 'format', to: format }])
}

/** Adds up counts; the checksum is that of both checksums. */
export function joined(all: FileRead, { counted: _own, ...one }: FileRead): FileRead {
  const declared = (all.declared ?? 0) + (one.declared ?? 0)
  return {
    ...one,
    ...(declared === 0 ? {} : { declared }),
    named: all.named === true,
    warnings: [...new Set([...all.warnings, ...one.warnings])],
    compression: all.compression,
    sourceBytes: all.sourceBytes + one.sourceBytes,
    sourceSha256: createHash('sha256').update(`${all.sourceSha256}\n${one.sourceSha256}\n`).digest('hex'),
    lines: all.lines + one.lines,
    entries: all.entries + one.entries,
    ones: (all.ones ?? 0) + (one.ones ?? 0),
    tally: sumOfTallies(all.tally, one.tally),
    ...(all.filtered === undefined ? {} : { filtered: all.filtered + (one.filtered ?? 0) }),
    ...sumOf(all.skipped, one.skipped),
  }
}

/** Columns of whole numbers stay that. */
const mixedIds = ({ vertices = '' }: ImportArgs, { id }: TextId): Failure =>
  inputFailure(vertices, `the id "${id}" is a text, and the ends of edges are whole numbers`, 'Mend it.')

/** What a table of vertices adds to what was read. */
export function withDeclared(
  read: ReadOutcome,
  { declared, skipped, warnings }: Exclude<Awaited<ReturnType<typeof declareVertices>>, OtherReading>,
) {
  const all = (read.declared ?? 0) + declared
  return {
    warnings: [...read.warnings, ...warnings],
    ...sumOf(read.skipped, skipped),
    ...(all === 0 ? {} : { declared: all }),
  }
}

const sumOf = (a = 0, b = 0): Pick<ReadOutcome, 'skipped'> => (a + b === 0 ? {} : { skipped: a + b })

export function severalFiles({ sources }: ImportArgs): boolean {
  return sources !== undefined && sources.length > 0
}

/** @throws Failure (input) for a format whose files are whole graphs */
export function requireEdges(source: string, format: FormatName): void {
  if (!linesAreEdges(format)) throw oneFileOnly(source, format)
}

export function otherWeights(source: string, weighted: boolean, first: string): Failure {
  return inputFailure(
    `${source}:1`,
    `this file has ${weighted ? '' : 'no '}weights, and ${first} has ${weighted ? 'none' : 'some'}`,
    'Give all of them weights.',
    [WITHOUT_WEIGHTS],
  )
}

function oneFileOnly(source: string, format: string): Failure {
  return inputFailure(
    source,
    `files of the format ${format} hold a whole graph each`,
    'Several files as one graph can be edge lists only: import them one by one.',
  )
}

async function readOnce(
  known: KnownText,
  args: ImportArgs,
  lines: LineSink,
  job: JobContext,
  tuning: ImportTuning,
  shared: Shared,
): Promise<FileRead | OtherReading> {
  const { chunkBytes } = tuning
  const sums = shared.tap === undefined && shared.vertexTap === undefined
  const reading = new Reading(known, args, shared)
  const { reader, context, rowForm } = reading
  const { output } = context
  const source = await TextSource.open(known.source, { chunkBytes, encoding: args.table?.encoding, sums })
  const scheduler = new YieldScheduler(job)
  const tooLong = lineTooLong(source.path, tuning.lineBytes)
  try {
    const lineSpans = wholeLines(source.chunks(), tuning.lineBytes, () => tooLong)
    for await (const { bytes, start, end } of rowForm === null ? lineSpans : joinedRows(lineSpans, rowForm)) {
      for (let at = start; at < end && reading.other === null && reader.isDone !== true;) {
        const most = Math.min(PIECE_BYTES, lines.spreadBytes / 2)
        const cut = at + most >= end ? end : bytes.indexOf(NEWLINE, at + most) + 1
        const left = await lines.spread({ reader, output, bytes, start: at, end: cut })
        if (left < cut) reader.readLines(bytes, left, cut)
        await output.drain(shared.sink)
        await lines.betweenLines(() => output.drain(shared.sink, true))
        if (!context.weights.digits.areKept && !isRounded(args, shared.codes, shared.tap)) return { other: 'weights' }
        await scheduler.yield({ phase: 'parse', done: source.readBytes, total: source.storedBytes, unit: 'bytes' })
        at = cut
      }
      if (reading.other !== null) return reading.other
      if (reader.isDone === true) break
    }
    await lines.settle()
    const outcome = reading.other ?? reader.finish()
    if ('other' in outcome) return outcome
    await output.drain(shared.sink, true)
    const { compression, storedBytes, form } = source
    const warnings = [...(form.note === null ? [] : [form.note]), ...outcome.warnings]
    const stored = { compression, sourceBytes: storedBytes, sourceSha256: sums ? source.sha256() : '' }
    return reading.read({ ...outcome, warnings }, output.weighted, { ...stored, entries: output.entries })
  } catch (error) {
    const isNext = error === tooLong || atLine(error, source, 0) !== error
    if (!isNext) throw error
    // Threads may have lines before it.
    await lines.settle()
    throw new Failure({ ...(error as Failure).toValue(), where: `${source.path}:${1 + reader.line}` })
  } finally {
    await source.close()
  }
}

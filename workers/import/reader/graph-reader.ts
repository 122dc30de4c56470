/**
 * What a reader of a format is given and gives: entries into blocks, the vertices that there are and what ids mean, taps for attributes, and the
 * values by which a reader asks to be started anew (texts among whole numbers, sides of a bipartite graph). Here are also the cutting of
 * chunks into whole lines, and the bounds on ids and memory that all readers share. formats/ has the readers, read-graph-file.ts drives them.
 */

import { isUtf8 } from 'node:buffer'
import { Failure, excerpt, inputFailure, MORE_MEMORY } from '../../base/failure.ts'
import type { AttributeValue, TableOptions } from '../../contract/jobs.ts'
import type { EntryOutput } from '../../graph/entries.ts'
import type { LabelTable } from './input-ids.ts'
import type { LineTally } from './line-tally.ts'
import type { LineReader, PlainShape } from './plain-lines.ts'
import type { RowShape } from './plain-row.ts'
import type { RowPolicy, WeightPolicy } from './policies.ts'
import { markBytes } from './text-source.ts'

/** Which vertices there are, and what ids in entries mean. */
export type VertexSpace =
  /** Internal ids; the label of v is v + base. */
  | { readonly kind: 'counted'; readonly vertices: number; readonly base: 0 | 1 }
  /** Labels of 64 bits; the vertices are those that occur. */
  | { readonly kind: 'occurring' }
  /** Positions in a table of texts. */
  | { readonly kind: 'text'; readonly table: LabelTable }

export interface ReaderContext {
  /** As the user named it. */
  readonly source: string
  readonly output: EntryOutput
  readonly weights: WeightPolicy
  readonly rows: RowPolicy
  readonly ignoreWeights: boolean
  readonly memoryBytes: number
  /** The one of several graphs that is read, as it was asked for. */
  readonly member?: string | undefined
  readonly table?: TableOptions | undefined
  /** Rows that go over several lines are one line already. */
  readonly areJoined?: boolean | undefined
  /** Those of a bipartite graph that an earlier reading found. */
  readonly sides?: Sides | undefined
  /** Gets the attributes of entries by `table`, in place of the entries. */
  readonly tap?: EdgeTap | undefined
  /** Gets the values of vertices by their number from 0, of formats that have some. */
  readonly vertexTap?: VertexTap | undefined
  /** For texts; the driver may empty it between two calls of `readLines`. */
  readonly newTable: () => LabelTable
}

/** What an end of an edge is called; a whole number below 2^53 where it is known as one. */
export type EndName = string | number

/** Gets the columns of edges that are kept. */
export interface EdgeTap {
  values(source: EndName, target: EndName, values: Iterable<readonly [string, NonNullable<AttributeValue>]>): void
  /** Texts of a line, which a whole column decides on. */
  cells(source: EndName, target: EndName, line: Uint8Array, cells: LineCells): void
}

/** Columns of lines that are kept, by name, and where they are in the line that was split last. */
export interface LineCells {
  readonly names: readonly string[]
  /** Empty and missing ones start where they end. */
  start(cell: number): number
  end(cell: number): number
  /** The bytes in place of those in the line, where these have marks of quotes within; else null. */
  unquoted(line: Uint8Array, cell: number): Uint8Array | null
}

export type VertexTap = (vertex: number, values: readonly (readonly [string, number])[]) => void

export interface ReadOutcome {
  readonly vertices: VertexSpace
  readonly warnings: readonly string[]
  /** The two sides of a bipartite input. */
  readonly sides?: Sides
  /** Left out by a threshold. */
  readonly filtered?: number
  /** Left out by a rule for rows that are no edges. */
  readonly skipped?: number
  readonly named?: boolean
  /** Loops among the entries that only declare a vertex: no report counts them. */
  readonly declared?: number
  /** Vertices by a line of counts above a list of edges. */
  readonly counted?: number
  /** Entries without a weight, which got 1. */
  readonly ones?: number
  /** Absent for formats without lines and rows. */
  readonly tally?: LineTally | undefined
}

/**
 * The reading of a file by position into `output`: it yields the bytes that were read at least once per 2^18 entries, when full blocks are handed
 * on and others have a turn, and stops where it is not asked for more.
 */
export type WholeReading = AsyncGenerator<number, ReadOutcome>

/** The outcome of a reader of rows, whose ids are whole numbers as they occur, or texts. */
export function rowsOutcome(
  { rows, weights }: ReaderContext,
  table: LabelTable | null,
  warnings: readonly string[] = [],
): ReadOutcome {
  const skipped = rows.skipped + weights.skipped
  return {
    vertices: table === null ? { kind: 'occurring' } : { kind: 'text', table },
    warnings: [...warnings, ...rows.warnings()],
    ...(skipped === 0 ? {} : { skipped }),
    ones: rows.ones,
  }
}

/** A reader of a table in lines. */
export interface RowReader extends LineReader {
  /** Rows from here on whose cells threads can keep; absent for none. */
  readonly rowShape?: RowShape | undefined
}

/** Bytes [start, end) for a reader. */
export interface RowLines extends LineSpan {
  readonly reader: RowReader
}

/** Parses whole lines of one format into blocks of entries. */
export interface GraphReader extends RowReader {
  readonly line: number
  /** Whether names stand above the entries, once the first line was read. */
  readonly named?: boolean
  /** The vertices that a header counts, once it was read: their ids are these, from 1. */
  readonly countedVertices?: number | undefined
  /** Lines from here on that other threads can parse; null or absent for none. */
  readonly plainShape?: PlainShape | null
  /** What a header promises of lists of neighbours alone, a list a line behind it, which threads can parse; absent for other lines. */
  readonly listed?: { readonly vertices: number; readonly neighbours: number } | undefined
  /** Counts lines of such lists, to the last one of the file, and what is in them. */
  tookLists?(lines: number, neighbours: number, loops: number): void
  /** Complete but for `total` and `entries`. */
  readonly tally?: LineTally
  /** Lines that continue a row. */
  readonly continued?: number
  /** Whether each entry is a line. */
  readonly linesAreEntries?: boolean
  /** Whether a reading for attributes needs no more lines: no column is kept. */
  readonly isDone?: boolean
  /** Once the file has to be read in another way: no more lines are read. */
  readonly other?: OtherReading | null
  /** @throws Failure (input) where promised entries are missing */
  finish(): ReadOutcome | OtherReading
}

/** A text among integer ids. */
export interface TextId {
  readonly line: number
  readonly id: string
}

/** Why a file has to be read again from its start, in another way: what a reading found in it. */
export type OtherReading =
  /** All ids are texts. */
  | ({ readonly other: 'texts' } & TextId)
  /** The sizes of both sides of a bipartite graph, which no header says. */
  | { readonly other: 'sides'; readonly sides: Sides }
  /** Values that are all zero: they are a pattern, and the graph has no weights. */
  | { readonly other: 'pattern'; readonly zeros: number }
  /** Quotes continue in the next line, so that rows have to be joined. */
  | { readonly other: 'rows' }
  /** 32-bit floats do not hold the weights, which need keys. */
  | { readonly other: 'weights' }

/** @throws Failure (input) where a text, such as a line, is of another encoding: what a decoder makes of it is lost */
export function requireUtf8(where: string, text: Uint8Array, noun: string): void {
  if (isUtf8(text)) return
  throw inputFailure(where, `the ${noun} "${excerpt(text)}" is not UTF-8 text`, 'Is the file complete?', [
    { action: 'set', option: 'encoding', to: 'windows-1252' },
    { action: 'choose', option: 'encoding' },
  ])
}

export interface Sides {
  readonly left: number
  readonly right: number
}

/** Ids are u32; two values are reserved. */
export const MAX_VERTICES = 2 ** 32 - 2

/** @throws Failure (input) for more vertices than there are ids */
export function requireIds(where: string, vertices: number, words = String(vertices)): void {
  if (vertices <= MAX_VERTICES) return
  throw inputFailure(where, `${words} vertices are past the ${MAX_VERTICES} that ids have room for`, 'Split the graph.')
}

/** Part of an import's memory that a reader may keep. */
export const READER_SHARE = 1 / 2

/**
 * @param what needs so many bytes at once, in words
 * @param instead what helps beside more memory
 * @throws Failure (usage) where the import may not use so many
 */
export function requireMemoryFor(
  { source, memoryBytes }: Pick<ReaderContext, 'source' | 'memoryBytes'>,
  bytes: number,
  what: string,
  instead = 'Write the graph as an edge list',
): void {
  if (bytes <= READER_SHARE * memoryBytes) return
  const mib = (size: number) => Math.ceil(size / 2 ** 20)
  throw new Failure({
    code: 'usage',
    where: source,
    what: `${what} takes ${mib(bytes)} MiB at once, and an import with ${mib(memoryBytes)} MiB keeps half of that`,
    remedy: `${instead}.`,
    fixes: [{ action: 'raise', option: 'memoryBytes', to: mib(bytes / READER_SHARE) * 2 ** 20 }],
  })
}

const NEWLINE = 10

/** Bytes [start, end) of whole lines, good until the next. */
export interface LineSpan {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

/** Cuts chunks at line ends, removes a byte order mark, ends the last line. @param most bytes of a line across chunks */
export async function* wholeLines(
  chunks: AsyncIterable<Uint8Array>,
  most = Infinity,
  tooLong: () => Error = () => new RangeError('a line is too long'),
): AsyncGenerator<LineSpan> {
  let carried = new Uint8Array(1 << 16)
  let length = 0
  let atStart = true
  for await (const chunk of chunks) {
    const cut = chunk.lastIndexOf(NEWLINE) + 1
    if (cut === 0) {
      if (length + chunk.length > most) throw tooLong()
      carried = append(carried, length, chunk)
      length += chunk.length
      continue
    }
    let lines: Uint8Array = chunk.subarray(0, cut)
    if (length > 0) {
      const border = chunk.indexOf(NEWLINE) + 1
      carried = append(carried, length, chunk.subarray(0, border))
      yield span(carried.subarray(0, length + border), atStart)
      atStart = false
      lines = chunk.subarray(border, cut)
    }
    if (lines.length > 0) yield span(lines, atStart)
    atStart = false
    const rest = chunk.subarray(cut)
    carried = append(carried, 0, rest)
    length = rest.length
  }
  if (length === 0) return
  carried = append(carried, length, Uint8Array.of(NEWLINE))
  yield span(carried.subarray(0, length + 1), atStart)
}

/** The failure of the line behind those that were read. */
export function lineTooLong(path: string, lineBytes = Infinity): Failure {
  const mib = Math.round(lineBytes / 2 ** 20)
  return inputFailure(
    path,
    `this line is longer than the ${mib} MiB that an import with so much memory keeps of one`,
    'Are its ends of lines whole? Else it takes eight times the length of the line.',
    [MORE_MEMORY],
  )
}

function append(carried: Uint8Array<ArrayBuffer>, length: number, more: Uint8Array): Uint8Array<ArrayBuffer> {
  let into = carried
  if (length + more.length > carried.length) {
    into = new Uint8Array(Math.max(2 * carried.length, length + more.length + 1))
    into.set(carried.subarray(0, length))
  }
  into.set(more, length)
  return into
}

const span = (bytes: Uint8Array, atStart: boolean): LineSpan => {
  return { bytes, start: atStart ? markBytes(bytes) : 0, end: bytes.length }
}

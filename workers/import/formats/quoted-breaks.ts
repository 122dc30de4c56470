/**
 * Rows of a table that go over several lines, as a cell in double quotes holds line breaks (RFC 4180, section 2.6). Readers take
 * lines, and threads take them in any order, so such a file is read anew: its rows are joined before they are cut into lines,
 * each break within quotes becoming a mark. A quote begins a cell only where a cell begins, and a cell ends only at a delimiter
 * or the end of a line; what does not end so within 1 MiB is no such cell, and its line is a broken row.
 *
 * Files without quotes cost nothing, and those whose quotes end in their line one look at the sample.
 */
import { bufferOf } from '../../base/words.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import type { LineSpan } from '../reader/graph-reader.ts'
import { endOfBare, endOfCell, skipBlanks } from '../reader/quoted-cells.ts'
import { isSigned } from './comment-rule.ts'
import { commentPrefix, linesOf } from './sample-lines.ts'
import { delimiterOf } from './table-lines.ts'

const [TAB, NEWLINE, MARK, RETURN, SPACE, QUOTE] = [9, 10, 11, 13, 32, 34]
const LONGEST_CELL = 1 << 20

/** How rows are found. */
export interface RowForm {
  /** 0 for runs of blanks. */
  readonly delimiter: number
  readonly comment: Uint8Array | undefined
}

/**
 * Marks the line breaks within quotes of whole lines, in place.
 * @param isLast whether nothing follows
 * @returns where a row begins that may continue behind `end`; `end` for none
 */
function joinRows(bytes: Uint8Array, start: number, end: number, form: RowForm, isLast: boolean): number {
  const quotes = bufferOf(bytes)
  for (let at = start; ;) {
    const quote = quotes.indexOf(QUOTE, at)
    if (quote < 0 || quote >= end) return end
    const line = Math.max(at, bytes.lastIndexOf(NEWLINE, quote) + 1)
    const next = joinRow(bytes, line, end, form, isLast)
    if (next < 0) return line
    at = next
  }
}

/** @returns where the next row begins; -1 where this one may continue behind `end` */
function joinRow(bytes: Uint8Array, at: number, end: number, form: RowForm, isLast: boolean): number {
  const { delimiter, comment } = form
  const lineEnd = bytes.indexOf(NEWLINE, at) + 1
  if (isSigned(bytes.subarray(at, lineEnd), comment)) return lineEnd
  const breaks: number[] = []
  for (let p = at; ; p++) {
    p = skipBlanks(bytes, p, end, delimiter)
    if (p < end && bytes[p] === QUOTE) {
      const close = endOfCell(bytes, p, Math.min(end, p + LONGEST_CELL))
      if (close < 0) return isLast || end - p >= LONGEST_CELL ? lineEnd : -1
      for (let i = bytes.indexOf(NEWLINE, p); i >= 0 && i < close; i = bytes.indexOf(NEWLINE, i + 1)) breaks.push(i)
      p = skipBlanks(bytes, close, end, delimiter)
      if (bytes[p] === RETURN && bytes[p + 1] === NEWLINE) p++
      const isEnd = bytes[p] === NEWLINE || (delimiter === 0 ? p > close : bytes[p] === delimiter)
      if (!isEnd) return lineEnd
      if (delimiter === 0 && bytes[p] !== NEWLINE) p--
    } else p = endOfBare(bytes, p, end, delimiter)
    if (p >= end || bytes[p] === NEWLINE) break
  }
  for (const i of breaks) {
    if (bytes[i - 1] === RETURN) bytes[i - 1] = SPACE
    bytes[i] = MARK
  }
  return bytes.indexOf(NEWLINE, breaks.at(-1) ?? at) + 1
}

/** Whole lines as rows. */
export async function* joinedRows(spans: AsyncIterable<LineSpan>, form: RowForm): AsyncGenerator<LineSpan> {
  let held = new Uint8Array(0)
  for await (const { bytes, start, end } of spans) {
    const isNew = held.length === 0
    const all = isNew ? bytes : Buffer.concat([held, bytes.subarray(start, end)])
    const [first, last] = isNew ? [start, end] : [0, all.length]
    const done = joinRows(all, first, last, form, false)
    held = new Uint8Array(all.subarray(done, last))
    if (done > first) yield { bytes: all, start: first, end: done }
  }
  if (held.length === 0) return
  joinRows(held, 0, held.length, form, true)
  yield { bytes: held, start: 0, end: held.length }
}

/** The rows of a sample of a table, each in one line. */
interface SampleRows {
  /** The bytes with a mark for each line break within quotes. */
  readonly marked: Uint8Array
  /** The bytes with a blank for each. */
  readonly lines: Uint8Array
  /** How they were found; null where no cell holds a line break. */
  readonly form: RowForm | null
}

export function sampleRows(sample: Uint8Array, table: TableOptions = {}): SampleRows {
  const asTheyAre = { marked: sample, lines: sample, form: null }
  if (!sample.includes(QUOTE) || sample.includes(MARK)) return asTheyAre
  const comment = commentPrefix(table)
  const plain = sample.at(-1) === NEWLINE ? sample : Buffer.concat([sample, Uint8Array.of(NEWLINE)])
  // Lines that are cut within quotes may speak for another delimiter than the rows do.
  const found = delimiterOf([...linesOf(plain)], table)
  for (const delimiter of table.delimiter === undefined ? new Set([found, ...delimiters]) : [found]) {
    const marked = new Uint8Array(plain)
    const form = { delimiter, comment }
    joinRows(marked, 0, marked.length, form, true)
    if (!marked.includes(MARK) || delimiterOf([...linesOf(marked)], table) !== delimiter) continue
    const lines = new Uint8Array(marked)
    unmark(lines)
    return { marked, lines, form }
  }
  return asTheyAre
}

const delimiters = [44, 59, TAB, 0]

/** Joined rows without the last one, where its quotes continue behind them. */
export const wholeRows = (rows: Uint8Array, form: RowForm): Uint8Array =>
  rows.subarray(0, joinRows(new Uint8Array(rows), 0, rows.length, form, false))

/** Puts blanks in place of the marks of a row. @returns how many there were */
export function unmark(row: Uint8Array): number {
  let marks = 0
  for (let i = row.indexOf(MARK); i >= 0; i = row.indexOf(MARK, i + 1)) {
    row[i] = SPACE
    marks++
  }
  return marks
}

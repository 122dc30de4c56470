import type { TableOptions } from '../../contract/jobs.ts'
import { inputFailure } from '../../base/failure.ts'
import { Fields, IdScanner } from './fields.ts'

const NEWLINE = 10
const TAB = 9
const COMMA = 44
const SEMICOLON = 59
const SAMPLE_LINES = 1000

const delimiterNames: Readonly<Record<string, number>> = {
  space: 0,
  tab: TAB,
  comma: COMMA,
  semicolon: SEMICOLON,
  pipe: 124,
}

/** Or the character itself. */
export const delimiterName = (byte: number): string =>
  Object.entries(delimiterNames).find(([, known]) => known === byte)?.[0] ?? String.fromCharCode(byte)

/** 0 for runs of blanks. @throws Failure (input) */
function delimiterByte(text: string): number {
  const named = delimiterNames[text.toLowerCase()]
  if (named !== undefined) return named
  if (text === ' ') return 0
  const byte = text.charCodeAt(0)
  if (text.length === 1 && byte < 128 && byte >= 32 && !/[\w".+-]/.test(text)) return byte
  if (text === '\t' || text === '\\t') return TAB
  throw inputFailure(
    undefined,
    `"${text}" is no delimiter`,
    'Use one character that is no part of ids and numbers, or tab, space, comma, semicolon, pipe.',
  )
}

/** By #, % or //, or by what the user named. */
export function isComment(bytes: Uint8Array, start: number, prefix?: Uint8Array): boolean {
  if (prefix !== undefined) return prefix.length > 0 && prefix.every((byte, i) => bytes[start + i] === byte)
  const c = bytes[start]
  return c === 35 || c === 37 || (c === 47 && bytes[start + 1] === 47)
}

export function commentPrefix({ comment }: TableOptions): Uint8Array | undefined {
  return comment === undefined ? undefined : Buffer.from(comment)
}

/** Lines of data, and the comment right above them. */
export interface SampleLines {
  readonly lines: readonly Uint8Array[]
  readonly comment: Uint8Array | null
}

export function sampleLines(sample: Uint8Array, table: TableOptions, most = SAMPLE_LINES): SampleLines {
  const prefix = commentPrefix(table)
  const lines: Uint8Array[] = []
  let comment: Uint8Array | null = null
  for (let at = 0; at < sample.length && lines.length < most;) {
    const newline = sample.indexOf(NEWLINE, at)
    const end = newline < 0 ? sample.length : newline
    const line = trimmed(sample, at, end)
    at = end + 1
    if (line.length === 0) continue
    if (!isComment(line, 0, prefix)) lines.push(line)
    else if (lines.length === 0) comment = line
  }
  return { lines, comment }
}

/** 0 for runs of spaces and tabs. */
export function delimiterOf(lines: readonly Uint8Array[], table: TableOptions): number {
  if (table.delimiter !== undefined) return delimiterByte(table.delimiter)
  // Blanks first where ids are integers, so that "1\t2 0.5" is cut in three; last where ids are texts.
  const numeric = best([0, TAB, COMMA, SEMICOLON], lines, idsAreNumbers)
  if (numeric.lines > 0 && 2 * numeric.lines >= lines.length - 1) return numeric.delimiter
  return best([TAB, COMMA, SEMICOLON, 0], lines, (_, fields) => fields.count >= 2).delimiter
}

function best(
  delimiters: number[],
  lines: readonly Uint8Array[],
  fits: (line: Uint8Array, fields: Fields) => boolean,
): { delimiter: number; lines: number } {
  const fields = new Fields()
  const cutBy = (delimiter: number) => (line: Uint8Array) => {
    fields.split(line, 0, line.length, delimiter)
    return fits(line, fields)
  }
  const counted = delimiters.map((delimiter) => ({ delimiter, lines: lines.filter(cutBy(delimiter)).length }))
  return counted.reduce((a, b) => (b.lines > a.lines ? b : a))
}

/** Sound or not. */
function idsAreNumbers(line: Uint8Array, { broken, count, starts, ends, quoted }: Fields): boolean {
  const ids = new IdScanner()
  const isNumber = (at: number) => ids.read(line, starts[at]!, ends[at]!, quoted[at]!) !== 'text'
  return !broken && count >= 2 && isNumber(0) && isNumber(1)
}

/** Without blanks and carriage returns around. */
export function trimmed(bytes: Uint8Array, start: number, end: number): Uint8Array {
  let first = start
  let last = end
  const isBlank = (c: number): boolean => c === 32 || c === 9 || c === 13
  while (first < last && isBlank(bytes[first]!)) first++
  while (last > first && isBlank(bytes[last - 1]!)) last--
  return bytes.subarray(first, last)
}

/** In any case; two letters may be others, missing or added. */
export function isNearly(text: string, known: string): boolean {
  const [a, b] = [text.slice(0, known.length).toLowerCase(), known.toLowerCase()]
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]! <= 2
}

export const numbersIn = (line: string | undefined): number[] => (line?.match(/\b\d+\b/g) ?? []).map(Number)

import type { TableOptions } from '../../contract/jobs.ts'
import { inputFailure } from '../../base/failure.ts'
import { brokenOrText, Fields, IdScanner } from './fields.ts'

const NEWLINE = 10
const TAB = 9
const COMMA = 44
const SEMICOLON = 59
const SAMPLE_LINES = 1000

/** Delimiters that have names. */
const delimiterNames: Readonly<Record<string, number>> = {
  space: 0,
  tab: TAB,
  comma: COMMA,
  semicolon: SEMICOLON,
  pipe: 124,
}

/** "tab", or the character itself where it has no name. */
export const delimiterName = (byte: number): string =>
  Object.entries(delimiterNames).find(([, known]) => known === byte)?.[0] ?? String.fromCharCode(byte)

/** The byte that a delimiter's name or character stands for; 0 for runs of blanks. @throws Failure (input) in words. */
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

/** True for comments: lines that start with #, % or //, or with what the user named. */
export function isComment(bytes: Uint8Array, start: number, prefix?: Uint8Array): boolean {
  if (prefix !== undefined) return prefix.length > 0 && prefix.every((byte, i) => bytes[start + i] === byte)
  const c = bytes[start]
  return c === 35 || c === 37 || (c === 47 && bytes[start + 1] === 47)
}

/** How the first lines of a file are cut into columns: 0 for runs of spaces and tabs, else the byte between two. What the user said wins. */
export function delimiterOf(sample: Uint8Array, table: TableOptions): number {
  if (table.delimiter !== undefined) return delimiterByte(table.delimiter)
  return detected(sampleLines(sample, commentPrefix(table)))
}

/** What comments begin with, where the user said so. */
export function commentPrefix({ comment }: TableOptions): Uint8Array | undefined {
  return comment === undefined ? undefined : Buffer.from(comment)
}

/** Whether the user calls a column by a name, so that there must be a line of names. */
export function namesColumns({ sourceColumn, targetColumn, weightColumn }: TableOptions): boolean {
  return [sourceColumn, targetColumn, weightColumn].some((name) => name !== undefined && !/^\d{1,6}$/.test(name))
}

function detected(lines: Uint8Array[]): number {
  // Blanks before the others where ids are integers, so that "1\t2 0.5" is cut in three; after them where ids are texts.
  const numeric = best([0, TAB, COMMA, SEMICOLON], lines, (line, delimiter) => idsAreNumbers(line, delimiter))
  if (numeric.lines > 0 && 2 * numeric.lines >= lines.length - 1) return numeric.delimiter
  const text = best([TAB, COMMA, SEMICOLON, 0], lines, (line, delimiter) => split(line, delimiter).count >= 2)
  return text.delimiter
}

function best(delimiters: number[], lines: Uint8Array[], fits: (line: Uint8Array, delimiter: number) => boolean) {
  const counted = delimiters.map((delimiter) => ({
    delimiter,
    lines: lines.filter((line) => fits(line, delimiter)).length,
  }))
  return counted.reduce((a, b) => (b.lines > a.lines ? b : a))
}

function sampleLines(sample: Uint8Array, prefix?: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let at = 0; at < sample.length && lines.length < SAMPLE_LINES;) {
    const newline = sample.indexOf(NEWLINE, at)
    const end = newline < 0 ? sample.length : newline
    const line = trimmed(sample, at, end)
    if (line.length > 0 && !isComment(line, 0, prefix)) lines.push(line)
    at = end + 1
  }
  return lines
}

/** Bytes [start, end) without blanks and carriage returns around them. */
export function trimmed(bytes: Uint8Array, start: number, end: number): Uint8Array {
  let first = start
  let last = end
  while (first < last && isBlank(bytes[first]!)) first++
  while (last > first && isBlank(bytes[last - 1]!)) last--
  return bytes.subarray(first, last)
}

function isBlank(c: number): boolean {
  return c === 32 || c === 9 || c === 13
}

function split(line: Uint8Array, delimiter: number): Fields {
  const fields = new Fields()
  fields.split(line, 0, line.length, delimiter)
  return fields
}

/** Whether the first two columns of a line hold numbers, be they sound ids or not. */
function idsAreNumbers(line: Uint8Array, delimiter: number): boolean {
  const fields = split(line, delimiter)
  return !fields.broken && fields.count >= 2 && [0, 1].every((column) => idKind(line, fields, column) !== 'text')
}

function idKind(line: Uint8Array, fields: Fields, column: number) {
  const [start, end] = [fields.starts[column]!, fields.ends[column]!]
  const kind = new IdScanner().read(line, start, end, fields.quoted[column]!)
  return kind === 'text' && !fields.quoted[column] ? brokenOrText(line, start, end) : kind
}

/** Whether a text begins with a word, in any case; two of its letters may be others, or one missing or added. */
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

/** The whole numbers of a line. */
export const numbersIn = (line: string | undefined): number[] => (line?.match(/\b\d+\b/g) ?? []).map(Number)

/**
 * Fields of lines, found in place without a string each: delimiters, double quotes with "" within, blanks around fields; and ids scanned from
 * bytes, whole numbers up to 2^64 - 1 exactly, or texts. Costs one look at each byte of the columns that are wanted. table-shape.ts decides what
 * columns are, edge-list.ts takes the lines.
 */

import { bufferOf } from '../../base/words.ts'
import { inputFailure } from '../../base/failure.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import type { LineCells } from '../reader/graph-reader.ts'
import { wholeOfDecimal } from '../reader/numbers.ts'
import { endOfBare, endOfCell, skipBlanks } from '../reader/quoted-cells.ts'

const SPACE = 32
const TAB = 9
const COMMA = 44
const SEMICOLON = 59
const QUOTE = 34
const FIRST_THREE = [0, 1, 2]

/**
 * The columns of a line, found in place. A field in double quotes may hold "" for a quote; blanks around fields are no
 * part of them, and empty fields at the end of a line do not count.
 */
export class Fields {
  /** The number of all columns. */
  count = 0
  /** A quote was not closed, or something follows it. */
  broken = false
  /** A quote was not closed in this line. */
  isOpen = false
  /** Starts of the columns wanted, in the order of the constructor; 0 and 0 for one that is not there. */
  readonly starts: number[]
  readonly ends: number[]
  readonly quoted: boolean[]
  readonly #places: (number | undefined)[] = []
  #escaped = false
  #end = 0

  /** @param columns from 0, each once */
  constructor(columns: readonly number[] = FIRST_THREE) {
    this.starts = columns.map(() => 0)
    this.ends = columns.map(() => 0)
    this.quoted = columns.map(() => false)
    columns.forEach((column, place) => (this.#places[column] = place))
  }

  /** @param delimiter 0 for runs of spaces and tabs */
  split(bytes: Uint8Array, delimiter: number): void {
    const end = bytes.length
    this.count = 0
    this.broken = false
    this.isOpen = false
    this.#escaped = false
    this.starts.fill(0)
    this.ends.fill(0)
    let columns = 0
    for (let p = 0; ;) {
      p = skipBlanks(bytes, p, end, delimiter)
      if (delimiter === 0 && p === end) return
      const fieldEnd =
        bytes[p] === QUOTE && p < end ? this.#quoted(bytes, p, columns) : this.#bare(bytes, p, columns, delimiter)
      if (this.broken) return
      columns++
      if (this.#end > p) this.count = columns
      p = skipBlanks(bytes, fieldEnd, end, delimiter)
      if (p >= end) return
      if (delimiter !== 0) {
        if (bytes[p] !== delimiter) this.broken = true
        p++
      } else if (p === fieldEnd) this.broken = true
      if (this.broken) return
    }
  }

  #bare(bytes: Uint8Array, at: number, column: number, delimiter: number): number {
    const end = endOfBare(bytes, at, bytes.length, delimiter)
    let last = end
    while (last > at && (bytes[last - 1] === SPACE || bytes[last - 1] === TAB)) last--
    this.#keep(column, at, last, false)
    this.#end = last
    return end
  }

  #quoted(bytes: Uint8Array, at: number, column: number): number {
    const close = endOfCell(bytes, at, bytes.length)
    if (close < 0) this.broken = this.isOpen = true
    this.#end = close < 0 ? bytes.length : close - 1
    const quote = bytes.indexOf(QUOTE, at + 1)
    this.#escaped ||= quote >= 0 && quote < this.#end
    this.#keep(column, at + 1, this.#end, true)
    return this.#end + 1
  }

  #keep(column: number, start: number, end: number, quoted: boolean): void {
    const place = this.#places[column]
    if (place === undefined) return
    this.starts[place] = start
    this.ends[place] = end
    this.quoted[place] = quoted
  }

  /** Or missing. */
  isEmpty(place: number): boolean {
    return this.starts[place] === this.ends[place]
  }

  /** Without quotes; a view of the line where possible. */
  bytes(line: Uint8Array, place: number): Uint8Array {
    return this.unquoted(line, place) ?? line.subarray(this.starts[place], this.ends[place])
  }

  /** The bytes in place of those in the line, where these may hold "" for a quote; else null. */
  unquoted(line: Uint8Array, place: number): Uint8Array | null {
    if (!this.#escaped || !this.quoted[place]) return null
    const field = line.subarray(this.starts[place], this.ends[place])
    const plain = new Uint8Array(field.length)
    let length = 0
    for (let i = 0; i < field.length; i++) {
      plain[length++] = field[i]!
      if (field[i] === QUOTE) i++
    }
    return plain.subarray(0, length)
  }

  /** Cells at some places, in the line that was split last. */
  cells(names: readonly string[], places: readonly number[]): LineCells {
    return {
      names,
      start: (cell) => this.starts[places[cell]!]!,
      end: (cell) => this.ends[places[cell]!]!,
      unquoted: (line, cell) => this.unquoted(line, places[cell]!),
    }
  }

  text(line: Uint8Array, place: number): string {
    return bufferOf(this.bytes(line, place)).toString('utf8')
  }
}

/** null when quotes are broken */
export function allFields(line: Uint8Array, delimiter: number): string[] | null {
  const counted = new Fields()
  counted.split(line, delimiter)
  if (counted.broken) return null
  const fields = new Fields(Array.from({ length: counted.count }, (_, i) => i))
  fields.split(line, delimiter)
  return fields.starts.map((_, place) => fields.text(line, place))
}

const ZERO = 48
const LIMB = 2 ** 32
const decoder = new TextDecoder('latin1')

type IdKind = 'integer' | 'decimal' | 'text' | 'negative' | 'fractional' | 'too-large'

/** Ids of edge lists: integers from 0 to 2^64 - 1, or texts. */
export class IdScanner {
  /** Halves of the last integer. */
  low = 0
  high = 0

  /**
   * Digits, with or without a plus, are an integer, and so is a decimal that is a whole number. What else carries a sign or a decimal point and reads as a number is broken,
   * never a text: a stray minus must not turn a whole file into texts. All else is a text, "12e45" and "3a" too: hashes and
   * codes. So are, in quotes, numbers of any kind but plain digits, and digits with zeros in front.
   */
  read(bytes: Uint8Array, start: number, end: number, quoted: boolean): IdKind {
    if (quoted && bytes[start] === ZERO && end - start > 1) return 'text'
    let p = bytes[start] === 43 && end - start > 1 && !quoted ? start + 1 : start
    let low = 0
    let high = 0
    for (; p < end; p++) {
      const d = bytes[p]! - ZERO
      if (d < 0 || d > 9) return quoted ? 'text' : this.#decimal(bytes, start, end)
      if (high >= LIMB) continue
      const product = low * 10 + d
      low = product % LIMB
      high = high * 10 + (product - low) / LIMB
    }
    if (high >= LIMB) return quoted ? 'text' : 'too-large'
    this.low = low
    this.high = high
    return 'integer'
  }

  #decimal(bytes: Uint8Array, start: number, end: number): IdKind {
    const kind = brokenOrText(bytes, start, end)
    const number = kind === 'fractional' ? wholeOfDecimal(decoder.decode(bytes.subarray(start, end))) : null
    if (number === null) return kind
    this.low = Number(number % BigInt(LIMB))
    this.high = Number(number / BigInt(LIMB))
    return 'decimal'
  }
}

/** The kind of a word that is not all digits. */
function brokenOrText(bytes: Uint8Array, start: number, end: number): IdKind {
  const c = bytes[start]!
  if (c !== 45 && c !== 43 && c !== 46 && (c < 48 || c > 57)) return 'text'
  if (end - start > 400) return 'text'
  const word = decoder.decode(bytes.subarray(start, end))
  if (/^-\d+$/.test(word)) return 'negative'
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word)) return 'text'
  if (/^\d+e\d+$/i.test(word)) return 'text'
  return word.startsWith('-') ? 'negative' : 'fractional'
}

/** What is wrong with an id, and what helps. */
export function brokenId(
  kind: 'negative' | 'fractional' | 'too-large',
  id: string,
): { readonly what: string; readonly remedy: string } {
  const remedy = 'Mend it, or put it in double quotes if it is a name.'
  switch (kind) {
    case 'negative':
      return { what: `the id ${id} is negative; ids are integers from 0, or texts`, remedy }
    case 'fractional':
      return /e/i.test(id)
        ? {
            what: `the id ${id} may have lost digits; ids are integers from 0, or texts`,
            remedy: 'Format the column as text, or write the ids in full, and write the file again.',
          }
        : { what: `the id ${id} is not a whole number; ids are integers from 0, or texts`, remedy }
    case 'too-large':
      return { what: `the id ${id} is past the largest integer id, ${2n ** 64n - 1n}`, remedy }
  }
}

const delimiterNames = new Map(Object.entries({ space: 0, tab: TAB, comma: COMMA, semicolon: SEMICOLON, pipe: 124 }))

/** Or the character itself. */
export const delimiterName = (byte: number): string =>
  [...delimiterNames].find(([, known]) => known === byte)?.[0] ?? String.fromCharCode(byte)

/** 0 for runs of blanks. @throws Failure (input) */
function delimiterByte(text: string): number {
  const named = delimiterNames.get(text.toLowerCase())
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
    fields.split(line, delimiter)
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

/** Without blanks and carriage returns around, and without a byte order mark: files are put together with theirs. */
export function trimmed(bytes: Uint8Array, start: number, end: number): Uint8Array {
  let first = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? start + 3 : start
  let last = end
  const isBlank = (c: number): boolean => c === 32 || c === 9 || c === 13
  while (first < last && isBlank(bytes[first]!)) first++
  while (last > first && isBlank(bytes[last - 1]!)) last--
  return bytes.subarray(first, last)
}

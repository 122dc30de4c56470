import { isUtf8 } from 'node:buffer'
import { bufferOf } from '../../base/words.ts'

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, HASH, PERCENT, SLASH, ZERO] = [9, 10, 13, 32, 34, 35, 37, 47, 48]
/** A byte that stands for a line break within quotes. */
const MARK = 11
/** Digits of an id that a float holds. */
const MOST_DIGITS = 15

/** Rows of a table about which nothing is special; columns count from 0. */
export interface RowShape {
  /** 0 for runs of blanks. */
  readonly delimiter: number
  /** Two of an edge, one of a vertex. */
  readonly ids: readonly number[]
  readonly weight: number | null
  /** Columns that are kept, and their names. */
  readonly cells: readonly number[]
  readonly names: readonly string[]
  /** What the user said that comments begin with. */
  readonly comment?: number | undefined
  /** A row with more columns is none. */
  readonly mostColumns: number
}

/** Places of a row: ids, the weight, cells. */
const [FIRST, SECOND, WEIGHT, CELLS] = [0, 1, 2, 3]

/** Places by column; -1 for one that is not read. */
export function columnPlaces({ ids, weight, cells }: RowShape): Int32Array {
  const places = new Int32Array(Math.max(...ids, weight ?? 0, ...cells) + 1).fill(-1)
  cells.forEach((column, i) => (places[column] = CELLS! + i))
  if (weight !== null) places[weight] = WEIGHT!
  ids.forEach((column, i) => (places[column] = i))
  return places
}

/** The byte for line breaks within quotes is in these bytes. */
export const hasMarks = (bytes: Uint8Array): boolean => bufferOf(bytes).includes(MARK)

/** One ordinary row, found in its bytes: whole numbers as ids, cells as they are written, quotes only around a cell. */
export class PlainRow {
  first = 0
  second = 0
  weightStart = 0
  weightEnd = 0
  /** Starts of the kept cells; empty and missing ones start where they end. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  #isAscii = true
  readonly #shape: RowShape
  readonly #places: Int32Array
  #id = 0

  constructor(shape: RowShape) {
    this.#shape = shape
    this.starts = new Int32Array(shape.cells.length)
    this.ends = new Int32Array(shape.cells.length)
    this.#places = columnPlaces(shape)
  }

  /**
   * @param hasMarks whether a row may hold marks, and go over several lines
   * @returns where the next row begins; -1 for a row that is not ordinary, or no UTF-8 text
   */
  read(bytes: Uint8Array, at: number, hasMarks: boolean): number {
    const next = this.#read(bytes, at)
    if (next < 0 || (this.#isAscii && !hasMarks)) return next
    const row = bytes.subarray(at, next)
    return isUtf8(row) && !row.includes(MARK) ? next : -1
  }

  #read(bytes: Uint8Array, at: number): number {
    const { delimiter, mostColumns, comment, ids, weight } = this.#shape
    const blank = delimiter === TAB ? SPACE : TAB
    let c = bytes[at]!
    if (c <= SPACE || c === HASH || c === PERCENT || c === SLASH || c === comment) return -1
    this.starts.fill(0)
    this.ends.fill(0)
    let [high, columns, missing] = [0, 0, ids.length + (weight === null ? 0 : 1)]
    for (let p = at; ; p++) {
      c = bytes[p]!
      while (c === SPACE || c === blank) c = bytes[++p]!
      if (delimiter === 0 && (c === NEWLINE || (c === RETURN && bytes[p + 1] === NEWLINE)))
        return this.#end(p, c, high, missing)
      const place = columns < this.#places.length ? this.#places[columns]! : -1
      if (++columns > mostColumns) return -1
      let start = p
      let end = p
      if (c === QUOTE) {
        start++
        for (c = bytes[++p]!; c !== QUOTE; c = bytes[++p]!) {
          if (c === NEWLINE) return -1
          high |= c
        }
        end = p
        c = bytes[++p]!
        // Ids in quotes are texts, and two quotes are one.
        if (c === QUOTE || (place >= 0 && place < CELLS!)) return -1
      } else {
        if (delimiter === 0) for (; c !== SPACE && c !== TAB && c !== NEWLINE; c = bytes[++p]!) high |= c
        else for (; c !== delimiter && c !== NEWLINE; c = bytes[++p]!) high |= c
        end = p
        if (c === NEWLINE && bytes[end - 1] === RETURN && end > start) end--
        for (; end > start; end--) if (bytes[end - 1] !== SPACE && bytes[end - 1] !== TAB) break
      }
      if (place >= CELLS!) {
        this.starts[place - CELLS!] = start
        this.ends[place - CELLS!] = end
      } else if (place >= 0) {
        missing--
        if (!this.#take(place, bytes, start, end)) return -1
      }
      if (delimiter !== 0 && end < p) while (c === SPACE || c === blank) c = bytes[++p]!
      if (c === RETURN && bytes[p + 1] === NEWLINE) c = bytes[++p]!
      if (c === NEWLINE) return this.#end(p, c, high, missing)
      if (delimiter === 0 ? c !== SPACE && c !== TAB : c !== delimiter) return -1
    }
  }

  #end(at: number, c: number, high: number, missing: number): number {
    this.#isAscii = high < 128
    if (missing > 0) return -1
    return c === NEWLINE ? at + 1 : at + 2
  }

  /** @returns false for an id of another form */
  #take(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (place === WEIGHT) {
      this.weightStart = start
      this.weightEnd = end
      return true
    }
    if (end === start || end - start > MOST_DIGITS) return false
    this.#id = 0
    for (let p = start; p < end; p++) {
      const digit = bytes[p]! - ZERO
      if (digit < 0 || digit > 9) return false
      this.#id = 10 * this.#id + digit
    }
    if (place === FIRST) this.first = this.#id
    else if (place === SECOND) this.second = this.#id
    return true
  }
}

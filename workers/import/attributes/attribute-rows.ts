/**
 * Attributes on their way to the tables of a dataset: rows come in the order of a file, go to buckets on the disk by their vertex, and come back
 * in the order of vertices. Time is linear in the cells that the file has. Memory holds a bucket (what is larger is split again, by vertex, then
 * by the other end) and the names of columns, which are bounded: of files that have a name for every node only the fullest columns become
 * columns of the table. write-tables.ts writes what comes back.
 */

import { join } from 'node:path'
import type { AttributeKind, AttributeValue } from '../../contract/jobs.ts'
import { radixOrder } from '../../graph/radix-order.ts'
import { AppendFile, ScratchFiles } from '../build/scratch-file.ts'
import { isMissingWord, numberOfCell, wholeNumber } from '../reader/numbers.ts'
import type { LineCells } from '../reader/graph-reader.ts'
import type { ElementValue } from '../formats/graph-format.ts'

const BUFFER_BYTES = 1 << 16
/** Bytes of one bucket, which is sorted at once. */
const BUCKET_BYTES = 32 << 20
const MOST_BUCKETS = 128
/** Names of columns that are told apart, and characters of one. */
const MOST_NAMES = 4096
const MOST_NAME_CHARS = 1024
/** Columns that a table has however empty they are. */
const FREE_COLUMNS = 64
/** Cells of a table that may be empty: so many at least, and so many for each that is filled. */
const FREE_CELLS = 1 << 22
const EMPTY_EACH = 64
/** Length, u, v; cells follow. */
const ROW_BYTES = 12
/** Column, form, and the length of the text, whose bytes follow. */
const CELL_BYTES = 7
/** Bytes of a character at most. */
const CHAR_BYTES = 3
/** Texts up to here are written faster by a loop than by a call. */
const SHORT_TEXT = 32
/** Rows that are read to be split. */
const READ_BYTES = 1 << 20
/** How a value came: a cell of a table of texts is what all cells of its column look like. */
const forms = ['cell', 'text', 'number', 'boolean'] as const
type Form = (typeof forms)[number]

/** No sign, no zeros in front, no digits that a number would lose: those are codes. */
const asNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const isNumberCell = (cell: string): boolean =>
  asNumber.test(cell) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(Number(cell)))
/** Digits of a number that a float holds whatever they are. */
const SURE_DIGITS = 15
const [ZERO, MINUS, POINT, LETTER_T] = [48, 45, 46, 116]

/** What isNumberCell says of bytes [start, end) that are ASCII digits with a point at most; null for all others. */
function plainNumber(bytes: Uint8Array, start: number, end: number): 'whole' | 'decimal' | null {
  const first = bytes[start] === MINUS ? start + 1 : start
  if (end - first > SURE_DIGITS || end === first) return null
  if (bytes[first] === ZERO && first + 1 < end && bytes[first + 1] !== POINT) return null
  let points = 0
  for (let p = first; p < end; p++) {
    const digit = bytes[p]! - ZERO
    if (digit >= 0 && digit <= 9) continue
    if (bytes[p] !== POINT || ++points > 1 || end - first === 1) return null
  }
  return points === 0 ? 'whole' : 'decimal'
}

/** 1,234 may be either. */
const isEither = /^-?[1-9]\d{0,2},\d{3}$/

/** A column of attributes, of whatever kind its values turn out to be. */
class SpilledColumn {
  readonly name: string
  isDropped = false
  filled = 0
  readonly #seen = { cell: 0, text: 0, number: 0, boolean: 0 }
  #numbers = 0
  /** All cells so far are numbers, or words for none: under a point, under a comma. */
  #isPoint = true
  #isComma = true
  #isSurelyComma = false
  #final: AttributeKind | null = null

  constructor(name: string) {
    this.name = name
  }

  see(form: Exclude<Form, 'cell'>): void {
    this.#seen[form]++
    this.filled++
  }

  /** A cell of bytes [start, end). */
  seeCell(bytes: Uint8Array, start: number, end: number): void {
    this.#seen.cell++
    this.filled++
    // A text decides.
    if (!this.#isPoint && !this.#isComma) return
    const form = plainNumber(bytes, start, end)
    if (form === null) return this.#seeNumber(textIn(bytes, start, end))
    this.#numbers++
    if (form === 'decimal') this.#isComma = false
  }

  #seeNumber(text: string): void {
    if (isNumberCell(text)) {
      this.#numbers++
      if (text.includes('.')) this.#isComma = false
    } else if (!isMissingWord(text)) {
      this.#isPoint = false
      this.#isComma &&= text.includes(',') && !Number.isNaN(numberOfCell(text, 'comma'))
      if (this.#isComma) this.#numbers++
      this.#isSurelyComma ||= this.#isComma && !isEither.test(text)
    }
  }

  /** To be asked for once all was seen. */
  get kind(): AttributeKind {
    return (this.#final ??= this.#kind())
  }

  #kind(): AttributeKind {
    const { cell, text, number, boolean } = this.#seen
    if (text > 0) return 'text'
    const areNumbers = this.#numbers > 0 && (this.#isPoint || (this.#isComma && this.#isSurelyComma))
    if (cell > 0) return number + boolean === 0 && areNumbers ? 'number' : 'text'
    if (boolean > 0) return number > 0 ? 'text' : 'boolean'
    return number > 0 ? 'number' : 'text'
  }

  /** Bytes [start, end) of what was spilled, as the column's kind; of a text its bytes. */
  value(form: Form, bytes: Buffer, start: number, end: number): SpilledValue {
    if (this.kind === 'text') return bytes.subarray(start, end)
    if (this.kind === 'boolean') return bytes[start] === LETTER_T
    const whole = form === 'number' || this.#isPoint ? wholeNumber(bytes, start, end) : undefined
    if (whole !== undefined && !Number.isNaN(whole)) return whole
    const text = textIn(bytes, start, end)
    const number = Number(text)
    if (form === 'number' || (this.#isPoint && !Number.isNaN(number))) return number
    if (isMissingWord(text)) return null
    return this.#isPoint ? number : numberOfCell(text, 'comma')
  }
}

const textIn = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()

/** A text may be its bytes in UTF-8, which stay as they are. */
export type SpilledValue = AttributeValue | Uint8Array

/** One row with the ids of its vertices; of a vertex v is 0. */
export interface SpilledRow {
  readonly u: number
  readonly v: number
  /** Those that it has, by column. */
  readonly cells: readonly (readonly [column: number, value: SpilledValue])[]
}

/** A part of the rows: those of a range of first vertices, and of second ones. */
interface Bucket {
  readonly file: AppendFile
  readonly u: Range
  readonly v: Range
}
interface Range {
  readonly first: number
  readonly span: number
}

/** A row as it is written: its length and ids, then its cells. The next one is written over it. */
class RowBytes {
  #bytes = Buffer.alloc(1 << 12)
  #length = 0

  begin(u: number, v: number): void {
    this.#bytes.writeUInt32LE(u, 4)
    this.#bytes.writeUInt32LE(v, 8)
    this.#length = ROW_BYTES
  }

  add(column: number, form: Form, text: string): void {
    const start = this.#length + CELL_BYTES
    const most = start + CHAR_BYTES * text.length
    if (most > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * most)
    const length = this.#shortAscii(text, start) ?? this.#bytes.write(text, start)
    this.#end(column, form, start, length)
  }

  /** A cell of bytes [from, end). */
  addCell(column: number, cell: Uint8Array, from: number, end: number): void {
    const start = this.#length + CELL_BYTES
    const length = end - from
    if (start + length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * (start + length))
    if (length > SHORT_TEXT) this.#bytes.set(cell.subarray(from, end), start)
    else for (let i = 0; i < length; i++) this.#bytes[start + i] = cell[from + i]!
    this.#end(column, 'cell', start, length)
  }

  #end(column: number, form: Form, start: number, length: number): void {
    this.#bytes.writeUInt16LE(column, start - 7)
    this.#bytes[start - 5] = forms.indexOf(form)
    this.#bytes.writeUInt32LE(length, start - 4)
    this.#length = start + length
  }

  /** Valid until the next row begins. */
  end(): Uint8Array {
    this.#bytes.writeUInt32LE(this.#length, 0)
    return this.#bytes.subarray(0, this.#length)
  }

  /** The bytes that were written; undefined for a text that is long, or not of ASCII alone. */
  #shortAscii(text: string, start: number): number | undefined {
    if (text.length > SHORT_TEXT) return undefined
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code > 127) return undefined
      this.#bytes[start + i] = code
    }
    return text.length
  }
}

/** Rows in any order go to buckets of the disk by their vertex, and come back in order; the first of equal ones stays. */
export class AttributeSpill {
  readonly columns: SpilledColumn[] = []
  repeated = 0
  rows = 0
  /** Cells of columns past the names that are told apart. */
  leftOutCells = 0
  readonly #folder: string
  readonly #vertices: number
  readonly #span: number
  readonly #places = new Map<string, number>()
  readonly #files = new ScratchFiles()
  readonly #row = new RowBytes()
  readonly #buckets: (Bucket | null)[]
  #made = 0

  /** @param bytes about those of all rows */
  constructor(folder: string, vertices: number, bytes: number) {
    this.#folder = folder
    this.#vertices = Math.max(1, vertices)
    const buckets = Math.min(MOST_BUCKETS, Math.max(1, Math.ceil(bytes / BUCKET_BYTES)))
    this.#span = Math.ceil(this.#vertices / buckets)
    this.#buckets = Array.from({ length: Math.ceil(this.#vertices / this.#span) }, () => null)
  }

  add(u: number, v: number, values: Iterable<readonly [string, ElementValue]>): void {
    this.#row.begin(u, v)
    for (const [name, value] of values) {
      if (value === '' || Number.isNaN(value)) continue
      const form = typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean')
      const text = String(value)
      const column = this.#place(name)
      if (column === null) {
        this.leftOutCells++
        continue
      }
      this.columns[column]!.see(form)
      this.#row.add(column, form, text)
    }
    this.#endRow(u)
  }

  /** Cells of a line, those that are not empty. */
  addCells(u: number, v: number, line: Uint8Array, cells: LineCells): void {
    this.#row.begin(u, v)
    for (let i = 0; i < cells.names.length; i++) {
      const [start, end] = [cells.start(i), cells.end(i)]
      if (start === end) continue
      const column = this.#place(cells.names[i]!)
      const plain = cells.unquoted(line, i)
      if (column === null) this.leftOutCells++
      else if (plain === null) this.#addCell(column, line, start, end)
      else this.#addCell(column, plain, 0, plain.length)
    }
    this.#endRow(u)
  }

  #addCell(column: number, bytes: Uint8Array, start: number, end: number): void {
    this.columns[column]!.seeCell(bytes, start, end)
    this.#row.addCell(column, bytes, start, end)
  }

  #endRow(u: number): void {
    this.rows++
    const index = Math.floor(u / this.#span)
    const bucket = (this.#buckets[index] ??= this.#bucket(
      { first: index * this.#span, span: this.#span },
      { first: 0, span: this.#vertices },
    ))
    bucket.file.append(this.#row.end())
  }

  /** A column that turned out to be none. */
  drop(name: string): void {
    const column = this.columns.find((one) => one.name === name)
    if (column !== undefined) column.isDropped = true
  }

  /**
   * Leaves out the emptiest columns of a table that would be nearly empty, or wider than memory.
   * @param rows of the table; @param most columns that memory has room for
   * @returns how many columns are left out
   */
  keepFullest(rows: number, most: number): number {
    const columns = this.columns.filter(({ isDropped }) => !isDropped).sort((a, b) => b.filled - a.filled)
    const filled = columns.reduce((sum, column) => sum + column.filled, 0)
    const cells = Math.max(FREE_CELLS, EMPTY_EACH * filled)
    const kept = Math.min(most, Math.max(FREE_COLUMNS, Math.floor(cells / Math.max(1, rows))))
    const rest = columns.slice(kept)
    for (const column of rest) column.isDropped = true
    return rest.length
  }

  /** All rows by u, then v. */
  *sorted(): Generator<SpilledRow> {
    for (const bucket of this.#buckets) if (bucket !== null) yield* this.#sortedOf(bucket)
  }

  close(): void {
    this.#files.close()
  }

  #bucket(u: Range, v: Range): Bucket {
    return { file: new AppendFile(this.#files, join(this.#folder, `rows-${this.#made++}`), BUFFER_BYTES), u, v }
  }

  *#sortedOf(bucket: Bucket): Generator<SpilledRow> {
    const { file, u, v } = bucket
    file.flush()
    if (file.bytes > BUCKET_BYTES && u.span * v.span > 1) {
      for (const part of this.#split(bucket)) if (part !== null) yield* this.#sortedOf(part)
      return
    }
    // Rows of one edge or vertex: the first of them stays.
    const isOne = u.span * v.span === 1
    const bytes = Buffer.alloc(isOne ? this.#lengthAt(file, 0) : file.bytes)
    this.#files.read(file.path, bytes, 0)
    if (isOne) for (let at = bytes.length; at < file.bytes; at += this.#lengthAt(file, at)) this.repeated++
    this.#files.remove(file.path)
    yield* this.#rowsOf(bytes)
  }

  /** Parts by the first vertex, or by the second where all have one first. */
  #split({ file, u, v }: Bucket): readonly (Bucket | null)[] {
    const whole = u.span > 1 ? u : v
    const count = Math.min(MOST_BUCKETS, whole.span, Math.ceil(file.bytes / BUCKET_BYTES) + 1)
    const span = Math.ceil(whole.span / count)
    const parts: (Bucket | null)[] = Array.from({ length: count }, () => null)
    for (const row of this.#rowsIn(file)) {
      const index = Math.floor((row.readUInt32LE(u.span > 1 ? 4 : 8) - whole.first) / span)
      const part = { first: whole.first + index * span, span }
      const bucket = (parts[index] ??= u.span > 1 ? this.#bucket(part, v) : this.#bucket(u, part))
      bucket.file.append(row)
    }
    this.#files.remove(file.path)
    return parts
  }

  *#rowsIn(file: AppendFile): Generator<Buffer> {
    for (let at = 0; at < file.bytes;) {
      const length = Math.max(Math.min(READ_BYTES, file.bytes - at), this.#lengthAt(file, at))
      const bytes = Buffer.alloc(length)
      this.#files.read(file.path, bytes, at)
      let from = 0
      while (from + 4 <= length && from + bytes.readUInt32LE(from) <= length) {
        const end = from + bytes.readUInt32LE(from)
        yield bytes.subarray(from, end)
        from = end
      }
      at += from
    }
  }

  #lengthAt(file: AppendFile, at: number): number {
    const word = Buffer.alloc(4)
    this.#files.read(file.path, word, at)
    return word.readUInt32LE(0)
  }

  *#rowsOf(bytes: Buffer): Generator<SpilledRow> {
    const starts: number[] = []
    for (let at = 0; at < bytes.length; at += bytes.readUInt32LE(at)) starts.push(at)
    const [u, v] = [4, 8].map((place) => Uint32Array.from(starts, (start) => bytes.readUInt32LE(start + place)))
    let before = -1
    for (const at of radixOrder([v!, u!])) {
      if (before >= 0 && u![before] === u![at] && v![before] === v![at]) this.repeated++
      else yield this.#rowAt(bytes, starts[at]!, u![at]!, v![at]!)
      before = at
    }
  }

  #rowAt(bytes: Buffer, start: number, u: number, v: number): SpilledRow {
    const cells: [number, SpilledValue][] = []
    const end = start + bytes.readUInt32LE(start)
    for (let at = start + ROW_BYTES; at < end;) {
      const [place, form] = [bytes.readUInt16LE(at), forms[bytes[at + 2]!]!]
      const from = at + CELL_BYTES
      at = from + bytes.readUInt32LE(at + 3)
      const column = this.columns[place]!
      if (!column.isDropped) cells.push([place, column.value(form, bytes, from, at)])
    }
    return { u, v, cells }
  }

  /** null for a name past those that are told apart. */
  #place(name: string): number | null {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    if (this.columns.length >= MOST_NAMES || name.length > MOST_NAME_CHARS) return null
    this.#places.set(name, this.columns.length)
    return this.columns.push(new SpilledColumn(name)) - 1
  }
}

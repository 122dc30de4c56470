/**
 * Attributes on their way to the tables of a dataset: rows come in the order of a file, go to buckets by their vertex, and come back
 * in the order of vertices. Time is linear in the cells that the file has. Memory holds rows up to an eighth of its limit (what is more goes to the
 * disk), a bucket a thread (what is larger is split again, by vertex, then by the other end) and the names of columns, which are bounded: of files
 * that have a name for every node only the fullest columns become columns of the table. build/row-bytes.ts is the form of rows,
 * build/row-columns.ts sorts buckets, write-tables.ts writes what comes back.
 */

import { join } from 'node:path'
import { Failure, MORE_MEMORY } from '../../base/failure.ts'
import type { AttributeKind } from '../../contract/jobs.ts'
import { type CellCounts, CellKinds } from '../build/cell-kinds.ts'
import {
  type Form,
  forms,
  intoBuckets,
  MOST_COLUMNS,
  RowBytes,
  type RowBuckets,
  type RowLimit,
  rowStride,
  wordsOf,
} from '../build/row-bytes.ts'
import { type BucketRows, bytesIn } from '../build/row-columns.ts'
import { ScratchFiles } from '../build/scratch-file.ts'
import type { LineCells } from '../reader/graph-reader.ts'
import type { ElementValue } from '../formats/graph-format.ts'
import { KeptBytes } from './kept-bytes.ts'

/** Part of an import's memory that rows take before they go to the disk. */
const KEPT_SHARE = 1 / 8
/** Bytes of one bucket, which is sorted at once: at most, and where buckets are enough; the latter is sorted in the cache. */
const BUCKET_BYTES = 32 << 20
const LEAST_BUCKET_BYTES = 1 << 20
/** Part of an import's memory that buckets are which threads sort; their columns take a few times as much besides. */
const BUCKET_SHARE = 1 / 16
const MOST_BUCKETS = 128
/** Part of an import's memory for a row, or the texts of a batch of a table; and what their places have room for. */
const TEXT_SHARE = 1 / 4
const MOST_TEXT_BYTES = 2 ** 30 - 2 ** 20
const MOST_NAME_CHARS = 1024
/** Columns that a table has however empty they are. */
const FREE_COLUMNS = 64
/** Cells of a table that may be empty: so many at least, and so many for each that is filled. */
const FREE_CELLS = 1 << 22
const EMPTY_EACH = 64
/** Rows that are read to be split, and that wait to go to their buckets. */
const READ_BYTES = 1 << 20
const CELL = forms.indexOf('cell')

/** The bytes that a row may have, or the texts of a batch of a table. */
export const mostTextBytes = (memoryBytes: number): number => Math.min(MOST_TEXT_BYTES, TEXT_SHARE * memoryBytes)

const inMib = (bytes: number): string => `${Number((bytes / 2 ** 20).toFixed(1))} MiB`

/** @param what is too large, in words */
export function textsTooLarge(what: string, memoryBytes: number, where?: string): Failure {
  const most = mostTextBytes(memoryBytes)
  return new Failure({
    code: 'usage',
    where,
    what: `${what} take more than the ${inMib(most)} that an import with ${inMib(memoryBytes)} keeps of such at once`,
    remedy: '',
    fixes: [{ action: 'choose', option: 'attributes' }, ...(most < MOST_TEXT_BYTES ? [MORE_MEMORY] : [])],
  })
}

/** A column of attributes, of whatever kind its values turn out to be. */
class SpilledColumn {
  readonly name: string
  isDropped = false
  readonly cells = new CellKinds()
  readonly #seen = { text: 0, number: 0, boolean: 0 }
  #final: AttributeKind | null = null

  constructor(name: string) {
    this.name = name
  }

  get filled(): number {
    const { text, number, boolean } = this.#seen
    return this.cells.cells + text + number + boolean
  }

  see(form: Exclude<Form, 'cell'>): void {
    this.#seen[form]++
  }

  /** To be asked for once all was seen. */
  get kind(): AttributeKind {
    return (this.#final ??= this.#kind())
  }

  #kind(): AttributeKind {
    const { text, number, boolean } = this.#seen
    if (text > 0) return 'text'
    if (this.cells.cells > 0) return number + boolean === 0 && this.cells.areNumbers ? 'number' : 'text'
    if (boolean > 0) return number > 0 ? 'text' : 'boolean'
    return number > 0 ? 'number' : 'text'
  }
}

/** A part of the rows: those of a range of first vertices, and of second ones. */
interface Bucket {
  readonly rows: KeptBytes
  readonly u: Range
  readonly v: Range
}
interface Range {
  readonly first: number
  readonly span: number
}

/** Rows in any order go to buckets by their vertex, on the disk if they are many, and come back in order; the first of equal ones stays. */
export class AttributeSpill {
  readonly columns: SpilledColumn[] = []
  repeated = 0
  rows = 0
  /** Cells of columns past the names that are told apart. */
  leftOutCells = 0
  readonly buckets: RowBuckets
  readonly #folder: string
  readonly #vertices: number
  readonly #bucketBytes: number
  readonly #places = new Map<string, number>()
  readonly #files = new ScratchFiles()
  readonly #waiting: RowBytes
  readonly #opened: (Bucket | null)[]
  readonly #mostKept: number
  /** Buckets that may grow, and bytes of all in memory. */
  readonly #open = new Set<KeptBytes>()
  #keptBytes = 0
  #made = 0

  /** @param bytes about those of all rows @param memoryBytes of the import @param threads that sort @param tooLong what is thrown for such a row */
  constructor(
    folder: string,
    vertices: number,
    bytes: number,
    memoryBytes: number,
    threads: number,
    tooLong: RowLimit['tooLong'] = (u) => textsTooLarge(`the attributes of row ${u}`, memoryBytes),
  ) {
    this.#waiting = new RowBytes({ mostBytes: mostTextBytes(memoryBytes), tooLong })
    this.#folder = folder
    this.#vertices = Math.max(1, vertices)
    this.#bucketBytes = Math.max(LEAST_BUCKET_BYTES, Math.min(BUCKET_BYTES, (BUCKET_SHARE * memoryBytes) / threads))
    this.#mostKept = KEPT_SHARE * memoryBytes
    const most = Math.min(MOST_BUCKETS, Math.max(1, Math.ceil(bytes / LEAST_BUCKET_BYTES)))
    const bits = Math.max(0, Math.ceil(Math.log2(this.#vertices / most)))
    this.buckets = { bits, count: Math.ceil(this.#vertices / 2 ** bits) }
    this.#opened = Array.from({ length: this.buckets.count }, () => null)
  }

  add(u: number, v: number, values: Iterable<readonly [string, ElementValue]>): void {
    this.#waiting.begin(u, v)
    for (const [name, value] of values) {
      if (value === '' || Number.isNaN(value)) continue
      const form = typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean')
      const column = this.place(name)
      if (column === null) {
        this.leftOutCells++
        continue
      }
      this.columns[column]!.see(form)
      const text = Buffer.from(String(value))
      this.#waiting.add(column, forms.indexOf(form), text, 0, text.length)
    }
    this.#endRow()
  }

  /** Cells of a line, those that are not empty. */
  addCells(u: number, v: number, line: Uint8Array, cells: LineCells): void {
    this.#waiting.begin(u, v)
    for (let i = 0; i < cells.names.length; i++) {
      const [start, end] = [cells.start(i), cells.end(i)]
      const column = this.place(cells.names[i]!)
      if (start === end) continue
      const plain = cells.unquoted(line, i)
      if (column === null) this.leftOutCells++
      else if (plain === null) this.#addCell(column, line, start, end)
      else this.#addCell(column, plain, 0, plain.length)
    }
    this.#endRow()
  }

  #addCell(column: number, bytes: Uint8Array, start: number, end: number): void {
    this.columns[column]!.cells.see(bytes, start, end)
    this.#waiting.add(column, CELL, bytes, start, end)
  }

  #endRow(): void {
    this.rows++
    this.#waiting.end()
    if (this.#waiting.length >= READ_BYTES) this.#sort()
  }

  /** Rows in buckets, behind all those before. @param ends of the buckets */
  addRows(rows: Uint8Array, ends: Uint32Array, count: number): void {
    this.rows += count
    if (this.#waiting.length > 0) this.#sort()
    let start = 0
    ends.forEach((end, bucket) => {
      if (end > start) this.#append(this.#bucketOf(bucket), rows.subarray(start, end))
      start = end
    })
  }

  /** What cells of a column look like that {@link addRows} took. */
  addKinds(column: number, kinds: CellCounts): void {
    this.columns[column]!.cells.add(kinds)
  }

  #sort(): void {
    const { rows, ends } = intoBuckets(this.#waiting.take(), this.buckets)
    this.addRows(rows, ends, 0)
  }

  #bucketOf(index: number): Bucket {
    const span = 2 ** this.buckets.bits
    return (this.#opened[index] ??= this.#bucket({ first: index * span, span }, { first: 0, span: this.#vertices }))
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
    for (const column of this.columns) column.isDropped ||= column.filled === 0
    const columns = this.columns.filter(({ isDropped }) => !isDropped).sort((a, b) => b.filled - a.filled)
    const filled = columns.reduce((sum, column) => sum + column.filled, 0)
    const cells = Math.max(FREE_CELLS, EMPTY_EACH * filled)
    const kept = Math.min(most, Math.max(FREE_COLUMNS, Math.floor(cells / Math.max(1, rows))))
    const rest = columns.slice(kept)
    for (const column of rest) column.isDropped = true
    return rest.length
  }

  /** All rows in buckets, by ascending vertices from one to the next; each is good until it is removed. */
  *sorted(): Generator<BucketRows> {
    this.#sort()
    for (const bucket of this.#opened) if (bucket !== null) yield* this.#partsOf(bucket)
  }

  remove({ path, fileBytes, kept }: BucketRows): void {
    if (fileBytes > 0) this.#files.remove(path)
    this.#keptBytes -= bytesIn(kept)
  }

  close(): void {
    this.#files.close()
  }

  #bucket(u: Range, v: Range): Bucket {
    const rows = new KeptBytes(this.#files, join(this.#folder, `rows-${this.#made++}`))
    this.#open.add(rows)
    return { rows, u, v }
  }

  #append({ rows }: Bucket, bytes: Uint8Array): void {
    rows.append(bytes)
    this.#keptBytes += bytes.length
    if (this.#keptBytes <= this.#mostKept) return
    for (const one of this.#open) this.#keptBytes -= one.flush()
  }

  *#partsOf(bucket: Bucket): Generator<BucketRows> {
    const { rows, u, v } = bucket
    const isOne = u.span * v.span === 1
    const isLarge = rows.bytes > this.#bucketBytes && !isOne
    if (isLarge || isOne) this.#keptBytes -= rows.flush()
    this.#open.delete(rows)
    if (isLarge) for (const part of this.#split(bucket)) yield* part === null ? [] : this.#partsOf(part)
    else if (!isOne) yield rows.taken()
    else {
      // Rows of one edge or vertex: the first of them stays.
      const bytes = this.#strideAt(rows, 0)
      for (let at = bytes; at < rows.bytes; at += this.#strideAt(rows, at)) this.repeated++
      yield { path: rows.path, fileBytes: bytes, kept: [] }
    }
  }

  /** Parts by the first vertex, or by the second where all have one first. */
  #split({ rows, u, v }: Bucket): readonly (Bucket | null)[] {
    const whole = u.span > 1 ? u : v
    const count = Math.min(MOST_BUCKETS, whole.span, Math.ceil(rows.bytes / this.#bucketBytes) + 1)
    const span = Math.ceil(whole.span / count)
    const parts: (Bucket | null)[] = Array.from({ length: count }, () => null)
    for (const row of this.#rowsIn(rows)) {
      const index = Math.floor((wordsOf(row)[u.span > 1 ? 1 : 2]! - whole.first) / span)
      const part = { first: whole.first + index * span, span }
      const bucket = (parts[index] ??= u.span > 1 ? this.#bucket(part, v) : this.#bucket(u, part))
      this.#append(bucket, row)
    }
    this.#files.remove(rows.path)
    return parts
  }

  *#rowsIn(file: KeptBytes): Generator<Uint8Array> {
    for (let at = 0; at < file.bytes;) {
      const length = Math.max(Math.min(READ_BYTES, file.bytes - at), this.#strideAt(file, at))
      const bytes = new Uint8Array(length)
      this.#files.read(file.path, bytes, at)
      const words = wordsOf(bytes)
      let from = 0
      while (from + 4 <= length && from + rowStride(words[from >> 2]!) <= length) {
        const end = from + rowStride(words[from >> 2]!)
        yield bytes.subarray(from, end)
        from = end
      }
      at += from
    }
  }

  #strideAt(file: KeptBytes, at: number): number {
    const word = new Uint8Array(4)
    this.#files.read(file.path, word, at)
    return rowStride(wordsOf(word)[0]!)
  }

  /** The column of a name; null for a name past those that are told apart. */
  place(name: string): number | null {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    if (this.columns.length >= MOST_COLUMNS || name.length > MOST_NAME_CHARS) return null
    this.#places.set(name, this.columns.length)
    return this.columns.push(new SpilledColumn(name)) - 1
  }
}

/**
 * A thread's part in the tables of attributes: it takes the rows of a bucket, sorts them by their vertices (radix sort; the first of equal ones
 * stays), and makes columns of their cells. A column without gaps has no places, so that it is copied as a whole; one with gaps takes room for
 * the cells that it has. Memory is a few times the bytes of the bucket. row-bytes.ts is the form of rows, attributes/write-tables.ts joins columns.
 */

import type { AttributeKind } from '../../contract/jobs.ts'
import { RadixSorter } from '../../graph/radix-order.ts'
import { isMissingWord, numberOfCell, PlainNumber, wholeNumber } from '../reader/numbers.ts'
import { textIn } from './cell-kinds.ts'
import { copyBytes, forms, RowCells, rowStride, wordsOf } from './row-bytes.ts'
import { ScratchFiles } from './scratch-file.ts'

/** What cells of a column become. */
interface ColumnForm {
  readonly kind: AttributeKind
  /** Numbers under a point, not under a comma. */
  readonly isPoint: boolean
}

export interface ColumnsTask {
  /** A form for each column of rows; null for one that is left out. */
  readonly columns: readonly (ColumnForm | null)[]
  /** Whether a row is a pair of vertices; else it is the one of its vertex. */
  readonly areEdges: boolean
}

/** Rows of a bucket, in a file of their own. */
export interface BucketRows {
  readonly path: string
  readonly bytes: number
}

/** The rows of a bucket in their order, as columns. */
export interface RowBlock {
  /** The first vertex of a table of vertices, whose rows have gaps behind it. */
  readonly first: number
  readonly rows: number
  /** The vertices of edges. */
  readonly keys: readonly Uint32Array[]
  readonly columns: readonly (BlockColumn | null)[]
  /** Rows whose vertices have one before. */
  readonly repeated: number
}

/** The cells of a column. */
export interface BlockColumn {
  /** The row of each cell, ascending; null where each row has one. */
  readonly rows: Uint32Array | null
  readonly filled: number
  /** Values of numbers; 1 or 0 of booleans; ends of texts. */
  readonly values: Float64Array
  readonly texts: Uint8Array
}

const CELL = forms.indexOf('cell')
const LETTER_T = 116
const FEWEST = 64

export class RowColumns {
  readonly #task: ColumnsTask
  readonly #sorter = new RadixSorter()
  readonly #cells = new RowCells()
  readonly #files = new ScratchFiles()

  constructor(task: ColumnsTask) {
    this.#task = task
  }

  /** @throws Failure (storage) */
  take({ path, bytes: length }: BucketRows): RowBlock {
    const bytes = new Uint8Array(length)
    this.#files.read(path, bytes, 0)
    this.#files.close()
    const sorted = this.#sorted(bytes)
    const { areEdges } = this.#task
    const first = areEdges ? 0 : sorted.u[0]!
    const last = areEdges ? sorted.count - 1 : sorted.u[sorted.count - 1]!
    const columns = this.#columns(bytes, sorted, first)
    const rows = last - first + 1
    const keys = areEdges ? [sorted.u, sorted.v] : []
    return {
      first,
      rows,
      keys,
      columns: columns.map((column) => column?.finish(rows) ?? null),
      repeated: sorted.repeated,
    }
  }

  close(): void {
    this.#files.close()
  }

  /** Rows in order: their places in words, and their vertices. */
  #sorted(bytes: Uint8Array) {
    const words = wordsOf(bytes)
    let all = 0
    for (let at = 0; at < words.length; at += rowStride(words[at]!) >> 2) all++
    const [places, first, second] = [new Uint32Array(all), new Uint32Array(all), new Uint32Array(all)]
    for (let at = 0, row = 0; at < words.length; at += rowStride(words[at]!) >> 2) {
      places[row] = at
      first[row] = words[at + 1]!
      second[row++] = words[at + 2]!
    }
    const sorter = this.#sorter
    sorter.start(all)
    if (this.#task.areEdges) sorter.sort(second)
    sorter.sort(first)
    const order = sorter.places
    const [starts, u, v] = [new Uint32Array(all), new Uint32Array(all), new Uint32Array(all)]
    let count = 0
    for (let i = 0; i < all; i++) {
      const row = order[i]!
      if (count > 0 && u[count - 1] === first[row] && v[count - 1] === second[row]) continue
      starts[count] = places[row]!
      u[count] = first[row]!
      v[count++] = second[row]!
    }
    return { starts, u: u.subarray(0, count), v: v.subarray(0, count), count, repeated: all - count }
  }

  #columns(
    bytes: Uint8Array,
    { starts, u, count }: { starts: Uint32Array; u: Uint32Array; count: number },
    first: number,
  ) {
    const words = wordsOf(bytes)
    const { areEdges } = this.#task
    const columns = this.#task.columns.map((form) => form && new ColumnCells(form))
    const cells = this.#cells
    for (let i = 0; i < count; i++) {
      const row = areEdges ? i : u[i]! - first
      const at = starts[i]!
      cells.open(bytes, 4 * at, words[at]!)
      while (cells.next()) columns[cells.column]?.add(row, cells.form, bytes, cells.start, cells.end)
    }
    return columns
  }
}

/** The cells of a column, as they are gathered. */
class ColumnCells {
  readonly #form: ColumnForm
  readonly #plain = new PlainNumber()
  #rows = new Uint32Array(FEWEST)
  #values = new Float64Array(FEWEST)
  #texts = new Uint8Array(0)
  #textBytes = 0
  #filled = 0

  constructor(form: ColumnForm) {
    this.#form = form
  }

  /** Bytes [start, end) of a cell. @param row that of the cell before, or a later one: a second cell of a row is left out */
  add(row: number, form: number, bytes: Uint8Array, start: number, end: number): void {
    const filled = this.#filled
    if (filled > 0 && this.#rows[filled - 1] === row) return
    const { kind } = this.#form
    let value: number
    if (kind === 'text') value = this.#addText(bytes, start, end)
    else if (kind === 'boolean') value = bytes[start] === LETTER_T ? 1 : 0
    else {
      const number = this.#number(form, bytes, start, end)
      if (number === null) return
      value = number
    }
    if (filled === this.#rows.length) this.#grow()
    this.#rows[filled] = row
    this.#values[filled] = value
    this.#filled = filled + 1
  }

  /** @returns where the texts end */
  #addText(bytes: Uint8Array, start: number, end: number): number {
    const at = this.#textBytes
    const last = at + end - start
    if (last > this.#texts.length) {
      const longer = new Uint8Array(Math.max(2 * last, 16 * FEWEST))
      longer.set(this.#texts.subarray(0, at))
      this.#texts = longer
    }
    copyBytes(this.#texts, at, bytes, start, end)
    this.#textBytes = last
    return last
  }

  /** A value in a column of numbers; null where it is none. */
  #number(form: number, bytes: Uint8Array, start: number, end: number): number | null {
    const { isPoint } = this.#form
    const isNumber = form !== CELL
    if (isNumber || isPoint) {
      if (this.#plain.read(bytes, start, end)) return this.#plain.value
      const whole = wholeNumber(bytes, start, end)
      if (whole !== undefined && !Number.isNaN(whole)) return whole
    }
    const text = textIn(bytes, start, end)
    const number = Number(text)
    if (isNumber || (isPoint && !Number.isNaN(number))) return number
    if (isMissingWord(text)) return null
    return isPoint ? number : numberOfCell(text, 'comma')
  }

  #grow(): void {
    const rows = new Uint32Array(2 * this.#filled)
    const values = new Float64Array(2 * this.#filled)
    rows.set(this.#rows)
    values.set(this.#values)
    this.#rows = rows
    this.#values = values
  }

  /** @param count of all rows @returns null for a column without cells */
  finish(count: number): BlockColumn | null {
    const filled = this.#filled
    if (filled === 0) return null
    const rows = filled === count ? null : this.#rows.slice(0, filled)
    return { rows, filled, values: this.#values.slice(0, filled), texts: this.#texts.slice(0, this.#textBytes) }
  }
}

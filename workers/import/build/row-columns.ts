/**
 * A thread's part in the tables of attributes: it takes the rows of a bucket, sorts them by their vertices (radix sort; the first of equal ones
 * stays), and makes columns of their cells in WebAssembly (row-columns.wat). A column without gaps has no places, so that it is copied as a
 * whole; one with gaps takes room for the cells that it has. Memory is a few times the bytes of the bucket. row-bytes.ts is the form of rows,
 * attributes/write-tables.ts joins columns.
 */

import type { AttributeKind } from '../../contract/jobs.ts'
import { RadixSorter } from '../../graph/radix-order.ts'
import { wasmExports } from '../../../kernels/parts/wasm-exports.ts'
import { isMissingWord, numberOfCell, wholeNumber } from '../reader/numbers.ts'
import { growTo } from './bucket-sorter.ts'
import { textIn } from './cell-kinds.ts'
import { ROW_COLUMNS } from './modules.ts'
import { forms, rowStride, wordsOf } from './row-bytes.ts'
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

/** Rows of a bucket: the first bytes of a file of their own, and those behind them in shared memory. */
export interface BucketRows {
  readonly path: string
  readonly fileBytes: number
  readonly kept: readonly Uint8Array[]
}

/** Bytes of the memory that rows take. */
export const bytesIn = (kept: readonly Uint8Array[]): number => kept.reduce((sum, { length }) => sum + length, 0)

/** A bucket, and memory for its columns, if it is enough. */
type BucketTask = BucketRows & Pick<RowBlock, 'room'>

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
  /** Memory of all that, for another bucket later. */
  readonly room: SharedArrayBuffer
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

/** As row-columns.wat describes them. */
interface ColumnsModule {
  count(at: number, end: number, columns: number): void
  fill(starts: number, places: number, count: number, columns: number): void
}

const CELL = forms.indexOf('cell')
const POWERS = 16
const COLUMNS = 8 * POWERS
const COLUMN_BYTES = 32
/** Words of a column. */
const [CELLS, TEXT_BYTES, KIND, NEXT_ROW, NEXT_VALUE, NEXT_TEXT, ROW, TEXTS] = [0, 1, 2, 3, 4, 5, 6, 7]
/** No row was before. */
const NO_ROW = 2 ** 32 - 1
const PADDING_BYTES = 16
const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8

function kindOf(form: ColumnForm | null): number {
  if (form === null) return 0
  if (form.kind === 'number') return form.isPoint ? 1 : 2
  return form.kind === 'boolean' ? 3 : 4
}

export class RowColumns {
  readonly #task: ColumnsTask
  readonly #memory = new WebAssembly.Memory({ initial: 16, maximum: 1 << 16 })
  readonly #module: ColumnsModule
  readonly #sorter = new RadixSorter()
  readonly #files = new ScratchFiles()
  readonly #rows: number
  /** Six words for each row of a bucket. */
  #sorting = new Uint32Array(0)

  constructor(task: ColumnsTask) {
    this.#task = task
    this.#rows = COLUMNS + COLUMN_BYTES * task.columns.length
    const number = (column: number, form: number, start: number, end: number): number =>
      numberOf(task.columns[column]!, form, new Uint8Array(this.#memory.buffer), start, end)
    this.#module = wasmExports<ColumnsModule>(ROW_COLUMNS, { memory: this.#memory, number })
    this.#room(this.#rows)
    new Float64Array(this.#memory.buffer, 0, POWERS).set(Array.from({ length: POWERS }, (_, i) => Number(`1e${i}`)))
  }

  /** @throws Failure (storage) */
  take({ path, fileBytes, kept, room }: BucketTask): RowBlock {
    const at = this.#rows
    const length = fileBytes + bytesIn(kept)
    const sortAt = aligned(at + length + PADDING_BYTES)
    this.#room(sortAt)
    const bytes = new Uint8Array(this.#memory.buffer, at, length)
    if (fileBytes > 0) this.#files.read(path, bytes.subarray(0, fileBytes), 0)
    this.#files.close()
    let next = fileBytes
    for (const chunk of kept) {
      bytes.set(chunk, next)
      next += chunk.length
    }
    const { starts, u, v, repeated } = this.#sorted(bytes)
    const { areEdges } = this.#task
    const count = starts.length
    const first = areEdges ? 0 : u[0]!
    const rows = areEdges ? count : u[count - 1]! - first + 1
    const keys = areEdges ? [u, v] : []
    const end = this.#open(length, sortAt + 8 * count)
    const words = new Int32Array(this.#memory.buffer)
    for (let i = 0; i < count; i++) {
      words[sortAt / 4 + i] = at + 4 * starts[i]!
      words[sortAt / 4 + count + i] = areEdges ? i : u[i]! - first
    }
    this.#module.fill(sortAt, sortAt + 4 * count, count, COLUMNS)
    return { first, rows, repeated, ...this.#shared(rows, keys, end > room.byteLength ? 1.5 * end : 0, room) }
  }

  close(): void {
    this.#files.close()
  }

  /** Makes room in memory. @throws RangeError without it */
  #room(bytes: number): void {
    if (!growTo(this.#memory, bytes + PADDING_BYTES)) throw new RangeError(`no memory for ${bytes} bytes of attributes`)
  }

  #column(column: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, COLUMNS + COLUMN_BYTES * column, COLUMN_BYTES / 4)
  }

  /** Gives columns their room behind `at`. @returns where it ends */
  #open(length: number, at: number): number {
    new Uint8Array(this.#memory.buffer, COLUMNS, this.#rows - COLUMNS).fill(0)
    this.#module.count(this.#rows, this.#rows + length, COLUMNS)
    let next = aligned(at)
    for (const [i, form] of this.#task.columns.entries()) {
      const column = this.#column(i)
      const cells = column[CELLS]!
      column[KIND] = kindOf(form)
      column[ROW] = NO_ROW
      column[NEXT_VALUE] = next
      column[NEXT_ROW] = next + 8 * cells
      column[NEXT_TEXT] = column[TEXTS] = next + 12 * cells
      if (form !== null)
        next = aligned(next + 12 * cells + (form.kind === 'text' ? column[TEXT_BYTES]! : 0) + PADDING_BYTES)
    }
    this.#room(next)
    return next
  }

  /** Copies columns and keys to shared memory. @param more bytes of new memory, if there is too little */
  #shared(rows: number, keys: readonly Uint32Array[], more: number, room: SharedArrayBuffer) {
    const shared = more > 0 ? new SharedArrayBuffer(more) : room
    const { buffer } = this.#memory
    let at = 0
    const place = (bytes: number): number => {
      const from = at
      at = aligned(at + bytes)
      return from
    }
    const words = (from: Uint32Array): Uint32Array => {
      const into = new Uint32Array(shared, place(4 * from.length), from.length)
      into.set(from)
      return into
    }
    const columns = this.#task.columns.map((_, i): BlockColumn | null => {
      const column = this.#column(i)
      const cells = column[CELLS]!
      const valuesAt = column[TEXTS]! - 12 * cells
      const filled = (column[NEXT_VALUE]! - valuesAt) / 8
      if (filled === 0) return null
      const values = new Float64Array(shared, place(8 * filled), filled)
      values.set(new Float64Array(buffer, valuesAt, filled))
      const textBytes = column[NEXT_TEXT]! - column[TEXTS]!
      const texts = new Uint8Array(shared, place(textBytes), textBytes)
      texts.set(new Uint8Array(buffer, column[TEXTS], textBytes))
      const places = filled === rows ? null : words(new Uint32Array(buffer, valuesAt + 8 * cells, filled))
      return { rows: places, filled, values, texts }
    })
    return { columns, keys: keys.map(words), room: shared }
  }

  /** Rows in order: their places in words, and their vertices. */
  #sorted(bytes: Uint8Array) {
    const words = wordsOf(bytes)
    let all = 0
    for (let at = 0; at < words.length; at += rowStride(words[at]!) >> 2) all++
    if (6 * all > this.#sorting.length) this.#sorting = new Uint32Array(9 * all)
    const part = (number: number): Uint32Array => this.#sorting.subarray(number * all, (number + 1) * all)
    const [places, first, second] = [part(0), part(1), part(2)]
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
    const [starts, u, v] = [part(3), part(4), part(5)]
    let count = 0
    for (let i = 0; i < all; i++) {
      const row = order[i]!
      if (count > 0 && u[count - 1] === first[row] && v[count - 1] === second[row]) continue
      starts[count] = places[row]!
      u[count] = first[row]!
      v[count++] = second[row]!
    }
    const [kept, repeated] = [(of: Uint32Array) => of.subarray(0, count), all - count]
    return { starts: kept(starts), u: kept(u), v: kept(v), repeated }
  }
}

/** Bytes [start, end) of a value in a column of numbers; NaN where it is none. */
function numberOf({ isPoint }: ColumnForm, form: number, bytes: Uint8Array, start: number, end: number): number {
  const isNumber = form !== CELL
  const whole = isNumber || isPoint ? wholeNumber(bytes, start, end) : undefined
  if (whole !== undefined && !Number.isNaN(whole)) return whole
  const text = textIn(bytes, start, end)
  const number = Number(text)
  if (isNumber || (isPoint && !Number.isNaN(number))) return number
  return isPoint || isMissingWord(text) ? NaN : numberOfCell(text, 'comma')
}

/**
 * A thread's part in the tables of attributes: it takes the rows of a bucket and, in WebAssembly (row-columns.wat), sorts them by their vertices
 * (radix sort; the first of equal ones stays) and makes columns of their cells. A column without gaps has no places, so that it is copied as a
 * whole; one with gaps takes room for the cells that it has. Memory is a few times the bytes of the bucket. row-bytes.ts is the form of rows,
 * attributes/write-tables.ts joins columns.
 */

import type { AttributeKind } from '../../contract/jobs.ts'
import { wasmExports } from '../../../kernels/parts/wasm-exports.ts'
import { isMissingWord, numberOfCell, wholeNumber } from '../reader/numbers.ts'
import { growTo } from './bucket-sorter.ts'
import { textIn } from './cell-kinds.ts'
import { ROW_COLUMNS } from './modules.ts'
import { forms, ROW_BYTES } from './row-bytes.ts'
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
  readonly ordered: WebAssembly.Global<'i32'>
  list(at: number, end: number, columns: number, list: number, room: number): number
  order(count: number, list: number, room: number, counts: number): number
  fill(starts: number, end: number, vertices: number, first: number, columns: number): void
}

const CELL = forms.indexOf('cell')
const POWERS = 16
/** Words that count digits. */
const COUNTS = 8 * POWERS
const COLUMNS = COUNTS + (1 << 13)
const COLUMN_BYTES = 32
/** Words of a column. */
const [CELLS, TEXT_BYTES, KIND, NEXT_ROW, NEXT_VALUE, NEXT_TEXT, ROW, TEXTS] = [0, 1, 2, 3, 4, 5, 6, 7]
/** No row was before. */
const NO_ROW = 2 ** 32 - 1
const PADDING_BYTES = 16
/** Bytes of a row in a list: its vertices and its address; a second list is made of it. */
const LISTED_BYTES = 12
const LISTS = 2
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
  readonly #files = new ScratchFiles()
  readonly #rows: number

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
    const lists = aligned(at + length + PADDING_BYTES)
    const most = 2 * Math.ceil(length / ROW_BYTES / 2)
    const behind = lists + LISTS * LISTED_BYTES * most
    this.#room(behind)
    const bytes = new Uint8Array(this.#memory.buffer, at, length)
    if (fileBytes > 0) this.#files.read(path, bytes.subarray(0, fileBytes), 0)
    this.#files.close()
    let next = fileBytes
    for (const chunk of kept) {
      bytes.set(chunk, next)
      next += chunk.length
    }
    new Uint8Array(this.#memory.buffer, COLUMNS, this.#rows - COLUMNS).fill(0)
    const all = this.#module.list(at, at + length, COLUMNS, lists, most)
    const count = this.#module.order(all, lists, most, COUNTS)
    const end = this.#open(behind)
    const list = (number: number): Uint32Array =>
      new Uint32Array(this.#memory.buffer, this.#module.ordered.value + 4 * number * most, count)
    const [starts, u, v] = [list(0), list(1), list(2)]
    const { areEdges } = this.#task
    const first = areEdges ? 0 : u[0]!
    const rows = areEdges ? count : u[count - 1]! - first + 1
    const startsEnd = starts.byteOffset + starts.byteLength
    this.#module.fill(starts.byteOffset, startsEnd, areEdges ? 0 : u.byteOffset, first, COLUMNS)
    const keys = areEdges ? [u, v] : []
    return {
      first,
      rows,
      repeated: all - count,
      ...this.#shared(rows, keys, end > room.byteLength ? 1.5 * end : 0, room),
    }
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
  #open(at: number): number {
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

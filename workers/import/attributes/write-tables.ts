/**
 * Attributes as tables of a dataset: Arrow files with a row for every vertex, and one for every edge that has any, written in batches as rows
 * come in the order of ids. Kinds of columns are known before. Memory holds one batch; columns without cells are made once for each kind.
 * attribute-rows.ts gives the rows, graph/attribute-table.ts reads the files.
 */

import { join } from 'node:path'
import { Bool, type Data, Field, Float64, makeData, Uint32, Utf8 } from 'apache-arrow'
import { Failure } from '../../base/failure.ts'
import type { YieldScheduler } from '../../base/job.ts'
import type { AttributeColumn, AttributeKind } from '../../contract/jobs.ts'
import { ArrowWriter } from '../../graph/arrow-writer.ts'
import { BATCH_ROWS, EDGE_KEYS, EDGE_TABLE, VERTEX_TABLE } from '../../graph/attribute-table.ts'
import { RowCells } from '../build/row-bytes.ts'
import { writeSummed } from '../build/write-dataset.ts'
import type { AttributeSpill, OrderedRows } from './attribute-rows.ts'

const typeOf = { number: new Float64(), text: new Utf8(), boolean: new Bool() } as const
const KEY = new Uint32()
const LETTER_T = 116

/** Part of an import's memory for the cells of a batch, and for its columns. */
const BATCH_SHARE = 1 / 4
/** A column has in a batch, as it is gathered and written. */
const COLUMN_BYTES = 40 * BATCH_ROWS
const LEAST_COLUMNS = 64
/** Texts up to here are copied faster by a loop than by a call. */
const SHORT_TEXT = 48
/** Room for texts that a column keeps from batch to batch. */
const MOST_KEPT_BYTES = 32 * BATCH_ROWS

/** Columns of a table that an import with so much memory writes. */
export const mostColumns = (memoryBytes: number): number =>
  Math.max(LEAST_COLUMNS, Math.floor((BATCH_SHARE * memoryBytes) / COLUMN_BYTES))

const bitBytes = (bits: number): number => 8 * Math.ceil(bits / 64)
const setBit = (bits: Uint8Array, at: number): void => void (bits[at >> 3]! |= 1 << (at & 7))

/** The cells of a column in one batch, as Arrow has them. */
class BatchColumn {
  readonly kind: AttributeKind
  #filled = 0
  #nullBitmap = new Uint8Array(0)
  #numbers = new Float64Array(0)
  #flags = new Uint8Array(0)
  /** The length of the text of row r, at r + 1. */
  #lengths = new Int32Array(0)
  #texts = new Uint8Array(0)
  #textBytes = 0

  constructor(kind: AttributeKind) {
    this.kind = kind
  }

  /** A number, or whether it is so. @param row past those before */
  add(row: number, value: number | boolean): void {
    this.#begin(row)
    if (typeof value === 'number') this.#numbers[row] = value
    else if (value) setBit(this.#flags, row)
  }

  #begin(row: number): void {
    if (this.#filled++ === 0) this.#open()
    setBit(this.#nullBitmap, row)
  }

  #open(): void {
    this.#nullBitmap = new Uint8Array(bitBytes(BATCH_ROWS))
    if (this.kind === 'number') this.#numbers = new Float64Array(BATCH_ROWS)
    else if (this.kind === 'boolean') this.#flags = new Uint8Array(bitBytes(BATCH_ROWS))
    else this.#lengths = new Int32Array(BATCH_ROWS + 1)
  }

  /** The text of bytes [start, end). @param row past those before */
  addText(row: number, bytes: Uint8Array, start: number, end: number): void {
    this.#begin(row)
    const length = end - start
    const at = this.#textBytes
    if (at + length > this.#texts.length) {
      const longer = new Uint8Array(Math.max(2 * (at + length), BATCH_ROWS))
      longer.set(this.#texts.subarray(0, at))
      this.#texts = longer
    }
    if (length > SHORT_TEXT) this.#texts.set(bytes.subarray(start, end), at)
    else for (let i = 0; i < length; i++) this.#texts[at + i] = bytes[start + i]!
    this.#lengths[row + 1] = length
    this.#textBytes = at + length
  }

  /** The cells, which are gone then. @param empty those of a column without cells */
  take(length: number, empty: (kind: AttributeKind, length: number) => Data): Data {
    if (this.#filled === 0) return empty(this.kind, length)
    const nullBitmap = this.#nullBitmap.subarray(0, bitBytes(length))
    const nulls = { length, nullCount: length - this.#filled, nullBitmap }
    this.#filled = 0
    if (this.kind === 'number')
      return makeData({ type: typeOf.number, ...nulls, data: this.#numbers.subarray(0, length) })
    if (this.kind === 'boolean')
      return makeData({ type: typeOf.boolean, ...nulls, data: this.#flags.subarray(0, bitBytes(length)) })
    const valueOffsets = this.#lengths.subarray(0, length + 1)
    for (let row = 0; row < length; row++) valueOffsets[row + 1]! += valueOffsets[row]!
    const data = this.#texts.slice(0, this.#textBytes)
    this.#textBytes = 0
    // All columns together keep no more than the largest batch.
    if (this.#texts.length > MOST_KEPT_BYTES) this.#texts = new Uint8Array(0)
    return makeData({ type: typeOf.text, ...nulls, valueOffsets, data })
  }
}

/** A column of empty cells. */
function noneOf(kind: AttributeKind, length: number): Data {
  const nulls = { length, nullCount: length, nullBitmap: new Uint8Array(bitBytes(length)) }
  if (kind === 'number') return makeData({ type: typeOf.number, ...nulls, data: new Float64Array(length) })
  if (kind === 'boolean') return makeData({ type: typeOf.boolean, ...nulls, data: new Uint8Array(bitBytes(length)) })
  const valueOffsets = new Int32Array(length + 1)
  return makeData({ type: typeOf.text, ...nulls, valueOffsets, data: new Uint8Array(0) })
}

/** Columns without cells, made once for each kind. */
function emptyColumns(): (kind: AttributeKind, length: number) => Data {
  const known = new Map<AttributeKind, Data>()
  return (kind, length) => {
    const before = known.get(kind)
    if (before?.length === length) return before
    const made = noneOf(kind, length)
    known.set(kind, made)
    return made
  }
}

/** What a table is written with. */
interface TableWork {
  readonly scheduler: YieldScheduler
  readonly memoryBytes: number
}

/** Gets the bytes [start, end) of a cell of each row. */
export interface NamesTaken {
  readonly column: number
  add(bytes: Uint8Array, start: number, end: number): void
}

/** A row for every vertex, in the order of their ids. @param names get the cells of one column */
export function writeVertexTable(
  folder: string,
  spill: AttributeSpill,
  vertices: number,
  { scheduler, memoryBytes }: TableWork,
  names: NamesTaken | null = null,
): Promise<AttributeColumn[]> {
  const progress = { phase: 'attributes', total: vertices, unit: 'vertices' } as const
  const pause = (done: number): Promise<void> => scheduler.yield({ ...progress, done })
  return writeTable(join(folder, VERTEX_TABLE), spill, [], { pause, memoryBytes, vertices, names })
}

/** A row for every edge that has attributes, by its two vertices. */
export function writeEdgeTable(
  folder: string,
  spill: AttributeSpill,
  { scheduler, memoryBytes }: TableWork,
): Promise<AttributeColumn[]> {
  const progress = { phase: 'attributes', total: spill.rows, unit: 'lines' } as const
  const pause = (done: number): Promise<void> => scheduler.yield({ ...progress, done })
  return writeTable(join(folder, EDGE_TABLE), spill, EDGE_KEYS, { pause, memoryBytes, vertices: null, names: null })
}

interface TableForm {
  readonly pause: (done: number) => Promise<void>
  readonly memoryBytes: number
  /** Each of so many has a row; null: each row that there is. */
  readonly vertices: number | null
  readonly names: NamesTaken | null
}

const NOTHING = new Uint8Array(0)

/** Gathers the rows of a table to batches. */
class TableRows {
  readonly columns: readonly (AttributeColumn & { filled: number })[]
  inBatch = 0
  done = 0
  readonly #kept: AttributeSpill['columns']
  /** Places of the columns of rows; -1 for one that is dropped. */
  readonly #places: Int32Array
  readonly #batches: readonly BatchColumn[]
  readonly #keys: readonly Uint32Array[]
  readonly #names: NamesTaken | null
  readonly #vertices: number | null
  readonly #mostTextBytes: number
  readonly #cells = new RowCells()
  readonly #empty = emptyColumns()
  #textBytes = 0

  constructor(spill: AttributeSpill, keys: number, { memoryBytes, vertices, names }: TableForm) {
    const kept = spill.columns.filter(({ isDropped }) => !isDropped)
    this.#kept = kept
    this.columns = kept.map(({ name, kind }) => ({ name, kind, filled: 0 }))
    this.#places = Int32Array.from(spill.columns, (column) => kept.indexOf(column))
    this.#batches = kept.map(({ kind }) => new BatchColumn(kind))
    this.#keys = Array.from({ length: keys }, () => new Uint32Array(BATCH_ROWS))
    this.#names = names
    this.#vertices = vertices
    this.#mostTextBytes = BATCH_SHARE * memoryBytes
  }

  get isFull(): boolean {
    return this.inBatch === BATCH_ROWS
  }

  /** Takes rows until the batch is full, each behind the vertices before it. @param from the first of them @returns the next one */
  take({ bytes, words, starts }: OrderedRows, from: number): number {
    const keys = this.#keys
    let next = from
    for (; next < starts.length && !this.isFull; next++) {
      const at = starts[next]!
      const row = at >> 2
      if (this.#vertices !== null && !this.skipTo(words[row + 1]!)) return next
      for (let i = 0; i < keys.length; i++) keys[i]![this.inBatch] = words[row + 1 + i]!
      this.#takeCells(bytes, at, words[row]!)
      this.inBatch++
    }
    return next
  }

  /** Rows of vertices of which nothing is known. @returns false where the batch is full before */
  skipTo(vertex: number): boolean {
    while (this.done + this.inBatch < vertex) {
      if (this.isFull) return false
      this.#names?.add(NOTHING, 0, 0)
      this.inBatch++
    }
    return !this.isFull
  }

  #takeCells(bytes: Uint8Array, at: number, length: number): void {
    const [cells, names] = [this.#cells, this.#names]
    let hasName = names === null
    cells.open(bytes, at, length)
    while (cells.next()) {
      const { column, form, start, end } = cells
      if (!hasName && column === names!.column) {
        names!.add(bytes, start, end)
        hasName = true
      }
      const place = this.#places[column]!
      if (place < 0) continue
      const batch = this.#batches[place]!
      if (batch.kind === 'text') {
        batch.addText(this.inBatch, bytes, start, end)
        this.#textBytes += end - start
      } else if (batch.kind === 'boolean') batch.add(this.inBatch, bytes[start] === LETTER_T)
      else {
        const value = this.#kept[place]!.number(form, bytes, start, end)
        if (value === null) continue
        batch.add(this.inBatch, value)
      }
      this.columns[place]!.filled++
    }
    if (!hasName) names!.add(NOTHING, 0, 0)
    if (this.#textBytes > this.#mostTextBytes) throw textsTooLarge(this.#textBytes, this.#mostTextBytes / BATCH_SHARE)
  }

  /** The columns of the batch, which is empty then. */
  takeBatch(): Data[] {
    const length = this.inBatch
    const ids = this.#keys.map((key) => makeData({ type: KEY, length, nullCount: 0, data: key.slice(0, length) }))
    const batch = [...ids, ...this.#batches.map((column) => column.take(length, this.#empty))]
    this.done += length
    this.inBatch = this.#textBytes = 0
    return batch
  }
}

/** Writes rows in batches to an Arrow file. */
async function writeTable(
  path: string,
  spill: AttributeSpill,
  keyNames: readonly string[],
  form: TableForm,
): Promise<AttributeColumn[]> {
  const rows = new TableRows(spill, keyNames.length, form)
  const { columns } = rows
  const writer = new ArrowWriter([
    ...keyNames.map((name) => new Field(name, KEY, false)),
    ...columns.map(({ name, kind }) => new Field(name, typeOf[kind], true, new Map([['kind', kind]]))),
  ])
  await writeSummed(path, async (file) => {
    const flush = async (): Promise<void> => {
      const { inBatch } = rows
      file.write(writer.batch(rows.takeBatch(), inBatch))
      await form.pause(rows.done)
    }
    for (const ordered of spill.sorted())
      for (let next = 0; next < ordered.starts.length;) {
        next = rows.take(ordered, next)
        if (rows.isFull) await flush()
      }
    while (!rows.skipTo(form.vertices ?? 0) && rows.isFull) await flush()
    if (rows.inBatch > 0) await flush()
    file.write(writer.finish())
  })
  return [...columns]
}

function textsTooLarge(bytes: number, memoryBytes: number): Failure {
  const mib = (size: number): number => Math.ceil(size / 2 ** 20)
  return new Failure({
    code: 'usage',
    what: `the texts of ${BATCH_ROWS} vertices or edges have more than ${mib(bytes)} MiB, and an import with ${mib(memoryBytes)} MiB keeps a quarter of that`,
    remedy: '',
    fixes: [
      { action: 'choose', option: 'attributes' },
      { action: 'raise', option: 'memoryBytes' },
    ],
  })
}

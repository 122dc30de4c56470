/**
 * Attributes as tables of a dataset: Arrow files with a row for every vertex, and one for every edge that has any. Threads sort buckets of rows and
 * make columns of them (build/row-columns.ts); these are joined here, in order, into batches of so many rows. Kinds of columns are known before.
 * Memory holds one batch, and a bucket a thread; columns without cells are made once for each kind. graph/attribute-table.ts reads the files.
 */

import { join } from 'node:path'
import { Bool, type Data, Field, Float64, makeData, Uint32, Utf8 } from 'apache-arrow'
import { lowerBound } from '../../base/ranges.ts'
import type { YieldScheduler } from '../../base/job.ts'
import type { AttributeColumn, AttributeKind } from '../../contract/jobs.ts'
import { ArrowWriter } from '../../graph/arrow-writer.ts'
import { BATCH_ROWS, EDGE_KEYS, EDGE_TABLE, VERTEX_TABLE } from '../../graph/attribute-table.ts'
import type { ThreadPool } from '../build/import-threads.ts'
import type { BlockColumn, BucketRows, RowBlock } from '../build/row-columns.ts'
import { writeSummed } from '../build/write-dataset.ts'
import { type AttributeSpill, mostTextBytes, textsTooLarge } from './attribute-rows.ts'

const typeOf = { number: new Float64(), text: new Utf8(), boolean: new Bool() } as const
const KEY = new Uint32()

/** Part of an import's memory for the columns of a batch. */
const BATCH_SHARE = 1 / 4
/** A column has in a batch, as it is gathered and written. */
const COLUMN_BYTES = 40 * BATCH_ROWS
const LEAST_COLUMNS = 64
/** Room for texts that a column keeps from batch to batch. */
const MOST_KEPT_BYTES = 32 * BATCH_ROWS

/** Columns of a table that an import with so much memory writes. */
export const mostColumns = (memoryBytes: number): number =>
  Math.max(LEAST_COLUMNS, Math.floor((BATCH_SHARE * memoryBytes) / COLUMN_BYTES))

const bitBytes = (bits: number): number => 8 * Math.ceil(bits / 64)
const setBit = (bits: Uint8Array, at: number): void => void (bits[at >> 3]! |= 1 << (at & 7))

/** Sets bits [start, end). */
function setBits(bits: Uint8Array, start: number, end: number): void {
  let at = start
  while (at < end && (at & 7) !== 0) setBit(bits, at++)
  const whole = end & ~7
  if (at < whole) bits.fill(255, at >> 3, whole >> 3)
  for (at = Math.max(at, whole); at < end; at++) setBit(bits, at)
}

/** Rows of a block that go to a batch: so many from `from` on, the first of them to the row `row` of the batch. */
interface Rows {
  readonly from: number
  readonly count: number
  readonly row: number
}

/** The cells [first, end) of some rows. */
function cellsIn(
  { rows, filled }: BlockColumn,
  { from, count }: Rows,
): { readonly first: number; readonly end: number } {
  if (rows === null) return { first: from, end: from + count }
  const first = lowerBound(0, filled, (cell) => rows[cell]! < from)
  return { first, end: lowerBound(first, filled, (cell) => rows[cell]! < from + count) }
}

const textStart = ({ values }: BlockColumn, cell: number): number => (cell === 0 ? 0 : values[cell - 1]!)

/** The cells of a column in one batch, as Arrow has them. */
class BatchColumn {
  readonly kind: AttributeKind
  filled = 0
  /** The length of the text of row r, at r + 1. */
  lengths = new Int32Array(0)
  /** Cells of the batch. */
  inBatch = 0
  #nullBitmap = new Uint8Array(0)
  #numbers = new Float64Array(0)
  #flags = new Uint8Array(0)
  #texts = new Uint8Array(0)
  #textBytes = 0

  constructor(kind: AttributeKind) {
    this.kind = kind
  }

  /** @returns bytes of the texts */
  add(column: BlockColumn, taken: Rows): number {
    const { first, end } = cellsIn(column, taken)
    if (end === first) return 0
    if (this.inBatch === 0) this.#open()
    this.inBatch += end - first
    this.filled += end - first
    const { rows, values } = column
    const shift = taken.row - taken.from
    const rowOf = (cell: number): number => shift + (rows === null ? cell : rows[cell]!)
    if (rows === null) setBits(this.#nullBitmap, shift + first, shift + end)
    else for (let cell = first; cell < end; cell++) setBit(this.#nullBitmap, rowOf(cell))
    if (this.kind === 'text') return this.#addTexts(column, first, end, shift)
    if (this.kind === 'boolean') {
      for (let cell = first; cell < end; cell++) if (values[cell] === 1) setBit(this.#flags, rowOf(cell))
    } else if (rows === null) this.#numbers.set(values.subarray(first, end), shift + first)
    else for (let cell = first; cell < end; cell++) this.#numbers[rowOf(cell)] = values[cell]!
    return 0
  }

  #addTexts(column: BlockColumn, first: number, end: number, shift: number): number {
    const { rows, values, texts } = column
    const start = textStart(column, first)
    const { lengths } = this
    for (let cell = first, before = start; cell < end; cell++) {
      const textEnd = values[cell]!
      lengths[(rows === null ? cell : rows[cell]!) + shift + 1] = textEnd - before
      before = textEnd
    }
    const bytes = values[end - 1]! - start
    const at = this.#textBytes
    this.#textBytes += bytes
    if (this.#textBytes > this.#texts.length) {
      const longer = new Uint8Array(Math.max(2 * this.#textBytes, BATCH_ROWS))
      longer.set(this.#texts.subarray(0, at))
      this.#texts = longer
    }
    this.#texts.set(texts.subarray(start, start + bytes), at)
    return bytes
  }

  #open(): void {
    if (this.#nullBitmap.length === 0) {
      this.#nullBitmap = new Uint8Array(bitBytes(BATCH_ROWS))
      if (this.kind === 'number') this.#numbers = new Float64Array(BATCH_ROWS)
      else if (this.kind === 'boolean') this.#flags = new Uint8Array(bitBytes(BATCH_ROWS))
      else this.lengths = new Int32Array(BATCH_ROWS + 1)
    } else for (const array of [this.#nullBitmap, this.#numbers, this.#flags, this.lengths]) array.fill(0)
  }

  /** The cells, good until the next are added. @param empty those of a column without cells */
  take(length: number, empty: (kind: AttributeKind, length: number) => Data): Data {
    if (this.inBatch === 0) return empty(this.kind, length)
    const nullBitmap = this.#nullBitmap.subarray(0, bitBytes(length))
    const nulls = { length, nullCount: length - this.inBatch, nullBitmap }
    this.inBatch = 0
    if (this.kind === 'number')
      return makeData({ type: typeOf.number, ...nulls, data: this.#numbers.subarray(0, length) })
    if (this.kind === 'boolean')
      return makeData({ type: typeOf.boolean, ...nulls, data: this.#flags.subarray(0, bitBytes(length)) })
    const valueOffsets = this.lengths.subarray(0, length + 1)
    for (let row = 0; row < length; row++) valueOffsets[row + 1]! += valueOffsets[row]!
    const data = this.#texts.subarray(0, this.#textBytes)
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
  /** Has no part open. */
  readonly pool: ThreadPool
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
  { scheduler, ...work }: TableWork,
  names: NamesTaken | null = null,
): Promise<AttributeColumn[]> {
  const progress = { phase: 'attributes', total: vertices, unit: 'vertices' } as const
  const pause = (done: number): Promise<void> => scheduler.yield({ ...progress, done })
  return writeTable(join(folder, VERTEX_TABLE), spill, [], { ...work, pause, vertices, names })
}

/** A row for every edge that has attributes, by its two vertices. */
export function writeEdgeTable(
  folder: string,
  spill: AttributeSpill,
  { scheduler, ...work }: TableWork,
): Promise<AttributeColumn[]> {
  const progress = { phase: 'attributes', total: spill.rows, unit: 'lines' } as const
  const pause = (done: number): Promise<void> => scheduler.yield({ ...progress, done })
  return writeTable(join(folder, EDGE_TABLE), spill, EDGE_KEYS, { ...work, pause, vertices: null, names: null })
}

interface TableForm extends Omit<TableWork, 'scheduler'> {
  readonly pause: (done: number) => Promise<void>
  /** Each of so many has a row; null: each row that there is. */
  readonly vertices: number | null
  readonly names: NamesTaken | null
}

const NOTHING = new Uint8Array(0)

/** Gathers the rows of a table to batches. */
class TableRows {
  inBatch = 0
  done = 0
  /** A column for each of the rows; null for one that is dropped. */
  readonly #columns: readonly (BatchColumn | null)[]
  readonly #keys: readonly Uint32Array[]
  readonly #names: NamesTaken | null
  readonly #memoryBytes: number
  readonly #empty = emptyColumns()
  #textBytes = 0

  constructor({ columns }: AttributeSpill, keys: number, { memoryBytes, names }: TableForm) {
    this.#columns = columns.map(({ kind, isDropped }) => (isDropped ? null : new BatchColumn(kind)))
    this.#keys = Array.from({ length: keys }, () => new Uint32Array(BATCH_ROWS))
    this.#names = names
    this.#memoryBytes = memoryBytes
  }

  get kept(): readonly BatchColumn[] {
    return this.#columns.filter((column) => column !== null)
  }

  get isFull(): boolean {
    return this.inBatch === BATCH_ROWS
  }

  /** Takes rows of a block until the batch is full. @param from the first of them @returns the next one */
  take({ rows, keys, columns }: RowBlock, from: number): number {
    const taken = { from, count: Math.min(rows - from, BATCH_ROWS - this.inBatch), row: this.inBatch }
    const end = from + taken.count
    keys.forEach((ids, i) => this.#keys[i]!.set(ids.subarray(from, end), this.inBatch))
    for (const [i, column] of columns.entries())
      if (column !== null) this.#textBytes += this.#columns[i]!.add(column, taken)
    if (this.#names !== null) takeNames(this.#names, columns[this.#names.column]!, taken)
    if (this.#textBytes > mostTextBytes(this.#memoryBytes))
      throw textsTooLarge(`the texts of ${BATCH_ROWS} vertices or edges`, this.#memoryBytes)
    this.inBatch += taken.count
    return end
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

  /** The columns of the batch, which is empty then: good until rows are taken again. */
  takeBatch(): Data[] {
    const length = this.inBatch
    const ids = this.#keys.map((key) => makeData({ type: KEY, length, nullCount: 0, data: key.subarray(0, length) }))
    const batch = [...ids, ...this.kept.map((column) => column.take(length, this.#empty))]
    this.done += length
    this.inBatch = this.#textBytes = 0
    return batch
  }
}

function takeNames(names: NamesTaken, column: BlockColumn | null, taken: Rows): void {
  const { first, end } = column === null ? { first: 0, end: 0 } : cellsIn(column, taken)
  let cell = first
  for (let row = taken.from; row < taken.from + taken.count; row++)
    if (cell < end && (column!.rows === null || column!.rows[cell] === row))
      names.add(column!.texts, textStart(column!, cell), column!.values[cell++]!)
    else names.add(NOTHING, 0, 0)
}

/** Buckets that are under way to each thread, so that none waits. */
const UNDER_WAY_EACH = 2

/** The rows of buckets in order, as threads make columns of them. @throws Failure (storage); (cancelled) */
async function* blocksOf(spill: AttributeSpill, areEdges: boolean, pool: ThreadPool): AsyncGenerator<RowBlock> {
  const columns = spill.columns.map(({ kind, isDropped, cells }) =>
    isDropped ? null : { kind, isPoint: cells.isPoint },
  )
  await pool.open('columns', () => ({ columns, areEdges }))
  const most = UNDER_WAY_EACH * pool.threads.length
  /** Memory for columns, of blocks that were taken. */
  const rooms: SharedArrayBuffer[] = []
  const waiting: { readonly bucket: BucketRows; readonly block: Promise<RowBlock> }[] = []
  const next = async (): Promise<RowBlock> => {
    const { bucket, block } = waiting.shift()!
    const made = await block
    spill.remove(bucket)
    spill.repeated += made.repeated
    rooms.push(made.room)
    return made
  }
  try {
    for (const bucket of spill.sorted()) {
      const room = rooms.shift() ?? new SharedArrayBuffer(0)
      waiting.push({ bucket, block: pool.run('columns', 'take', { ...bucket, room }) })
      if (waiting.length === most) yield await next()
    }
    while (waiting.length > 0) yield await next()
  } finally {
    // Files of buckets are removed behind this.
    await Promise.allSettled(waiting.map(({ block }) => block))
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
  const columns = spill.columns.filter(({ isDropped }) => !isDropped)
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
    for await (const block of blocksOf(spill, form.vertices === null, form.pool)) {
      while (form.vertices !== null && !rows.skipTo(block.first)) await flush()
      for (let next = 0; next < block.rows;) {
        next = rows.take(block, next)
        if (rows.isFull) await flush()
      }
    }
    while (!rows.skipTo(form.vertices ?? 0) && rows.isFull) await flush()
    if (rows.inBatch > 0) await flush()
    file.write(writer.finish())
  })
  return columns.map(({ name, kind }, i) => ({ name, kind, filled: rows.kept[i]!.filled }))
}

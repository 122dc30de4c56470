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
import { BATCH_ROWS, EDGE_KEYS, EDGE_TABLE, type NamedKind, VERTEX_TABLE } from '../../graph/attribute-table.ts'
import { writeSummed } from '../build/write-dataset.ts'
import type { AttributeSpill, SpilledRow, SpilledValue } from './attribute-rows.ts'

const typeOf = { number: new Float64(), text: new Utf8(), boolean: new Bool() } as const
const KEY = new Uint32()

/** Part of an import's memory for the cells of a batch, and for its columns. */
const BATCH_SHARE = 1 / 4
/** A column has in a batch, as it is gathered and written. */
const COLUMN_BYTES = 40 * BATCH_ROWS
const LEAST_COLUMNS = 64

/** Columns of a table that an import with so much memory writes. */
export const mostColumns = (memoryBytes: number): number =>
  Math.max(LEAST_COLUMNS, Math.floor((BATCH_SHARE * memoryBytes) / COLUMN_BYTES))

/** What a column holds until it is written: of texts their bytes. */
type Held = Uint8Array | number | boolean

/** A value of another kind is none. */
function valueAs(kind: AttributeKind, value: SpilledValue): Held | null {
  if (value === null) return null
  if (kind !== 'text') return typeof value === kind ? (value as number | boolean) : null
  return value instanceof Uint8Array ? value : Buffer.from(String(value))
}

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

  /** @param row past those before */
  add(row: number, value: Held): void {
    if (this.#filled++ === 0) this.#begin()
    setBit(this.#nullBitmap, row)
    if (typeof value === 'number') this.#numbers[row] = value
    else if (value === true) setBit(this.#flags, row)
    else if (value !== false) this.#addText(row, value)
  }

  #begin(): void {
    this.#nullBitmap = new Uint8Array(bitBytes(BATCH_ROWS))
    if (this.kind === 'number') this.#numbers = new Float64Array(BATCH_ROWS)
    else if (this.kind === 'boolean') this.#flags = new Uint8Array(bitBytes(BATCH_ROWS))
    else this.#lengths = new Int32Array(BATCH_ROWS + 1)
  }

  #addText(row: number, text: Uint8Array): void {
    const end = this.#textBytes + text.length
    if (end > this.#texts.length) {
      const longer = new Uint8Array(Math.max(2 * end, BATCH_ROWS))
      longer.set(this.#texts.subarray(0, this.#textBytes))
      this.#texts = longer
    }
    for (let i = 0; i < text.length; i++) this.#texts[this.#textBytes + i] = text[i]!
    this.#lengths[row + 1] = text.length
    this.#textBytes = end
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

/** Columns, and rows in the order of their vertices. */
interface RowSource {
  readonly columns: readonly (NamedKind & { readonly isDropped?: boolean })[]
  sorted(): Iterable<SpilledRow>
}

/** null for the vertices between. */
function* ofEveryVertex(rows: Iterable<SpilledRow>, vertices: number): Generator<SpilledRow | null> {
  let next = 0
  for (const row of rows) {
    for (; next < row.u; next++) yield null
    next++
    yield row
  }
  for (; next < vertices; next++) yield null
}

/** What a table is written with. */
interface TableWork {
  readonly scheduler: YieldScheduler
  readonly memoryBytes: number
}

/** A row for every vertex, in the order of their ids. @param seen gets each row */
export function writeVertexTable(
  folder: string,
  spill: RowSource,
  vertices: number,
  { scheduler, memoryBytes }: TableWork,
  seen: (row: SpilledRow | null) => void,
): Promise<AttributeColumn[]> {
  const rows = function* () {
    for (const row of ofEveryVertex(spill.sorted(), vertices)) {
      seen(row)
      yield row
    }
  }
  const progress = { phase: 'attributes', total: vertices, unit: 'vertices' } as const
  const pause = (done: number): Promise<void> => scheduler.yield({ ...progress, done })
  return writeTable(join(folder, VERTEX_TABLE), spill, [], rows(), { pause, memoryBytes })
}

/** A row for every edge that has attributes, by its two vertices. */
export function writeEdgeTable(
  folder: string,
  spill: AttributeSpill,
  { scheduler, memoryBytes }: TableWork,
): Promise<AttributeColumn[]> {
  const progress = { phase: 'attributes', total: spill.rows, unit: 'lines' } as const
  const pause = (done: number): Promise<void> => scheduler.yield({ ...progress, done })
  return writeTable(join(folder, EDGE_TABLE), spill, EDGE_KEYS, spill.sorted(), { pause, memoryBytes })
}

/** Gathers rows to batches of an Arrow file. @param rows null: a vertex of which nothing is known */
async function writeTable(
  path: string,
  spill: RowSource,
  keyNames: readonly string[],
  rows: Iterable<SpilledRow | null>,
  { pause, memoryBytes }: { readonly pause: (done: number) => Promise<void>; readonly memoryBytes: number },
): Promise<AttributeColumn[]> {
  const places = spill.columns.flatMap(({ isDropped }, i) => (isDropped ? [] : [i]))
  const columns = places.map((i) => ({ name: spill.columns[i]!.name, kind: spill.columns[i]!.kind, filled: 0 }))
  const byPlace = new Map(places.map((place, i) => [place, i]))
  const fields = [
    ...keyNames.map((name) => new Field(name, KEY, false)),
    ...columns.map(({ name, kind }) => new Field(name, typeOf[kind], true, new Map([['kind', kind]]))),
  ]
  const keys = keyNames.map(() => new Uint32Array(BATCH_ROWS))
  const cells = columns.map(({ kind }) => new BatchColumn(kind))
  const empty = emptyColumns()
  const writer = new ArrowWriter(fields)
  await writeSummed(path, async (file) => {
    let [done, inBatch, textBytes] = [0, 0, 0]
    const flush = (): void => {
      const ids = keys.map((key) => makeData({ type: KEY, length: inBatch, nullCount: 0, data: key.slice(0, inBatch) }))
      const batch = [...ids, ...cells.map((column) => column.take(inBatch, empty))]
      file.write(writer.batch(batch, inBatch))
      done += inBatch
      inBatch = textBytes = 0
    }
    for (const row of rows) {
      for (const [i, key] of keys.entries()) key[inBatch] = (i === 0 ? row?.u : row?.v) ?? 0
      for (const [place, cell] of row?.cells ?? []) {
        const at = byPlace.get(place)
        const value = at === undefined ? null : valueAs(columns[at]!.kind, cell)
        if (at === undefined || value === null) continue
        columns[at]!.filled++
        cells[at]!.add(inBatch, value)
        if (value instanceof Uint8Array) textBytes += value.length
      }
      if (textBytes > BATCH_SHARE * memoryBytes) throw textsTooLarge(textBytes, memoryBytes)
      if (++inBatch < BATCH_ROWS) continue
      flush()
      await pause(done)
    }
    if (inBatch > 0) flush()
    file.write(writer.finish())
  })
  return columns
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

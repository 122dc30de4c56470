import { join } from 'node:path'
import { Bool, type Data, Field, Float64, makeData, Uint32, Utf8 } from 'apache-arrow'
import type { AttributeColumn, AttributeKind, AttributeValue } from '../../contract/jobs.ts'
import { BATCH_ROWS, EDGE_KEYS, EDGE_TABLE, type NamedKind, VERTEX_TABLE } from '../../graph/attribute-table.ts'
import { ArrowWriter } from '../../graph/arrow-writer.ts'
import type { YieldScheduler } from '../../threads/yield-scheduler.ts'
import { type FileWriter, writeSummed } from '../write-dataset.ts'
import type { AttributeSpill, SpilledRow } from './attribute-spill.ts'

/** A column of one batch. */
interface BatchColumn {
  set(row: number, value: AttributeValue | undefined): void
  take(rows: number): Data
}

const typeOf = { number: new Float64(), text: new Utf8(), boolean: new Bool() } as const

class Nulls {
  #bits = new Uint8Array(BATCH_ROWS / 8)
  #there = 0

  there(row: number): void {
    this.#bits[row >>> 3]! |= 1 << (row & 7)
    this.#there++
  }

  take(rows: number): { length: number; nullCount: number; nullBitmap: Uint8Array } {
    const taken = { length: rows, nullCount: rows - this.#there, nullBitmap: this.#bits }
    this.#bits = new Uint8Array(BATCH_ROWS / 8)
    this.#there = 0
    return taken
  }
}

class NumberColumn implements BatchColumn {
  readonly #nulls = new Nulls()
  #values = new Float64Array(BATCH_ROWS)

  set(row: number, value: AttributeValue | undefined): void {
    if (typeof value !== 'number') return
    this.#nulls.there(row)
    this.#values[row] = value
  }

  take(rows: number): Data {
    const data = this.#values.slice(0, rows)
    this.#values = new Float64Array(BATCH_ROWS)
    return makeData({ type: typeOf.number, ...this.#nulls.take(rows), data })
  }
}

class BooleanColumn implements BatchColumn {
  readonly #nulls = new Nulls()
  #bits = new Uint8Array(BATCH_ROWS / 8)

  set(row: number, value: AttributeValue | undefined): void {
    if (typeof value !== 'boolean') return
    this.#nulls.there(row)
    if (value) this.#bits[row >>> 3]! |= 1 << (row & 7)
  }

  take(rows: number): Data {
    const data = this.#bits
    this.#bits = new Uint8Array(BATCH_ROWS / 8)
    return makeData({ type: typeOf.boolean, ...this.#nulls.take(rows), data })
  }
}

class TextColumn implements BatchColumn {
  readonly #nulls = new Nulls()
  #texts: (string | undefined)[] = []

  set(row: number, value: AttributeValue | undefined): void {
    if (value === null || value === undefined) return
    this.#nulls.there(row)
    this.#texts[row] = String(value)
  }

  take(rows: number): Data {
    const parts = Array.from({ length: rows }, (_, row) => Buffer.from(this.#texts[row] ?? ''))
    const valueOffsets = new Int32Array(rows + 1)
    parts.forEach((part, row) => (valueOffsets[row + 1] = valueOffsets[row]! + part.length))
    this.#texts = []
    return makeData({ type: typeOf.text, ...this.#nulls.take(rows), valueOffsets, data: Buffer.concat(parts) })
  }
}

const columnOf = (kind: AttributeKind): BatchColumn =>
  kind === 'number' ? new NumberColumn() : kind === 'boolean' ? new BooleanColumn() : new TextColumn()

/** Columns, and rows in the order of their vertices. */
export interface RowSource {
  readonly columns: readonly (NamedKind & { readonly isDropped?: boolean })[]
  sorted(): Iterable<SpilledRow>
}

/** Gathers rows to batches of an Arrow file. */
class TableWriter {
  readonly columns: readonly { readonly name: string; readonly kind: AttributeKind }[]
  readonly filled: number[]
  /** Of the columns among those that were spilled. */
  readonly #places: readonly number[]
  readonly #keys: Uint32Array[]
  readonly #columns: readonly BatchColumn[]
  readonly #writer: ArrowWriter
  readonly #file: FileWriter
  #rows = 0

  constructor(file: FileWriter, spill: RowSource, keys: readonly string[]) {
    this.#file = file
    this.#places = spill.columns.flatMap(({ isDropped }, i) => (isDropped ? [] : [i]))
    this.columns = this.#places.map((i) => ({ name: spill.columns[i]!.name, kind: spill.columns[i]!.kind }))
    this.filled = this.columns.map(() => 0)
    this.#columns = this.columns.map(({ kind }) => columnOf(kind))
    this.#keys = keys.map(() => new Uint32Array(BATCH_ROWS))
    this.#writer = new ArrowWriter([
      ...keys.map((name) => new Field(name, new Uint32(), false)),
      ...this.columns.map(({ name, kind }) => new Field(name, typeOf[kind], true, new Map([['kind', kind]]))),
    ])
  }

  /** null: a vertex of which nothing is known. */
  add(row: SpilledRow | null): void {
    const at = this.#rows++
    if (row !== null) {
      const { u, v, cells } = row
      this.#keys.forEach((key, i) => (key[at] = i === 0 ? u : v))
      for (const [i, column] of this.#columns.entries()) {
        const value = cells[this.#places[i]!]
        column.set(at, value)
        if (value !== undefined && value !== null) this.filled[i]!++
      }
    }
    if (this.#rows === BATCH_ROWS) this.#flush()
  }

  finish(): AttributeColumn[] {
    if (this.#rows > 0) this.#flush()
    this.#file.write(this.#writer.finish())
    return this.columns.map((column, i) => ({ ...column, filled: this.filled[i]! }))
  }

  #flush(): void {
    const rows = this.#rows
    const keys = this.#keys.map((key) =>
      makeData({ type: new Uint32(), length: rows, nullCount: 0, data: key.slice(0, rows) }),
    )
    this.#file.write(this.#writer.batch([...keys, ...this.#columns.map((column) => column.take(rows))], rows))
    this.#rows = 0
  }
}

/** A row for every vertex, in the order of their ids. @param seen gets each row */
export async function writeVertexTable(
  folder: string,
  spill: RowSource,
  vertices: number,
  scheduler: YieldScheduler,
  seen: (row: SpilledRow | null) => void,
): Promise<AttributeColumn[]> {
  let columns: AttributeColumn[] = []
  await writeSummed(join(folder, VERTEX_TABLE), async (file) => {
    const table = new TableWriter(file, spill, [])
    const add = (row: SpilledRow | null): void => {
      table.add(row)
      seen(row)
    }
    let next = 0
    for (const row of spill.sorted()) {
      while (next < row.u) {
        add(null)
        if (++next % BATCH_ROWS === 0) await pause(next)
      }
      add(row)
      if (++next % BATCH_ROWS === 0) await pause(next)
    }
    for (; next < vertices; next++) add(null)
    columns = table.finish()
  })
  return columns

  function pause(done: number): Promise<void> {
    return scheduler.yield({ phase: 'attributes', done, total: vertices, unit: 'vertices' })
  }
}

/** A row for every edge that has attributes, by its two vertices. */
export async function writeEdgeTable(
  folder: string,
  spill: AttributeSpill,
  scheduler: YieldScheduler,
): Promise<AttributeColumn[]> {
  let columns: AttributeColumn[] = []
  await writeSummed(join(folder, EDGE_TABLE), async (file) => {
    const table = new TableWriter(file, spill, EDGE_KEYS)
    let done = 0
    for (const row of spill.sorted()) {
      table.add(row)
      if (++done % BATCH_ROWS === 0)
        await scheduler.yield({ phase: 'attributes', done, total: spill.rows, unit: 'lines' })
    }
    columns = table.finish()
  })
  return columns
}

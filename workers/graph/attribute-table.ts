/**
 * Attributes of vertices and edges in Arrow IPC files beside the labels: a row for each vertex by internal id; of edges (u, v) with u < v,
 * ascending, those with any. Rows are read by batches of 8,192, whose checksums are compared, and the last batch is kept. The library for Arrow
 * is loaded with the first table. arrow-writer.ts writes them, attribute-filter.ts asks for columns.
 */

import { join } from 'node:path'
import type { RecordBatch, RecordBatchReader, Vector } from 'apache-arrow'
import { type CheckedFile, type DamageWords, openSideFile } from '../base/checked-file.ts'
import { lowerBound } from '../base/ranges.ts'
import type { AttributeColumn, AttributeKind, AttributeValue } from '../contract/jobs.ts'

/** Arrow IPC files beside the labels. Of the vertices a row each, by internal id; of edges (u, v) with u < v, ascending, those with any. */
export const VERTEX_TABLE = 'vertices.arrow'
export const EDGE_TABLE = 'edges.arrow'
/** Rows of a record batch: a row is read with its batch. */
export const BATCH_ROWS = 1 << 13
/** The columns in front of the attributes of an edge. */
export const EDGE_KEYS = ['u', 'v'] as const

const DAMAGE: DamageWords = { what: 'the table of attributes is damaged', remedy: 'Import the graph again.' }
const MAGIC = 'ARROW1'
const HEAD_BYTES = 8
const TAIL_BYTES = 10
const END_OF_STREAM = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0)
/** Batches that stay decoded. */
const MOST_KEPT = 8

export type NamedKind = Pick<AttributeColumn, 'name' | 'kind'>

interface Batch {
  readonly rows: number
  readonly columns: readonly (Vector | null)[]
}

/** Attributes by row, read a batch at a time; the checksums of what is read are compared. */
export class AttributeTable {
  readonly columns: readonly NamedKind[]
  readonly rows: number
  readonly #file: CheckedFile
  readonly #layout: Layout
  readonly #keys: number
  readonly #kept = new Map<number, Batch>()
  /** The first row that was not before the last edge asked for. */
  #low = 0

  private constructor(file: CheckedFile, keys: number, layout: Layout) {
    this.#file = file
    this.#keys = keys
    this.#layout = layout
    this.columns = layout.columns.slice(keys)
    const last = layout.footer.numRecordBatches - 1
    this.rows = last < 0 ? 0 : last * BATCH_ROWS + this.#batch(last).rows
  }

  /** null where there is none. @param name {@link VERTEX_TABLE} or {@link EDGE_TABLE} @throws Failure (input) when it is damaged */
  static async open(folder: string, name: string): Promise<AttributeTable | null> {
    const file = openSideFile(join(folder, name), DAMAGE)
    if (file === null) return null
    try {
      return new AttributeTable(file, name === EDGE_TABLE ? EDGE_KEYS.length : 0, await layoutOf(file))
    } catch (error) {
      file.close()
      throw error instanceof RangeError ? file.damaged() : error
    }
  }

  column(name: string): number {
    return this.columns.findIndex((column) => column.name === name)
  }

  /** The values of a row, in the order of {@link columns}. */
  row(row: number): AttributeValue[] {
    const batch = this.#batch(Math.floor(row / BATCH_ROWS))
    return this.columns.map((_, i) => valueAt(batch.columns[this.#keys + i], row % BATCH_ROWS))
  }

  /** Values of some columns, a row at a time: the array is the same each time. */
  *tuples(wanted: readonly number[]): Generator<readonly AttributeValue[]> {
    const tuple: AttributeValue[] = wanted.map(() => null)
    for (let b = 0; b < this.#layout.footer.numRecordBatches; b++) {
      const { columns, rows } = this.#read(b)
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < wanted.length; j++) tuple[j] = valueAt(columns[this.#keys + wanted[j]!], i)
        yield tuple
      }
    }
  }

  /** The row of the edge of two vertices, or -1; edges in ascending order are found at once. */
  rowOfEdge(a: number, b: number): number {
    const [u, v] = a < b ? [a, b] : [b, a]
    const isBefore = (row: number): boolean => {
      const [x, y] = this.#keysOf(row)
      return x < u || (x === u && y < v)
    }
    const isLow = (row: number): boolean => (row === 0 || isBefore(row - 1)) && (row === this.rows || !isBefore(row))
    if (this.#low < this.rows && !isLow(this.#low)) this.#low++
    if (!isLow(this.#low)) this.#low = lowerBound(0, this.rows, isBefore)
    if (this.#low >= this.rows) return -1
    const [x, y] = this.#keysOf(this.#low)
    return x === u && y === v ? this.#low : -1
  }

  #keysOf(row: number): [number, number] {
    const { columns } = this.#batch(Math.floor(row / BATCH_ROWS))
    return [Number(columns[0]?.get(row % BATCH_ROWS)), Number(columns[1]?.get(row % BATCH_ROWS))]
  }

  #batch(index: number): Batch {
    const known = this.#kept.get(index)
    if (known !== undefined) return known
    const batch = this.#read(index)
    if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(index, batch)
    return batch
  }

  #read(index: number): Batch {
    const block = this.#layout.footer.getRecordBatch(index)
    if (block === null) throw this.#file.damaged(`it has no batch ${index}`)
    const message = this.#file.read(block.offset, block.metaDataLength + block.bodyLength)
    const batch = this.#layout.decode(message)
    if (batch === null) throw this.#file.damaged(`its batch ${index} cannot be read`)
    return { rows: batch.numRows, columns: batch.schema.fields.map((_, i) => batch.getChildAt(i)) }
  }

  close(): void {
    this.#file.close()
  }
}

const valueAt = (column: Vector | null | undefined, row: number): AttributeValue =>
  (column?.get(row) as AttributeValue | undefined) ?? null

interface Layout {
  readonly columns: readonly NamedKind[]
  readonly footer: NonNullable<RecordBatchReader['footer']>
  /** Decodes the message of a batch; null: it has none. */
  decode(message: Uint8Array): RecordBatch | null
}

/** The layout of a file by its footer. @throws Failure (input) */
async function layoutOf(file: CheckedFile): Promise<Layout> {
  const tail = file.read(Math.max(0, file.bytes - TAIL_BYTES), Math.min(TAIL_BYTES, file.bytes))
  const footerBytes = tail.length < TAIL_BYTES ? 0 : tail.readInt32LE(0)
  const start = file.bytes - TAIL_BYTES - footerBytes
  if (tail.toString('latin1', 4) !== MAGIC || footerBytes <= 0 || start < HEAD_BYTES) throw file.damaged()
  const { RecordBatchReader } = await import('apache-arrow')
  const { schemaMessage } = await import('./arrow-writer.ts')
  // The library reads a footer where there are no batches before it.
  const bare = Buffer.concat([file.read(0, HEAD_BYTES), file.read(start, footerBytes + TAIL_BYTES)])
  const { schema, footer } = RecordBatchReader.from(bare).open()
  if (footer === null) throw file.damaged()
  const head = schemaMessage(schema)
  return {
    footer,
    columns: schema.fields.map(({ name, metadata }) => ({
      name,
      kind: (metadata.get('kind') ?? 'text') as AttributeKind,
    })),
    decode: (message) =>
      RecordBatchReader.from(Buffer.concat([head, message, END_OF_STREAM])).next().value as RecordBatch | null,
  }
}

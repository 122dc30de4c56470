import { type FileHandle, open } from 'node:fs/promises'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  Binary,
  compressionRegistry,
  CompressionType,
  type Data,
  DataType,
  LargeBinary,
  type RecordBatch,
  RecordBatchReader,
  Vector,
} from 'apache-arrow'
import { ByteBuffer } from 'flatbuffers'
import type { Cell, RowPiece, WholeFormat } from './graph-format.ts'
import { chooseColumns } from './column-choice.ts'
import { ColumnEntries, textOfCell } from './column-entries.ts'
import { DamagedFile, damagedOr, damagedOrNow, type StoredFile } from './stored-file.ts'
import { requireMemoryFor } from '../graph-reader.ts'

const PUMP_ROWS = 1 << 16

guardFlatBuffers()
compressionRegistry.set(CompressionType.ZSTD, { encode: zstdCompressSync, decode: zstdDecompressSync })

/** Arrow IPC, file or stream: an edge a row, a record batch at a time. */
export const readArrow: WholeFormat['read'] = async (file, context) => {
  const handle = await open(file.path)
  try {
    const { reader, names } = await openArrow(handle)
    const choice = chooseColumns(file.name, names, names.length, context.table ?? {}, context.ignoreWeights)
    const entries = new ColumnEntries(file.name, context, choice, names)
    const count = reader.isFile() ? damagedOrNow(() => reader.numRecordBatches) : 0
    if (count > 0)
      requireMemoryFor(context, file.bytes / count, 'a record batch', 'Write it with smaller record batches')
    let row = 0
    let done = 0
    for await (const batch of batchesOf(reader)) {
      const columns = damagedOrNow(() => names.map((_, i) => columnOf(batch.getChildAt(i))))
      const batchBytes = count > 0 ? file.bytes / count : batch.data.byteLength
      const pump = (rows: number) => context.pump(Math.min(file.bytes, done + (batchBytes * rows) / batch.numRows))
      for (let i = 0; i < batch.numRows; i++) {
        entries.add(++row, (column) => damagedOrNow(() => columns[column]?.get(i)))
        if (i % PUMP_ROWS === PUMP_ROWS - 1) await pump(i + 1)
      }
      await pump(batch.numRows)
      done += batchBytes
    }
    return entries.finish()
  } finally {
    await handle.close()
  }
}

/** Of the first batch. @throws DamagedFile */
export async function firstArrowRows(file: StoredFile, most: number): Promise<{ names: string[]; rows: string[][] }> {
  const handle = await open(file.path)
  try {
    const { reader, names } = await openArrow(handle)
    for await (const batch of batchesOf(reader)) {
      const columns = damagedOrNow(() => names.map((_, i) => columnOf(batch.getChildAt(i))))
      const rows = Array.from({ length: Math.min(most, batch.numRows) }, (_, row) =>
        columns.map((column) => textOfCell(damagedOrNow(() => column.get(row)))),
      )
      return { names, rows }
    }
    return { names, rows: [] }
  } finally {
    await handle.close()
  }
}

/** @throws DamagedFile */
export async function* arrowRows(file: StoredFile): AsyncGenerator<RowPiece> {
  const handle = await open(file.path)
  try {
    const { reader, names } = await openArrow(handle)
    yield { names, rows: [] }
    for await (const batch of batchesOf(reader)) {
      const columns = damagedOrNow(() => names.map((_, i) => columnOf(batch.getChildAt(i))))
      for (let first = 0; first < batch.numRows; first += PUMP_ROWS) {
        const length = Math.min(PUMP_ROWS, batch.numRows - first)
        const rowAt = (row: number): Cell[] => columns.map((column) => damagedOrNow(() => column.get(row)))
        yield { names, rows: Array.from({ length }, (_, i) => rowAt(first + i)) }
      }
    }
  } finally {
    await handle.close()
  }
}

function openArrow(handle: FileHandle): Promise<{ reader: RecordBatchReader; names: string[] }> {
  return damagedOr(async () => {
    const reader = await (await RecordBatchReader.from(handle)).open()
    // A file that ends before its schema has none.
    const { fields } = (reader.schema as typeof reader.schema | undefined) ?? { fields: null }
    if (fields === null) throw new Error('there is no schema in it')
    return { reader, names: fields.map(({ name }, i) => String(name ?? i + 1)) }
  })
}

interface Column {
  get(row: number): Cell
}

/** Texts come as bytes: a decoder would make one letter of all that is not UTF-8. */
function columnOf(vector: Vector | null): Column {
  if (vector === null) return { get: () => null }
  const { type, data } = vector
  if (DataType.isUtf8(type)) return new Vector(data.map((part: Data) => part.clone(new Binary()))) as Column
  if (DataType.isLargeUtf8(type)) return new Vector(data.map((part: Data) => part.clone(new LargeBinary()))) as Column
  const [only] = data as readonly Data[]
  if (!DataType.isDictionary(type) || only === undefined) return vector as Column
  const words = columnOf(only.dictionary ?? null)
  const indices = only.values as ArrayLike<number | bigint>
  return { get: (row) => (only.getValid(row) ? words.get(Number(indices[row])) : null) }
}

/** Those of a file by number: the library's iterator never ends where a block of the footer leads to no message. */
async function* batchesOf(reader: RecordBatchReader): AsyncGenerator<RecordBatch> {
  if (reader.isFile()) {
    const count = damagedOrNow(() => reader.numRecordBatches)
    for (let i = 0; i < count; i++) {
      const batch = await damagedOr(() => reader.readRecordBatch(i))
      if (batch === null) throw new DamagedFile(new Error(`record batch ${i + 1} is not where the footer says`))
      yield batch
    }
    return
  }
  const batches = reader[Symbol.asyncIterator]()
  for (;;) {
    const { value, done } = await damagedOr(() => batches.next())
    if (done === true) return
    yield value as RecordBatch
  }
}

/**
 * The JavaScript reader of FlatBuffers believes every length: one flipped bit makes a list of two billion entries. No list is
 * longer than
 * the bytes that hold it. Safe to call more than once.
 */
function guardFlatBuffers(): void {
  const prototype = ByteBuffer.prototype as ByteBuffer & { guarded?: true }
  if (prototype.guarded === true) return
  const lengthAt = prototype.__vector_len
  prototype.__vector_len = function (this: ByteBuffer, offset: number): number {
    const length = lengthAt.call(this, offset)
    if (length >= 0 && length <= this.capacity()) return length
    throw new RangeError(`a list of ${length} entries in metadata of ${this.capacity()} bytes`)
  }
  prototype.guarded = true
}

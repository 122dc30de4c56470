import { open } from 'node:fs/promises'
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
import { rangesOf } from '../../base/ranges.ts'
import { type Cell, type ColumnFile, PIECE_ROWS } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'
import { type ReaderContext, requireMemoryFor } from '../reader/graph-reader.ts'

guardFlatBuffers()
/** Bytes of a buffer that is unpacked: a small file can claim any size. */
const MOST_BUFFER_BYTES = 512 << 20
compressionRegistry.set(CompressionType.ZSTD, {
  encode: zstdCompressSync,
  decode: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: MOST_BUFFER_BYTES }),
})

/** Arrow IPC, file or stream, a record batch at a time. @throws Failure (input) */
export async function openArrow(file: StoredFile): Promise<ColumnFile> {
  const handle = await open(file.path)
  try {
    const reader = await file.sound('the schema, which says what columns there are,', async () =>
      (await RecordBatchReader.from(handle)).open(),
    )
    // A file that ends before its schema has none.
    const { fields } = (reader.schema as typeof reader.schema | undefined) ?? { fields: null }
    if (fields === null) throw file.damaged('there is no schema in it')
    const names = file.soundNow('the list of columns', () => fields.map(({ name }, i) => String(name ?? i + 1)))
    return { names, rows: (_wanted, { context }) => rowsOf(file, reader, names, context), close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function* rowsOf(
  file: StoredFile,
  reader: RecordBatchReader,
  names: readonly string[],
  context: ReaderContext | undefined,
) {
  const count = reader.isFile() ? batchesIn(file, reader) : 0
  if (count > 0 && context !== undefined)
    requireMemoryFor(context, file.bytes / count, 'a record batch', 'Write it with smaller record batches')
  let done = 0
  for await (const batch of batchesOf(file, reader)) {
    requireCells(file, batch)
    const columns = file.soundNow('a record batch', () => names.map((_, i) => columnOf(batch.getChildAt(i))))
    const batchBytes = count > 0 ? file.bytes / count : batch.data.byteLength
    for (const { first, end } of rangesOf(batch.numRows, PIECE_ROWS)) {
      const at = (column: number, row: number): Cell =>
        file.soundNow(`the column "${names[column]}"`, () => columns[column]?.get(first + row))
      const readBytes = Math.min(file.bytes, done + (batchBytes * end) / batch.numRows)
      yield { count: end - first, readBytes, at }
    }
    done += batchBytes
  }
}

/** A row has some bits in its batch, or its batch does not end. */
const LEAST_ROW_BYTES = 1 / 8

/** The library believes any number of rows. @throws Failure (input) */
function requireCells(file: StoredFile, batch: RecordBatch): void {
  const { numRows } = batch
  const bytes = file.soundNow('a record batch', () => batch.data.byteLength)
  const areSame = batch.data.children.every(({ length }) => length === numRows)
  if (!areSame || !(numRows >= 0 && numRows * LEAST_ROW_BYTES <= Math.max(bytes, 1)))
    throw file.damaged(`a record batch claims ${numRows} rows, and has ${bytes} bytes`)
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

const batchesIn = (file: StoredFile, reader: RecordBatchReader): number =>
  file.soundNow('the footer, which lists the record batches,', () => reader.numRecordBatches)

/** Those of a file by number: the library's iterator never ends where a block of the footer leads to no message. */
async function* batchesOf(file: StoredFile, reader: RecordBatchReader): AsyncGenerator<RecordBatch> {
  if (reader.isFile()) {
    const count = batchesIn(file, reader)
    for (let i = 0; i < count; i++) {
      const batch = await file.sound(`record batch ${i + 1}`, () => reader.readRecordBatch(i))
      if (batch === null) throw file.damaged(`record batch ${i + 1} is not where the footer says`)
      yield batch
    }
    return
  }
  const batches = reader[Symbol.asyncIterator]()
  for (let number = 1; ; number++) {
    const { value, done } = await file.sound(`record batch ${number}`, () => batches.next())
    if (done === true) return
    yield value as RecordBatch
  }
}

/**
 * The JavaScript reader of FlatBuffers believes every length: one flipped bit makes a list of two billion entries. No
 * list is longer than the bytes that hold it. Safe to call more than once.
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

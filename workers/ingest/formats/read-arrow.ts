import { compressionRegistry, CompressionType, type RecordBatch, RecordBatchReader } from 'apache-arrow'
import { open } from 'node:fs/promises'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { BinaryReader } from './binary-reader.ts'
import { chooseColumns } from './column-choice.ts'
import { type Cell, ColumnEntries } from './column-entries.ts'
import { DamagedFile, damagedOr, damagedOrNow } from './damaged-file.ts'
import { guardFlatBuffers } from './guard-flatbuffers.ts'
import type { StoredFile } from './stored-file.ts'

const PUMP_ROWS = 1 << 16

guardFlatBuffers()
compressionRegistry.set(CompressionType.ZSTD, { encode: zstdCompressSync, decode: zstdDecompressSync })

/** Arrow IPC, file or stream: one edge a row, in columns of whole numbers or text, read a record batch at a time. */
export const readArrow: BinaryReader = async (file, context) => {
  const handle = await open(file.path)
  try {
    const reader = await damagedOr(async () => (await RecordBatchReader.from(handle)).open())
    const names = reader.schema.fields.map(({ name }, i) => String(name ?? i + 1))
    const choice = chooseColumns(file.name, names, names.length, context.table ?? {}, context.ignoreWeights)
    const entries = new ColumnEntries(file.name, context, choice, names)
    let row = 0
    for await (const batch of batchesOf(reader)) {
      const columns = damagedOrNow(() => names.map((_, i) => batch.getChildAt(i)))
      for (let i = 0; i < batch.numRows; i++) {
        entries.add(++row, (column) => damagedOrNow(() => columns[column]?.get(i) as Cell))
        if (i % PUMP_ROWS === PUMP_ROWS - 1) await context.pump(0)
      }
      await context.pump(0)
    }
    return entries.finish()
  } finally {
    await handle.close()
  }
}

/** Names of all columns, and the first rows of the first batch as texts. @throws DamagedFile */
export async function firstArrowRows(file: StoredFile, most: number): Promise<{ names: string[]; rows: string[][] }> {
  const handle = await open(file.path)
  try {
    const reader = await damagedOr(async () => (await RecordBatchReader.from(handle)).open())
    const names = reader.schema.fields.map(({ name }, i) => String(name ?? i + 1))
    for await (const batch of batchesOf(reader)) {
      const count = Math.min(most, batch.numRows)
      const cell = (row: number, column: number): Cell => damagedOrNow(() => batch.getChildAt(column)?.get(row) as Cell)
      const rows = Array.from({ length: count }, (_, row) =>
        names.map((_name, column) => String(cell(row, column) ?? '')),
      )
      return { names, rows }
    }
    return { names, rows: [] }
  } finally {
    await handle.close()
  }
}

/**
 * The record batches. Those of a file are asked for by number: the library's own iterator never ends where a block of the
 * footer leads to a message that is none.
 */
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

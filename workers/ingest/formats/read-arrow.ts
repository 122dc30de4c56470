import { compressionRegistry, CompressionType, type RecordBatch, RecordBatchReader } from 'apache-arrow'
import { open } from 'node:fs/promises'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { BinaryReader } from './binary-reader.ts'
import { chooseColumns } from './column-choice.ts'
import { type Cell, ColumnEntries } from './column-entries.ts'
import { damagedOr } from './damaged-file.ts'

const PUMP_ROWS = 1 << 16

compressionRegistry.set(CompressionType.ZSTD, { encode: zstdCompressSync, decode: zstdDecompressSync })

/** Arrow IPC, file or stream: one edge a row, in columns of whole numbers or text, read a record batch at a time. */
export const readArrow: BinaryReader = async (file, context) => {
  const handle = await open(file.path)
  try {
    const reader = await damagedOr(async () => (await RecordBatchReader.from(handle)).open())
    const names = reader.schema.fields.map(({ name }) => name)
    const choice = chooseColumns(file.name, names, names.length, context.table ?? {}, context.ignoreWeights)
    const entries = new ColumnEntries(file.name, context, choice, names)
    let row = 0
    const batches = reader[Symbol.asyncIterator]() as AsyncIterator<RecordBatch>
    for (;;) {
      const { value: batch, done } = await damagedOr(() => batches.next())
      if (done === true || batch === undefined) return entries.finish()
      const columns = names.map((_, i) => batch.getChildAt(i))
      for (let i = 0; i < batch.numRows; i++) {
        entries.add(++row, (column) => columns[column]?.get(i) as Cell)
        if (i % PUMP_ROWS === PUMP_ROWS - 1) await context.pump(0)
      }
      await context.pump(0)
    }
  } finally {
    await handle.close()
  }
}

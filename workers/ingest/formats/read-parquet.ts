import { parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet'
import type { AsyncBuffer, ColumnData, FileMetaData } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { inputFailure } from '../../failure.ts'
import type { BinaryReader } from './binary-reader.ts'
import { chooseColumns, type ColumnChoice } from './column-choice.ts'
import { type Cell, ColumnEntries } from './column-entries.ts'
import { damagedOr } from './damaged-file.ts'
import type { StoredFile } from './stored-file.ts'

const PUMP_ROWS = 1 << 16
/** A row group is decoded at once; more rows than this in one are not believed. */
const MAX_GROUP_ROWS = 2 ** 27

/** Parquet: one edge a row, in flat columns of whole numbers or text, read a row group at a time. */
export const readParquet: BinaryReader = async (file, context) => {
  const buffer = asyncBuffer(file)
  const metadata = await damagedOr(() => parquetMetadataAsync(buffer))
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  const choice = chooseColumns(file.name, names, names.length, context.table ?? {}, context.ignoreWeights)
  const entries = new ColumnEntries(file.name, context, choice, names)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    if (!(rows >= 0 && rows <= MAX_GROUP_ROWS))
      throw inputFailure(file.name, `a row group claims ${rows} rows`, 'Is the file damaged?')
    const columns = await readRows(buffer, metadata, names, columnsOf(choice), rowStart, rowStart + rows)
    for (let i = 0; i < rows; i++) {
      entries.add(rowStart + i + 1, (column) => columns.get(column)?.[i])
      if (i % PUMP_ROWS === PUMP_ROWS - 1) await context.pump(file.bytes * (rowStart / Number(metadata.num_rows)))
    }
    rowStart += rows
    await context.pump(file.bytes * (rowStart / Number(metadata.num_rows)))
  }
  return entries.finish()
}

/** Names of all columns, and the first rows of all columns as texts. @throws DamagedFile */
export async function firstParquetRows(file: StoredFile, most: number): Promise<{ names: string[]; rows: string[][] }> {
  const buffer = asyncBuffer(file)
  const metadata = await damagedOr(() => parquetMetadataAsync(buffer))
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  const count = Math.min(most, Number(metadata.row_groups[0]?.num_rows ?? 0))
  const all = [...names.keys()]
  const columns = await readRows(buffer, metadata, names, all, 0, count)
  const rows = Array.from({ length: count }, (_, i) => all.map((column) => String(columns.get(column)?.[i] ?? '')))
  return { names, rows }
}

/** Positions of the columns that are read, each once. */
function columnsOf({ source, target, weight, where }: ColumnChoice): number[] {
  return [...new Set([source, target, ...(weight === null ? [] : [weight]), ...(where === null ? [] : [where.column])])]
}

/** Some rows of some columns, by their positions. */
async function readRows(
  file: AsyncBuffer,
  metadata: FileMetaData,
  names: readonly string[],
  wanted: readonly number[],
  rowStart: number,
  rowEnd: number,
): Promise<ReadonlyMap<number, ArrayLike<Cell>>> {
  const chunks = new Map<string, ColumnData[]>()
  await damagedOr(() =>
    parquetRead({
      file,
      metadata,
      columns: wanted.map((column) => names[column]!),
      rowStart,
      rowEnd,
      compressors,
      onChunk: (chunk) => chunks.set(chunk.columnName, [...(chunks.get(chunk.columnName) ?? []), chunk]),
    }),
  )
  return new Map(wanted.map((column) => [column, joined(chunks.get(names[column]!) ?? [], rowStart, rowEnd)]))
}

function joined(chunks: readonly ColumnData[], rowStart: number, rowEnd: number): ArrayLike<Cell> {
  const only = chunks[0]
  if (chunks.length === 1 && only?.rowStart === rowStart && only.columnData.length === rowEnd - rowStart)
    return only.columnData as ArrayLike<Cell>
  const cells: Cell[] = []
  for (const chunk of chunks)
    for (let i = 0; i < chunk.columnData.length; i++) cells[chunk.rowStart - rowStart + i] = chunk.columnData[i] as Cell
  return cells
}

function asyncBuffer(file: StoredFile): AsyncBuffer {
  return {
    byteLength: file.bytes,
    slice: (start, end = file.bytes) => {
      const from = start < 0 ? Math.max(0, file.bytes + start) : start
      return file.read(from, Math.max(0, end - from)).buffer
    },
  }
}

import {
  type AsyncBuffer,
  type ColumnData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type RowGroup,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { inputFailure, OTHER_COLUMNS } from '../../base/failure.ts'
import { excerpt } from '../weight-policy.ts'
import type { Cell, RowPiece, WholeFormat } from './graph-format.ts'
import { chooseColumns, type ColumnChoice } from './column-choice.ts'
import { ColumnEntries, textOfCell } from './column-entries.ts'
import { damagedOr, type StoredFile } from './stored-file.ts'
import { READER_SHARE, requireMemoryFor } from '../graph-reader.ts'

const PUMP_ROWS = 1 << 16
/** Of a decoded value at most: a 64-bit number is an object. */
const CELL_BYTES = 64
/** A row group is decoded at once. */
const MAX_GROUP_ROWS = 2 ** 27

/** Parquet: an edge a row, in flat columns, a row group at a time. */
export const readParquet: WholeFormat['read'] = async (file, context) => {
  const buffer = asyncBuffer(file)
  const metadata = await damagedOr(() => parquetMetadataAsync(buffer))
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  const choice = chooseColumns(file.name, names, names.length, context.table ?? {}, context.ignoreWeights)
  const entries = new ColumnEntries(file.name, context, choice, names)
  const wanted = columnsOf(choice, context.tap === undefined ? [] : entries.kept)
  requireOneOfEach(file, names, wanted)
  const pump = (row: number) => context.pump(file.bytes * Math.min(1, row / Number(metadata.num_rows)))
  let end = 0
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    if (!(rows >= 0 && rows <= MAX_GROUP_ROWS))
      throw inputFailure(file.name, `a row group claims ${rows} rows`, 'Is the file damaged?')
    requireMemoryFor(context, storedBytes(group, wanted, names), 'a row group', 'Write it with smaller row groups')
    const start = end
    end += rows
    const step = Math.max(PUMP_ROWS, Math.floor((READER_SHARE * context.memoryBytes) / (CELL_BYTES * wanted.length)))
    for (let first = start; first < end; first += step) {
      const last = Math.min(end, first + step)
      const columns = await readRows(buffer, metadata, names, wanted, first, last)
      for (let row = first; row < last; row++) {
        entries.add(row + 1, (column) => columns.get(column)?.[row - first])
        if ((row - first) % PUMP_ROWS === PUMP_ROWS - 1) await pump(row + 1)
      }
      await pump(last)
    }
  }
  return entries.finish()
}

/** @throws Failure (input) where two columns that are read have the same name */
function requireOneOfEach(file: StoredFile, names: readonly string[], wanted: readonly number[]): void {
  const twice = wanted.map((column) => names[column]!).find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (twice !== undefined)
    throw inputFailure(
      file.name,
      `two columns are called "${excerpt(twice)}"`,
      'Give one of them another name.',
      OTHER_COLUMNS,
    )
}

/** Of some columns of a row group, which are read at once. */
function storedBytes({ columns }: RowGroup, wanted: readonly number[], names: readonly string[]): number {
  const paths = new Set(wanted.map((column) => names[column]!))
  return columns
    .filter(({ meta_data }) => paths.has(meta_data?.path_in_schema[0] ?? ''))
    .reduce((sum, { meta_data }) => sum + Number(meta_data?.total_compressed_size ?? 0), 0)
}

/** A decoder would make one letter of all that is not UTF-8. */
const rawTexts = { stringFromBytes: (bytes: Uint8Array): Uint8Array => bytes }

/** @throws DamagedFile */
export async function firstParquetRows(file: StoredFile, most: number): Promise<{ names: string[]; rows: string[][] }> {
  const buffer = asyncBuffer(file)
  const metadata = await damagedOr(() => parquetMetadataAsync(buffer))
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  const count = Math.min(most, Number(metadata.row_groups[0]?.num_rows ?? 0))
  const all = [...names.keys()]
  const columns = await readRows(buffer, metadata, names, all, 0, count)
  const rows = Array.from({ length: count }, (_, i) => all.map((column) => textOfCell(columns.get(column)?.[i])))
  return { names, rows }
}

/** @throws DamagedFile */
export async function* parquetRows(file: StoredFile): AsyncGenerator<RowPiece> {
  const buffer = asyncBuffer(file)
  const metadata = await damagedOr(() => parquetMetadataAsync(buffer))
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  const all = [...names.keys()]
  requireOneOfEach(file, names, all)
  const total = Number(metadata.num_rows)
  for (let first = 0; first < total || first === 0; first += PUMP_ROWS) {
    const last = Math.min(total, first + PUMP_ROWS)
    const columns =
      last === 0 ? new Map<number, ArrayLike<Cell>>() : await readRows(buffer, metadata, names, all, first, last)
    const rows = Array.from({ length: last - first }, (_, i) => all.map((column) => columns.get(column)?.[i]))
    yield { names, rows }
  }
}

/** Each once. */
function columnsOf({ source, target, weight, where }: ColumnChoice, kept: readonly number[]): number[] {
  return [...new Set([source, target, ...(weight === null ? [] : [weight]), ...(where?.columns ?? []), ...kept])]
}

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
      parsers: rawTexts,
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

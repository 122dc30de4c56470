/**
 * Parquet, a row group at a time, through hyparquet: only the columns that are wanted are decoded, a group is refused where it would not fit the
 * memory, and lengths that a damaged file states are compared with the file's own. Rows come as cells of the kinds that the file states.
 * columnar.ts makes entries of them.
 */

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
import { excerpt, inputFailure, OTHER_COLUMNS } from '../../base/failure.ts'
import { rangesOf } from '../../base/ranges.ts'
import { type Cell, type ColumnFile, PIECE_ROWS } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'
import { READER_SHARE, requireMemoryFor } from '../reader/graph-reader.ts'

/** The most bytes of a decoded value: a 64-bit number is an object. */
const CELL_BYTES = 64
/** A row group is decoded at once. */
const MAX_GROUP_ROWS = 2 ** 27
const MAGIC = 'PAR1'
/** The length of the footer, and the magic word. */
const TAIL_BYTES = 8
/** It is decoded at once, to some twenty times its size. */
const MOST_FOOTER_BYTES = 16 << 20
/** A page that is unpacked; writers make pages of about one MiB. */
const MOST_PAGE_BYTES = 256 << 20

/** Parquet, a row group at a time. @throws Failure (input) */
export async function openParquet(file: StoredFile): Promise<ColumnFile> {
  const buffer = asyncBuffer(file)
  requireFooter(file)
  const metadata = await file.sound('the footer, which says what columns there are,', () =>
    parquetMetadataAsync(buffer),
  )
  const names = file.soundNow('the list of columns in the footer', () =>
    parquetSchema(metadata).children.map(({ element }) => element.name),
  )
  // The types of the library promise more than a damaged footer holds.
  if (names.some((name: unknown) => typeof name !== 'string'))
    throw file.damaged('the footer does not name all columns')
  if (metadata.row_groups.length === 0 && Number(metadata.num_rows) > 0)
    throw file.damaged(`the footer promises ${Number(metadata.num_rows)} rows, and lists none`)
  const read = { file, buffer, metadata, names }
  return { names, rows: (wanted, limits) => rowsOf(read, wanted, limits), close: () => {} }
}

/** The reader takes a damaged length for one of the whole file. @throws Failure (input) */
function requireFooter(file: StoredFile): void {
  if (file.bytes < TAIL_BYTES + MAGIC.length) throw file.damaged(`${file.bytes} bytes are too few for a footer`)
  const tail = Buffer.from(file.read(file.bytes - TAIL_BYTES, TAIL_BYTES))
  if (tail.toString('latin1', 4) !== MAGIC) throw file.damaged('it does not end as Parquet does, with PAR1')
  const length = tail.readUInt32LE(0)
  if (length > file.bytes - TAIL_BYTES - MAGIC.length)
    throw file.damaged(`the footer claims ${length} bytes, and the file has ${file.bytes}`)
  if (length > MOST_FOOTER_BYTES)
    throw inputFailure(
      file.name,
      `the footer, which describes columns and row groups, has ${length} bytes, and read are at most ${MOST_FOOTER_BYTES}`,
      'Write it with fewer columns, or larger row groups.',
    )
}

interface OpenedParquet {
  readonly file: StoredFile
  readonly buffer: AsyncBuffer
  readonly metadata: FileMetaData
  readonly names: readonly string[]
}

async function* rowsOf(
  read: OpenedParquet,
  wanted: readonly number[],
  { context, most = PIECE_ROWS }: Parameters<ColumnFile['rows']>[1],
) {
  const { file, metadata, names } = read
  if (most === PIECE_ROWS) requireOneOfEach(file, names, wanted)
  const atOnce = context === undefined ? most : (READER_SHARE * context.memoryBytes) / (CELL_BYTES * wanted.length)
  const step = context === undefined ? most : Math.max(PIECE_ROWS, Math.floor(atOnce))
  let end = 0
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    if (Number.isNaN(rows)) throw file.damaged('the footer does not say how many rows a row group has')
    if (!(rows >= 0 && rows <= MAX_GROUP_ROWS))
      throw file.damaged(`a row group claims ${rows} rows, and one has at most ${MAX_GROUP_ROWS}`)
    if (context !== undefined)
      requireMemoryFor(context, storedBytes(group, wanted, names), 'a row group', 'Write it with smaller row groups')
    const start = end
    end += rows
    for (let first = start; first < end; first += step) {
      const last = Math.min(end, first + step)
      const columns = await readRows(read, wanted, first, last)
      for (const piece of rangesOf(last - first, PIECE_ROWS)) {
        const readBytes = file.bytes * Math.min(1, (first + piece.end) / Number(metadata.num_rows))
        const at = (column: number, row: number): Cell => columns.get(column)?.[piece.first + row]
        yield { count: piece.end - piece.first, readBytes, at }
      }
    }
  }
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

/** The bytes stored of some columns of a row group, which are read at once. */
function storedBytes({ columns }: RowGroup, wanted: readonly number[], names: readonly string[]): number {
  const paths = new Set(wanted.map((column) => names[column]!))
  return columns
    .filter(({ meta_data }) => paths.has(meta_data?.path_in_schema[0] ?? ''))
    .reduce((sum, { meta_data }) => sum + Number(meta_data?.total_compressed_size ?? 0), 0)
}

/** A decoder would make one letter of all that is not UTF-8. */
const rawTexts = { stringFromBytes: (bytes: Uint8Array): Uint8Array => bytes }

/** Those of the library, which believe a page that claims any size. */
const unpackers = Object.fromEntries(
  Object.entries(compressors).map(([codec, unpack]) => [
    codec,
    (input: Uint8Array, outputLength: number): Uint8Array => {
      if (!(outputLength >= 0 && outputLength <= MOST_PAGE_BYTES)) throw new RangeError('a page is too large')
      return unpack(input, outputLength)
    },
  ]),
) as typeof compressors

/** @throws Failure (input) */
async function readRows(
  { file, buffer, metadata, names }: OpenedParquet,
  wanted: readonly number[],
  rowStart: number,
  rowEnd: number,
): Promise<ReadonlyMap<number, ArrayLike<Cell>>> {
  const chunks = new Map<string, ColumnData[]>()
  const columns = wanted.map((column) => `"${excerpt(names[column]!)}"`).join(', ')
  await file.sound(`what is stored in rows ${rowStart + 1} to ${rowEnd} of the columns ${columns}`, () =>
    parquetRead({
      file: buffer,
      metadata,
      columns: wanted.map((column) => names[column]!),
      rowStart,
      rowEnd,
      compressors: unpackers,
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

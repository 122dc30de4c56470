/**
 * The table of vertices that comes along with the graph of an archive: CSV, Parquet or Arrow as it is, or made of the coordinates
 * (NAME_coord.mtx, a dense matrix by columns) and names (NAME_nodename.txt, one a line) of SuiteSparse, or of the columns of KONECT
 * (ent.NAME.KIND.COLUMN, a line each), or of the number of vertices of OGB (num-node-list.csv). Coordinates are in memory while the table is written, so that larger ones than a share of it are left out.
 */

import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { excerpt, Failure, inputFailure } from '../../base/failure.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import { MAX_VERTICES } from '../reader/graph-reader.ts'
import { openVertexFile } from '../reading/vertex-file.ts'
import { entityOf, isCount, isVertexTable } from './choose-member.ts'
import type { Contained } from './open-container.ts'

interface Beside {
  readonly path: string
  readonly name: string
}

/** A table, or the sentence for why there is none. */
type TableBeside = Beside | { readonly note: string }

const axes = ['x', 'y', 'z']

/** @returns null where the archive has none @throws Failure (storage) */
export async function tableBeside(
  { path, beside }: Contained,
  table: TableOptions | undefined,
  memoryBytes: number,
): Promise<TableBeside | null> {
  const count = beside.find(isCount)
  if (count !== undefined) return countedTable(count, join(dirname(path), 'vertices.csv'), memoryBytes)
  const own = beside.find(isVertexTable)
  const places = beside.find(({ name }) => name.endsWith('_coord.mtx'))
  const named = beside.flatMap((file) => {
    const column = file.name.endsWith('_nodename.txt') ? 'label' : entityOf(file)?.column
    return column === undefined ? [] : [{ ...file, column }]
  })
  const first = own ?? places ?? named[0]
  if (first === undefined) return null
  if (new Set(beside.map((file) => entityOf(file)?.kind)).size > 1)
    return { note: `${first.name} and others are left out: they tell of vertices of several kinds` }
  try {
    const made = own ?? (await madeOf(first.name, places, named, join(dirname(path), 'vertices.csv'), memoryBytes))
    await openVertexFile(made.path, table)
    return made
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'storage') throw error
    return { note: `${first.name} is left out: ${error.what}` }
  }
}

/** Memory for a vertex: a row of a table, and an id and an offset of the import. */
export const BYTES_OF_VERTEX = 16

/** A table of vertices by their number alone. */
async function countedTable({ path, name }: Beside, table: string, memoryBytes: number): Promise<TableBeside> {
  const counts: string[] = []
  for await (const line of linesOf(path)) if (line.trim() !== '') counts.push(line.trim())
  const [count = ''] = counts
  if (!/^\d{1,10}$/.test(count) || Number(count) > MAX_VERTICES)
    return { note: `${name} is left out: "${excerpt(count)}" is no number of vertices` }
  // A small file can state any number.
  if (BYTES_OF_VERTEX * Number(count) > memoryBytes)
    return { note: `${name} is left out: ${count} vertices need more memory than the import may take; give it more` }
  const rows = function* (): Generator<string> {
    yield 'id\n'
    for (let v = 0; v < Number(count); v++) yield `${v}\n`
  }
  await pipeline(Readable.from(rows()), createWriteStream(table, { flags: 'wx' }))
  return { path: table, name }
}

/** A table of coordinates, and of files with a line for each vertex. */
async function madeOf(
  name: string,
  places: Beside | undefined,
  named: readonly (Beside & { readonly column: string })[],
  path: string,
  memoryBytes: number,
): Promise<Beside> {
  const columns = places === undefined ? [] : await denseColumns(places, memoryBytes)
  const rows = async function* (): AsyncGenerator<string> {
    const files = named.map((file) => linesOf(file.path)[Symbol.asyncIterator]())
    yield `${['id', ...named.map(({ column }) => column), ...axes.slice(0, columns.length)].join(',')}\n`
    for (let row = 0; ; row++) {
      const texts = await Promise.all(files.map((file) => file.next()))
      if (texts.some(({ done }) => done) || (files.length === 0 && row === columns[0]!.length)) return
      const quoted = texts.map(({ value }) => `"${String(value).replaceAll('"', '""')}"`)
      yield `${[row + 1, ...quoted, ...columns.map((values) => values[row] ?? '')].join(',')}\n`
    }
  }
  await pipeline(Readable.from(rows()), createWriteStream(path, { flags: 'wx' }))
  return { path, name }
}

function linesOf(path: string): AsyncIterable<string> {
  const stored = createReadStream(path)
  const input = path.endsWith('.gz') ? stored.pipe(createGunzip()) : stored
  return createInterface({ input, crlfDelay: Infinity })
}

/** Two or three columns of numbers. @throws Failure (input) for anything else */
async function denseColumns({ path, name }: Beside, memoryBytes: number): Promise<Float64Array[]> {
  if (8 * statSync(path).size > memoryBytes)
    throw inputFailure(name, 'it needs more memory than the import may take', 'Give the import more memory.')
  const bad = (): Failure => inputFailure(name, 'it is no dense matrix of two or three columns', 'Is it damaged?')
  let columns: Float64Array[] | null = null
  let at = 0
  for await (const line of linesOf(path)) {
    const text = line.trim()
    if (text === '' || text.startsWith('%')) continue
    if (columns === null) {
      const [rows = 0, width = 0, ...more] = text.split(/\s+/).map(Number)
      const isSize = Number.isInteger(rows) && rows > 0 && (width === 2 || width === 3) && more.length === 0
      // A number takes two bytes at least.
      if (!isSize || 2 * rows * width > statSync(path).size) throw bad()
      columns = Array.from({ length: width }, () => new Float64Array(rows))
      continue
    }
    const rows = columns[0]!.length
    const value = Number(text)
    if (Number.isNaN(value) || at === rows * columns.length) throw bad()
    columns[Math.floor(at / rows)]![at % rows] = value
    at++
  }
  if (columns === null || at < columns.length * columns[0]!.length) throw bad()
  return columns
}

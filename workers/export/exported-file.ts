/**
 * How exported rows become bytes: CSV by RFC 4180, on request without formulas for spreadsheets, Parquet in row groups, texts in chunks, all
 * streamed into a file that has its name only once it is whole. Labels that are texts are never taken for numbers. Memory is one row group.
 * export-set.ts and formats/graph-writers.ts say what is in the rows.
 */

import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { usageFailure, asFailure } from '../base/failure.ts'
import type { AttributeValue } from '../contract/jobs.ts'
import { AttributeTable, EDGE_TABLE, type NamedKind, VERTEX_TABLE } from '../graph/attribute-table.ts'
import { type Labels, openNameFile, textAt } from '../graph/labels.ts'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { OutputFile } from '../base/output-file.ts'

/** A result as rows: vertices by their labels, perhaps a value, then what the dataset knows of them. */
export interface ResultTable {
  /** Columns of vertices. */
  readonly keys: readonly string[]
  /** Vertices, and behind them the weight of their edge in a table of pairs that has weights. */
  readonly rows: Iterable<readonly number[]>
  readonly weighted?: boolean
  /** The value of each vertex, for a table of one key. `isOptional`: it may be null. */
  readonly value?: NamedKind & { readonly isOptional?: boolean; of(v: number): string | number | null }
}

export interface RowWords {
  readonly labels: Labels
  readonly attributes: ExportedAttributes
}

/** RFC 4180; ids that are texts are never taken for numbers. */
export function csvTable(table: ResultTable, words: RowWords, safe?: boolean): Iterable<Uint8Array> {
  const { columns, cells } = columnsOf(table, words)
  const rows = function* (): Generator<readonly AttributeValue[]> {
    for (const row of table.rows) yield cells(row)
  }
  const textKeys = words.labels.kind === 'text' ? table.keys.length : 0
  return csvRows(
    columns.map(({ name }) => name),
    rows(),
    textKeys,
    safe,
  )
}

/** @param textKeys columns at the front whose texts are never taken for numbers */
export function csvRows(
  names: readonly string[],
  rows: Iterable<readonly AttributeValue[]>,
  textKeys: number,
  safe?: boolean,
): Iterable<Uint8Array> {
  const cell = (one: AttributeValue): string => (typeof one === 'string' ? csvField(one, safe) : String(one ?? ''))
  const id = (text: string): string => (NUMERAL.test(text) ? quoted(text) : text)
  const line = (row: readonly AttributeValue[]): string =>
    `${row.map((one, i) => (i < textKeys ? id(cell(one)) : cell(one))).join(',')}\n`
  const lines = function* (): Generator<string> {
    yield line(names)
    for (const row of rows) yield line(row)
  }
  return textChunks(lines())
}

const NUMERAL = /^[+-]?\d+$/

export function parquetTable(table: ResultTable, words: RowWords): Iterable<Uint8Array> {
  const { columns, cells } = columnsOf(table, words)
  const groups = function* (): Generator<Column[]> {
    for (const group of rowGroups(table.rows)) {
      const rows = group.map(cells)
      yield columns.map(({ type, repetition_type: repeats }, i) => {
        if (type !== 'INT64') return rows.map((row) => row[i] ?? null)
        if (repeats === 'OPTIONAL') return rows.map((row) => (row[i] === null ? null : BigInt(row[i]!)))
        return BigUint64Array.from(rows, (row) => BigInt(row[i]!))
      })
    }
  }
  return parquetFile(columns, groups())
}

const parquetTypes = {
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
} as const

const WEIGHT: SchemaElement = { name: 'weight', type: 'DOUBLE', repetition_type: 'REQUIRED' }

/** Ids and the value, whole numbers or texts, then attributes; and the cells of a row. */
function columnsOf({ keys, value, weighted = false }: ResultTable, { labels, attributes }: RowWords) {
  const values = value === undefined ? [] : [value]
  const weights = weighted ? [WEIGHT] : []
  const known = attributes.behind(keys, [...keys, ...[...weights, ...values].map(({ name }) => name)])
  const columns: SchemaElement[] = [
    ...keys.map((key) => requiredColumn(key, labels.kind === 'text')),
    ...values.map(({ name, kind, isOptional = false }) => ({
      ...requiredColumn(name, kind === 'text'),
      ...(isOptional && { repetition_type: 'OPTIONAL' as const }),
    })),
    ...known.columns.map(({ name, kind }) => ({ name, ...parquetTypes[kind], repetition_type: 'OPTIONAL' as const })),
    ...weights,
  ]
  const cells = (row: readonly number[]): AttributeValue[] => [
    ...row.slice(0, keys.length).map((v) => labels.of(v)),
    ...values.map(({ of }) => of(row[0]!)),
    ...known.of(row),
    ...row.slice(keys.length),
  ]
  return { columns, cells }
}

const NAME = 'name'

/** What a dataset knows of vertices and edges, for the rows of a result. */
export type ExportedAttributes = Awaited<ReturnType<typeof openExportedAttributes>>

/** @throws Failure (input) where a table is damaged */
export async function openExportedAttributes(folder: string, count: number) {
  const { vertices, edges, names } = await openTables(folder, count)
  const ofVertex: NamedKind[] = [
    ...(names === null ? [] : [{ name: NAME, kind: 'text' } as const]),
    ...(vertices?.columns ?? []),
  ]
  const rowOf = (v: number): readonly AttributeValue[] => {
    const row = vertices?.row(v) ?? []
    return names === null ? row : [textAt(names, count, v).toString('utf8') || null, ...row]
  }
  const ofEdge = edges?.columns ?? []
  const edgeRow = (u: number, v: number): readonly AttributeValue[] => {
    const row = edges?.rowOfEdge(u, v) ?? -1
    return row < 0 ? ofEdge.map(() => null) : edges!.row(row)
  }
  const ofEnd = (end: string): NamedKind[] => ofVertex.map(({ name, kind }) => ({ name: `${end}.${name}`, kind }))
  return {
    /** Names and attributes of vertices; of pairs those of the edge and of both ends. @param taken names of the columns in front */
    behind: (keys: readonly string[], taken: readonly string[]) => {
      const isPair = keys.length > 1
      const columns = distinct(isPair ? [...ofEdge, ...keys.flatMap(ofEnd)] : ofVertex, taken)
      const of = ([u, v]: readonly number[]): readonly AttributeValue[] =>
        isPair ? [...edgeRow(u!, v!), ...rowOf(u!), ...rowOf(v!)] : rowOf(u!)
      return { columns, of }
    },
    /** Attributes of edges that are asked for in ascending order. */
    ofEdges: (taken: readonly string[]) => ({ columns: distinct(ofEdge, taken), of: edgeRow }),
    close: () => {
      for (const file of [vertices, edges, names]) file?.close()
    },
  }
}

/** Opens all or none. */
async function openTables(folder: string, count: number) {
  const vertices = await AttributeTable.open(folder, VERTEX_TABLE)
  let edges: AttributeTable | null = null
  try {
    edges = await AttributeTable.open(folder, EDGE_TABLE)
    // The name under which a vertex is shown may be its label: an attribute `name` keeps its own column.
    const isNamed = vertices?.columns.some(({ name }) => name === NAME) === true
    return { vertices, edges, names: isNamed ? null : openNameFile(folder, count) }
  } catch (error) {
    for (const file of [vertices, edges]) file?.close()
    throw error
  }
}

/** A name that is taken gets underscores. */
function distinct(columns: readonly NamedKind[], taken: readonly string[]): NamedKind[] {
  const names = new Set(taken)
  return columns.map(({ name, kind }) => {
    let free = name
    while (names.has(free)) free += '_'
    names.add(free)
    return { name: free, kind }
  })
}

const GROUP_ROWS = 1 << 17

export type Column = (AttributeValue | bigint)[] | BigUint64Array | Float32Array | Float64Array

/** A column of texts, or of whole numbers. */
export function requiredColumn(name: string, isText: boolean): SchemaElement {
  return isText
    ? { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' }
    : { name, type: 'INT64', converted_type: 'UINT_64', repetition_type: 'REQUIRED' }
}

export function idsOf(vertices: readonly number[], labels: Labels): Column {
  if (labels.kind === 'text') return vertices.map((v) => labels.of(v))
  return BigUint64Array.from(vertices, (v) => labels.number(v) ?? 0n)
}

export function* rowGroups<T>(rows: Iterable<T>, most = GROUP_ROWS): Generator<T[]> {
  let group: T[] = []
  for (const row of rows) {
    group.push(row)
    if (group.length < most) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** @param groups the values of each column, by row group */
export function* parquetFile(
  columns: readonly SchemaElement[],
  groups: Iterable<readonly Column[]>,
): Generator<Uint8Array> {
  const bytes = new ByteWriter(1 << 20)
  const schema = [{ name: 'root', num_children: columns.length }, ...columns]
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'anticlique' })
  const taken = (): Uint8Array => {
    const chunk = bytes.getBytes().slice()
    bytes.index = 0
    return chunk
  }
  for (const group of groups) {
    const columnData = columns.map(({ name }, i) => ({ name, data: group[i]! }))
    void writer.write({ columnData, rowGroupSize: group[0]!.length })
    yield taken()
  }
  void writer.finish()
  yield taken()
}

/** RFC 4180. @param spreadsheetSafe an apostrophe before what would be a formula (OWASP, "CSV Injection") */
function csvField(text: string, spreadsheetSafe = false): string {
  const cell = spreadsheetSafe ? inert(text) : text
  return /[",\r\n]/.test(cell) ? quoted(cell) : cell
}

/** @throws Failure (usage) where a file without cells is to be made safe */
export function requireCells(format: string, spreadsheetSafe: boolean | undefined): void {
  if (spreadsheetSafe !== true || ['csv', 'aggregate', 'vertices'].includes(format)) return
  throw usageFailure(undefined, `${format} is nothing that a spreadsheet opens`, '', [
    { action: 'set', option: 'format', to: 'csv' },
    { action: 'omit', option: 'spreadsheetSafe' },
  ])
}

export const inert = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** A row for every vertex. */
export function* rowsOf(vertices: number): Generator<[number]> {
  for (let v = 0; v < vertices; v++) yield [v]
}

const CHUNK_CHARACTERS = 1 << 18

export function* textChunks(lines: Iterable<string>): Generator<Uint8Array> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < CHUNK_CHARACTERS) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** @throws Failure (storage); (cancelled) */
export async function writeChunks(path: string, chunks: Iterable<Uint8Array>, job: JobContext, gzip = false) {
  const output = new OutputFile(path)
  let bytes = 0
  const watched = function* (): Generator<Uint8Array> {
    let done = 0
    for (const chunk of chunks) {
      throwIfCancelled(job.signal)
      done += chunk.length
      job.progress({ phase: 'write', done, unit: 'bytes' })
      yield chunk
    }
  }
  const write = async (stored: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> => {
    for await (const chunk of stored) {
      output.write(chunk)
      bytes += chunk.length
    }
  }
  try {
    if (gzip) await pipeline(watched, createGzip(), write)
    else await write(watched())
    output.finish()
    return { isStream: output.isStream, bytes }
  } catch (error) {
    throw asFailure(error, path)
  } finally {
    output.discard()
  }
}

import { Failure } from '../../base/failure.ts'
import { algorithmEntry } from '../../contract/catalogue.ts'
import type { ExportArgs, ExportFormat } from '../../contract/jobs.ts'
import type { ValuesEntry } from '../../contract/catalogue.ts'
import type { JobContext } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { listsOf } from '../../graph/scan-lists.ts'
import type { Labels } from '../../graph/labels.ts'
import { NO_VALUE, type VertexValues, valueWords } from '../../graph/vertex-values.ts'
import { type ExportedAttributes, parquetColumns, parquetValues } from '../exported-attributes.ts'
import { textChunks } from '../write-chunks.ts'
import { npyHeader } from './npy-file.ts'
import { type Column, idColumn, idsOf, parquetFile, rowGroups } from './parquet-file.ts'
import { csvField, vertexRows } from './text-writers.ts'

/** What the edges of a quotient graph are read with. */
export interface GraphRead {
  readonly graph: GaloisGr
  readonly job: JobContext
}

interface VertexFacts {
  readonly labels: Labels
  readonly read: GraphRead
  readonly attributes: ExportedAttributes
}

export function entryOfValues(algorithm: string): ValuesEntry {
  const values = algorithmEntry(algorithm)?.values
  if (values === undefined) throw new Error(`${algorithm} makes no values`)
  return values
}

/** @throws Failure (usage) for a format that this result does not have */
export function valuesChunks(
  { format, spreadsheetSafe: safe }: Pick<ExportArgs, 'format' | 'spreadsheetSafe'>,
  result: VertexValues,
  entry: ValuesEntry,
  { labels, attributes, read }: VertexFacts,
): Iterable<Uint8Array> {
  const { values } = result
  const words = cellWords(entry, labels)
  switch (format) {
    case 'ids':
      return textChunks(lines(values, labels, words))
    case 'csv':
      return textChunks(
        vertexRows(
          entry.column,
          values.length,
          (v) => csvField(words(values[v]!), safe),
          labels,
          safe,
          attributes.csvOfVertices(['id', entry.column], safe),
        ),
      )
    case 'npy':
      return [npyHeader('<u4', values.length), new Uint8Array(values.buffer)]
    case 'parquet':
      return valuesTable(values, entry, { labels, attributes })
    case 'classes':
      return textChunks(classLines(result, labels))
    case 'prolongation':
    case 'quotient':
      if (entry.dense === true) return textChunks(format === 'quotient' ? quotient(values, read) : prolongation(values))
      throw otherKind(format, entry.title, 'ids, csv, npy, parquet or classes')
    case 'bits':
    case 'aggregate':
      throw otherKind(
        format,
        entry.title,
        `ids, csv, npy, parquet${entry.dense === true ? ', classes, prolongation or quotient' : ' or classes'}`,
      )
  }
}

export function otherKind(format: ExportFormat, of: string, better: string): Failure {
  return new Failure({
    code: 'usage',
    what: `${of} cannot be written as ${format}`,
    remedy: `Use ${better}.`,
  })
}

function cellWords(entry: ValuesEntry, labels: Labels): (value: number) => string {
  return valueWords({ ...entry, none: entry.none && '' }, (v) => labels.of(v))
}

function* lines(values: Uint32Array, labels: Labels, words: (value: number) => string): Generator<string> {
  for (let v = 0; v < values.length; v++) yield `${labels.of(v)}\t${words(values[v]!)}\n`
}

function valuesTable(
  values: Uint32Array,
  entry: ValuesEntry,
  { labels, attributes }: Pick<VertexFacts, 'labels' | 'attributes'>,
): Iterable<Uint8Array> {
  const { column: name, of, names } = entry
  const words = cellWords(entry, labels)
  const isText = of === 'vertex' || names !== undefined
  const column = isText
    ? ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const)
    : ({ name, type: 'INT64', converted_type: 'UINT_64', repetition_type: 'REQUIRED' } as const)
  const cells = (group: readonly number[]): Column =>
    isText ? group.map((v) => words(values[v]!)) : BigUint64Array.from(group, (v) => BigInt(values[v]!))
  const more = attributes.ofVertices(['id', name])
  const groups = function* (): Generator<Column[]> {
    for (const group of rowGroups(values.keys()))
      yield [idsOf(group, labels), cells(group), ...parquetValues(more, group)]
  }
  return parquetFile([idColumn('id', labels), column, ...parquetColumns(more.columns)], groups())
}

/** A line for each value that occurs, ascending. */
function* classLines(result: VertexValues, labels: Labels): Generator<string> {
  const { starts, order } = result.classes()
  for (let value = 0; value + 1 < starts.length; value++) {
    const [first, end] = [starts[value]!, starts[value + 1]!]
    for (let at = first; at < end; at++) yield `${labels.of(order[at]!)}${at + 1 < end ? ' ' : '\n'}`
  }
}

/** Columns of the matrix, and aggregated vertices. */
function sizeOf(aggregates: Uint32Array): { readonly columns: number; readonly entries: number } {
  let [columns, entries] = [0, 0]
  for (const aggregate of aggregates) {
    if (aggregate === NO_VALUE) continue
    entries++
    columns = Math.max(columns, aggregate + 1)
  }
  return { columns, entries }
}

/** As Matrix Market. */
export function* prolongation(aggregates: Uint32Array): Generator<string> {
  const { columns, entries } = sizeOf(aggregates)
  yield '%%MatrixMarket matrix coordinate integer general\n'
  yield `${aggregates.length} ${columns} ${entries}\n`
  for (let v = 0; v < aggregates.length; v++) if (aggregates[v] !== NO_VALUE) yield `${v + 1} ${aggregates[v]! + 1} 1\n`
}

/** The graph of aggregates as Matrix Market; of parallel edges, whose weights are to be added, a line each. */
export function* quotient(aggregates: Uint32Array, { graph, job }: GraphRead): Generator<string> {
  const { columns } = sizeOf(aggregates)
  let count = 0
  for (const { first, offsets, targets } of listsOf(graph, job, 'count'))
    for (let row = 0; row + 1 < offsets.length; row++)
      for (let at = offsets[row]!; at < offsets[row + 1]! && targets[at]! < first + row; at++)
        if (isBetween(aggregates[first + row]!, aggregates[targets[at]!]!)) count++
  yield '%%MatrixMarket matrix coordinate real symmetric\n'
  yield `${columns} ${columns} ${count}\n`
  for (const { first, offsets, targets, firstArc } of listsOf(graph, job, 'write')) {
    const weights = graph.weighted ? graph.readWeights(firstArc, firstArc + targets.length) : undefined
    for (let row = 0; row + 1 < offsets.length; row++)
      for (let at = offsets[row]!; at < offsets[row + 1]! && targets[at]! < first + row; at++) {
        const [a, b] = [aggregates[first + row]!, aggregates[targets[at]!]!]
        if (isBetween(a, b)) yield `${Math.max(a, b) + 1} ${Math.min(a, b) + 1} ${weights?.[at] ?? 1}\n`
      }
  }
}

const isBetween = (a: number, b: number): boolean => a !== b && a !== NO_VALUE && b !== NO_VALUE

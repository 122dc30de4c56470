/**
 * The result of a run as a file: sets, matchings and values as ids, tables, bits, NumPy arrays, Parquet, classes, or the operators of multigrid
 * methods. What a kind of result cannot be written as is refused with what it can. Rows are streamed, with attributes of the dataset beside
 * them. exported-file.ts writes tables, formats/graph-writers.ts whole graphs.
 */

import type { JobContext } from '../base/job.ts'
import { inputFailure, usageFailure } from '../base/failure.ts'
import { placeOf } from '../base/ranges.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import type { AttributeValue, ExportArgs, ExportFormat, ExportOutcome } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import { NO_MATE, readMates } from '../graph/matching.ts'
import { readPairList } from '../graph/pair-list.ts'
import { classesOf, NO_VALUE, otherResult, readValues, RESULT_DAMAGE, valueWords } from '../graph/result-file.ts'
import { listsOf } from '../graph/scan-lists.ts'
import { readBits, type VertexSet } from '../graph/vertex-set.ts'
import { type DescribedGraph, describedWriters, withDescribed } from './formats/described-graph.ts'
import {
  csvTable,
  openExportedAttributes,
  parquetTable,
  requireCells,
  type ResultTable,
  rowGroups,
  rowsOf,
  textChunks,
  quoted,
  writeChunks,
} from './exported-file.ts'

interface Content {
  readonly members: number
  /** What is exported, in words. */
  readonly title: string
  /** How it is written, in the formats that it has. */
  readonly writers: Partial<Record<ExportFormat, () => Iterable<Uint8Array>>>
}

interface Place extends DescribedGraph {
  readonly job: JobContext
}

/** @throws Failure (usage) for a format that this result does not have; (input); (storage); (cancelled) */
export async function exportSet(args: ExportArgs, job: JobContext): Promise<ExportOutcome> {
  const { format, output } = args
  requireCells(format, args.spreadsheetSafe)
  return withDescribed(args, job, async (described) => {
    const { members, title, writers } = contentOf(args, { ...described, job })
    const chunks = writers[format]?.()
    if (chunks === undefined) throw otherKind(format, title, Object.keys(writers))
    const { bytes } = await writeChunks(output, chunks, job)
    return { files: [output], bytes, members }
  })
}

/** The result in the ids of the graph, a line each. @throws Failure (input) where it is not that of the hash */
export async function resultLines(
  args: Omit<ExportArgs, 'format'>,
  graph: GaloisGr,
  labels: Labels,
  job: JobContext,
): Promise<Iterable<Uint8Array>> {
  const attributes = await openExportedAttributes(args.folder, graph.vertices)
  attributes.close()
  return contentOf({ ...args, format: 'ids' }, { graph, job, attributes, labels, places: null }).writers.ids!()
}

function otherKind(format: ExportFormat, title: string, others: readonly string[]) {
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(others)
  return usageFailure(undefined, `${title} cannot be written as ${format}`, `Use ${list}.`)
}

function contentOf(args: ExportArgs, place: Place): Content {
  switch (args.kind) {
    case 'matching':
      return matchingOf(args, place)
    case 'b-matching':
      return bMatchingOf(args, place)
    case 'values':
      return valuesOf(args, place)
    case 'independent-set':
    case undefined:
      return setOf(args, place)
  }
}

function setOf({ resultFile, hash: recorded, spreadsheetSafe }: ExportArgs, place: Place): Content {
  const { labels } = place
  const set = readBits(resultFile, place.graph.vertices)
  const { size, hash } = set.summary()
  if (recorded !== undefined && hash !== recorded) throw otherResult(resultFile, hash, recorded)
  const writers: Content['writers'] = {
    ids: () => textChunks(mapped(set.members(), (v) => `${labels.of(v)}\n`)),
    csv: () =>
      csvTable(
        valueTable(set.vertices, { name: 'in', kind: 'number', of: (v) => Number(set.has(v)) }),
        place,
        spreadsheetSafe,
      ),
    bits: () => [set.bytes],
    npy: () => npyIds(set, size, labels),
    parquet: () => parquetTable({ keys: ['id'], rows: mapped(set.members(), (v) => [v]) }, place),
    ...describedWriters(
      { ...place, result: [{ name: 'in', kind: 'boolean', of: (v) => set.has(v) }] },
      spreadsheetSafe,
    ),
  }
  return { members: size, title: 'a set', writers }
}

function matchingOf({ resultFile, hash: recorded, spreadsheetSafe }: ExportArgs, place: Place): Content {
  const { labels } = place
  const matching = readMates(resultFile, place.graph.vertices)
  const { pairs, hash } = matching.summary()
  if ((recorded !== undefined && hash !== recorded) || !matching.isMutual)
    throw otherResult(resultFile, hash, recorded ?? 'mates of each other')
  const table = pairTable(matching.pairs(), place, resultFile)
  const aggregates = (): Uint32Array<ArrayBuffer> => aggregatesOf(matching.mates)
  const aggregateTable = (of: Uint32Array): ResultTable =>
    valueTable(of.length, { name: 'aggregate', kind: 'number', of: (v) => of[v]! })
  const mateOf = (v: number): number => matching.mates[v]!
  const partnersOf = (v: number): readonly number[] => (mateOf(v) === NO_MATE ? [] : [mateOf(v)])
  const mate = (v: number): string | null => (mateOf(v) === NO_MATE ? null : labels.of(mateOf(v)))
  const mateColumn = { name: 'mate', kind: 'text', of: mate } as const
  const writers: Content['writers'] = {
    ids: () => textChunks(mapped(matching.pairs(), ([u, v]) => `${labels.of(u)}\t${labels.of(v)}\n`)),
    csv: () => csvTable(table, place, spreadsheetSafe),
    parquet: () => parquetTable(table, place),
    aggregate: () => csvTable(aggregateTable(aggregates()), place, spreadsheetSafe),
    npy: () => npyWords(aggregates()),
    ...describedWriters({ ...place, partnersOf, result: [mateColumn] }, spreadsheetSafe),
    ...coarseWriters(aggregates, place),
  }
  return { members: pairs, title: 'a matching', writers }
}

function bMatchingOf({ resultFile, hash, spreadsheetSafe }: ExportArgs, place: Place): Content {
  const { labels, graph } = place
  const list = readPairList(resultFile, graph.vertices, hash)
  const table = pairTable(list.pairs(), place, resultFile)
  const { starts, partners } = list.partnerLists(graph.vertices)
  const partnersOf = (v: number): Uint32Array => partners.subarray(starts[v]!, starts[v + 1]!)
  const partnersColumn = { name: 'partners', kind: 'number', of: (v: number) => starts[v + 1]! - starts[v]! } as const
  const writers: Content['writers'] = {
    ids: () => textChunks(mapped(list.pairs(), ([u, v]) => `${labels.of(u)}\t${labels.of(v)}\n`)),
    csv: () => csvTable(table, place, spreadsheetSafe),
    parquet: () => parquetTable(table, place),
    ...describedWriters({ ...place, partnersOf, result: [partnersColumn] }, spreadsheetSafe),
  }
  return { members: list.count, title: 'a b-matching', writers }
}

function valuesOf(args: ExportArgs, place: Place): Content {
  const { labels } = place
  const values = readValues(args.resultFile, place.graph.vertices, args.hash)
  const entry = algorithmEntry(args.algorithm ?? '')?.values
  if (entry === undefined) throw new Error(`${args.algorithm} makes no values`)
  const words = valueWords({ ...entry, none: entry.none && '' }, (v) => labels.of(v))
  const isText = entry.of === 'vertex' || entry.names !== undefined
  // Of a column of numbers "" would be read as 0.
  const isOptional = !isText && entry.none !== undefined
  const wordOf = (v: number) => (isOptional && values[v] === NO_VALUE ? null : words(values[v]!))
  const table = valueTable(values.length, {
    name: entry.column,
    kind: isText ? 'text' : 'number',
    isOptional,
    of: wordOf,
  })
  const shownOf = (v: number): AttributeValue =>
    values[v] === NO_VALUE ? null : isText ? words(values[v]!) : Number(words(values[v]!))
  const writers: Content['writers'] = {
    ids: () => textChunks(mapped(values.keys(), (v) => `${labels.of(v)}\t${words(values[v]!)}\n`)),
    csv: () => csvTable(table, place, args.spreadsheetSafe),
    npy: () => npyWords(values),
    parquet: () => parquetTable(table, place),
    classes: () => textChunks(classLines(values, labels)),
    ...describedWriters({ ...place, result: [{ ...table.value!, of: shownOf }] }, args.spreadsheetSafe),
    ...(entry.dense === true ? coarseWriters(() => values, place) : {}),
  }
  return { members: values.length, title: `the ${entry.title}`, writers }
}

/** The operators of multigrid methods for aggregates. */
const coarseWriters = (aggregates: () => Uint32Array, { graph, job }: Place): Content['writers'] => ({
  prolongation: () => textChunks(prolongation(aggregates())),
  quotient: () => textChunks(quotient(aggregates(), graph, job)),
})

/** A row for every vertex. */
const valueTable = (vertices: number, value: NonNullable<ResultTable['value']>): ResultTable => ({
  keys: ['id'],
  rows: rowsOf(vertices),
  value,
})

/** A row for every pair, with the weight of its edge where the graph has weights. @param pairs ascending */
const pairTable = (
  pairs: Iterable<readonly [number, number]>,
  { graph, job }: Place,
  resultFile: string,
): ResultTable => ({
  keys: ['source', 'target'],
  rows: graph.weighted ? weighedPairs(pairs, graph, job, resultFile) : pairs,
  weighted: graph.weighted,
})

/** @throws Failure (input) for a pair that no edge joins */
function* weighedPairs(
  pairs: Iterable<readonly [number, number]>,
  graph: GaloisGr,
  job: JobContext,
  resultFile: string,
): Generator<readonly [number, number, number]> {
  const rest = pairs[Symbol.iterator]()
  let next = rest.next()
  for (const { first, offsets, targets, firstArc } of listsOf(graph, job, 'weigh')) {
    const end = first + offsets.length - 1
    if (next.done === true) return
    if (next.value[0] >= end) continue
    const weights = graph.readValues(firstArc, firstArc + targets.length)
    for (; next.done !== true && next.value[0] < end; next = rest.next()) {
      const [u, v] = next.value
      const at = placeOf(targets, offsets[u - first]!, offsets[u - first + 1]!, v)
      if (at < 0) throw inputFailure(resultFile, 'it pairs vertices that no edge joins', RESULT_DAMAGE.remedy)
      yield [u, v, weights[at]!]
    }
  }
}

function* mapped<T, U>(items: Iterable<T>, map: (item: T) => U): Generator<U> {
  for (const item of items) yield map(item)
}

/** Aggregates for coarsening: matched vertices share one, numbered from 0 by its smaller vertex. */
function aggregatesOf(mates: Uint32Array): Uint32Array<ArrayBuffer> {
  const aggregates = new Uint32Array(mates.length)
  let count = 0
  for (let v = 0; v < mates.length; v++) {
    const mate = mates[v]!
    aggregates[v] = mate !== NO_MATE && mate < v ? aggregates[mate]! : count++
  }
  return aggregates
}

/** A line for each value that occurs, ascending; labels with blanks or quotes are in quotes. */
function* classLines(values: Uint32Array, labels: Labels): Generator<string> {
  const { starts, members } = classesOf(values)
  const word = (label: string): string => (/[\s"]/.test(label) ? quoted(label) : label)
  for (let value = 0; value + 1 < starts.length; value++) {
    const [first, end] = [starts[value]!, starts[value + 1]!]
    for (let at = first; at < end; at++) yield `${word(labels.of(members[at]!))}${at + 1 < end ? ' ' : '\n'}`
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

/** The prolongation as Matrix Market. */
function* prolongation(aggregates: Uint32Array): Generator<string> {
  const { columns, entries } = sizeOf(aggregates)
  yield '%%MatrixMarket matrix coordinate integer general\n'
  yield `${aggregates.length} ${columns} ${entries}\n`
  for (let v = 0; v < aggregates.length; v++) if (aggregates[v] !== NO_VALUE) yield `${v + 1} ${aggregates[v]! + 1} 1\n`
}

/** The graph of aggregates as Matrix Market; of parallel edges, whose weights are to be added, a line each. */
function* quotient(aggregates: Uint32Array, graph: GaloisGr, job: JobContext): Generator<string> {
  const { columns } = sizeOf(aggregates)
  let count = 0
  for (const _ of edgesBetween(aggregates, graph, job, 'count')) count++
  yield '%%MatrixMarket matrix coordinate real symmetric\n'
  yield `${columns} ${columns} ${count}\n`
  for (const [a, b, weight] of edgesBetween(aggregates, graph, job, 'write'))
    yield `${Math.max(a, b) + 1} ${Math.min(a, b) + 1} ${weight}\n`
}

function* edgesBetween(aggregates: Uint32Array, graph: GaloisGr, job: JobContext, phase: string) {
  for (const { first, offsets, targets, firstArc } of listsOf(graph, job, phase)) {
    const weights = graph.weighted ? graph.readValues(firstArc, firstArc + targets.length) : undefined
    for (let row = 0; row + 1 < offsets.length; row++)
      for (let at = offsets[row]!; at < offsets[row + 1]! && targets[at]! < first + row; at++) {
        const [a, b] = [aggregates[first + row]!, aggregates[targets[at]!]!]
        if (a !== b && a !== NO_VALUE && b !== NO_VALUE) yield [a, b, weights?.[at] ?? 1] as const
      }
  }
}

const NPY_MAGIC = Buffer.from('\u0093NUMPY\u0001\u0000', 'latin1')
const NPY_ALIGNMENT = 64
/** Written at once. */
const TEXT_CHARACTERS = 1 << 18

/** u64, or fixed-width UTF-32 strings where labels are text */
function* npyIds(set: VertexSet, size: number, labels: Labels): Generator<Uint8Array> {
  if (labels.kind !== 'text') {
    yield npyHeader('<u8', size)
    for (const group of rowGroups(set.members()))
      yield new Uint8Array(BigUint64Array.from(group, (v) => labels.number(v) ?? 0n).buffer)
    return
  }
  let width = 1
  for (const v of set.members()) width = Math.max(width, [...labels.of(v)].length)
  yield npyHeader(`<U${width}`, size)
  for (const group of rowGroups(set.members(), Math.ceil(TEXT_CHARACTERS / width))) {
    const points = new Uint32Array(width * group.length)
    group.forEach((v, row) =>
      [...labels.of(v)].forEach((character, i) => (points[width * row + i] = character.codePointAt(0)!)),
    )
    yield new Uint8Array(points.buffer)
  }
}

/** u32 */
const npyWords = (words: Uint32Array): readonly Uint8Array[] => [
  npyHeader('<u4', words.length),
  new Uint8Array(words.buffer),
]

function npyHeader(dtype: string, length: number): Uint8Array {
  const dictionary = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${length},), }`
  const unpadded = NPY_MAGIC.length + 2 + dictionary.length + 1
  const text = Buffer.from(`${dictionary}${' '.repeat((NPY_ALIGNMENT - (unpadded % NPY_ALIGNMENT)) % NPY_ALIGNMENT)}\n`)
  const size = Buffer.alloc(2)
  size.writeUInt16LE(text.length)
  return Buffer.concat([NPY_MAGIC, size, text])
}

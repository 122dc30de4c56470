import type { JobContext } from '../base/job.ts'
import type { ExportArgs, ExportOutcome } from '../contract/jobs.ts'
import { type Labels, openLabels } from '../graph/labels.ts'
import { type Matching, NO_MATE, readMates } from '../graph/matching.ts'
import { openGraph } from '../graph/open-graph.ts'
import { otherResult } from '../graph/result-file.ts'
import { readBits, type VertexSet } from '../graph/vertex-set.ts'
import {
  type AttributeColumns,
  csvCells,
  csvNames,
  ExportedAttributes,
  parquetColumns,
  parquetValues,
} from './exported-attributes.ts'
import { readValues } from '../graph/vertex-values.ts'
import { npyHeader, npyIds } from './formats/npy-file.ts'
import { idColumn, idsOf, parquetFile, rowGroups } from './formats/parquet-file.ts'
import { csvField, requireCells, vertexRows } from './formats/text-writers.ts'
import {
  type GraphRead,
  entryOfValues,
  otherKind,
  prolongation,
  quotient,
  valuesChunks,
} from './formats/values-writers.ts'
import { textChunks, writeChunks } from './write-chunks.ts'

type Chunks = Iterable<Uint8Array>

export async function exportSet(args: ExportArgs, job: JobContext): Promise<ExportOutcome> {
  requireCells(args.format, args.spreadsheetSafe)
  const graph = openGraph(args.folder, args.checksum, job)
  const attributes = await ExportedAttributes.open(args.folder, graph.vertices)
  try {
    const { members, chunks } = contentOf(args, { graph, job }, attributes)
    const { bytes } = await writeChunks(args.output, chunks, job)
    return { files: [args.output], bytes, members }
  } finally {
    attributes.close()
    graph.close()
  }
}

interface Content {
  readonly members: number
  readonly chunks: Chunks
}

function contentOf(args: ExportArgs, read: GraphRead, attributes: ExportedAttributes): Content {
  const { vertices } = read.graph
  switch (args.kind) {
    case 'matching':
      return matchingOf(args, read, attributes)
    case 'values': {
      const values = readValues(args.resultFile, vertices, args.hash)
      const entry = entryOfValues(args.algorithm ?? '')
      const vertexFacts = { labels: openLabels(args.folder, vertices), attributes, read }
      return { members: vertices, chunks: valuesChunks(args, values, entry, vertexFacts) }
    }
    case 'independent-set':
    case undefined:
      return setOf(args, vertices, attributes)
  }
}

function setOf(args: ExportArgs, vertices: number, attributes: ExportedAttributes): Content {
  const set = readBits(args.resultFile, vertices)
  const { size, hash } = set.summary()
  if (args.hash !== undefined && hash !== args.hash) throw otherResult(args.resultFile, hash, args.hash)
  return {
    members: size,
    chunks: setChunks(args, { set, size, labels: openLabels(args.folder, vertices) }, attributes),
  }
}

function matchingOf(args: ExportArgs, read: GraphRead, attributes: ExportedAttributes): Content {
  const { vertices } = read.graph
  const matching = readMates(args.resultFile, vertices)
  const { pairs, hash } = matching.summary()
  if ((args.hash !== undefined && hash !== args.hash) || !matching.isMutual)
    throw otherResult(args.resultFile, hash, args.hash ?? 'mates of each other')
  if (args.format === 'quotient') return { members: pairs, chunks: textChunks(quotient(aggregatesOf(matching), read)) }
  return { members: pairs, chunks: matchingChunks(args, matching, openLabels(args.folder, vertices), attributes) }
}

interface ExportedSet {
  readonly set: VertexSet
  readonly size: number
  readonly labels: Labels
}

function setChunks(
  { format, spreadsheetSafe }: ExportArgs,
  { set, size, labels }: ExportedSet,
  attributes: ExportedAttributes,
): Chunks {
  switch (format) {
    case 'ids':
      return textChunks(mapped(set.members(), (v) => `${labels.of(v)}\n`))
    case 'csv':
      return textChunks(
        vertexRows(
          'in',
          set.vertices,
          (v) => Number(set.has(v)),
          labels,
          spreadsheetSafe,
          attributes.csvOfVertices(['id', 'in'], spreadsheetSafe),
        ),
      )
    case 'bits':
      return [set.bytes]
    case 'npy':
      return npyIds(set, size, labels)
    case 'parquet': {
      const more = attributes.ofVertices(['id'])
      return parquetFile(
        [idColumn('id', labels), ...parquetColumns(more.columns)],
        mapped(rowGroups(set.members()), (group) => [idsOf(group, labels), ...parquetValues(more, group)]),
      )
    }
    case 'aggregate':
    case 'classes':
    case 'prolongation':
    case 'quotient':
      throw otherKind(format, 'a set', 'ids, csv, bits, npy or parquet')
  }
}

function matchingChunks(
  { format, spreadsheetSafe: safe }: ExportArgs,
  matching: Matching,
  labels: Labels,
  attributes: ExportedAttributes,
): Chunks {
  const more = attributes.ofPairs(['source', 'target'])
  switch (format) {
    case 'ids':
      return textChunks(mapped(matching.pairs(), ([u, v]) => `${labels.of(u)}\t${labels.of(v)}\n`))
    case 'csv':
      return textChunks(pairRows(matching, labels, more, safe))
    case 'parquet':
      return parquetFile(
        [idColumn('source', labels), idColumn('target', labels), ...parquetColumns(more.columns)],
        mapped(rowGroups(matching.pairs()), (pairs) => [
          ...[0, 1].map((end) =>
            idsOf(
              pairs.map((pair) => pair[end]!),
              labels,
            ),
          ),
          ...parquetValues(more, pairs),
        ]),
      )
    case 'aggregate': {
      const aggregates = aggregatesOf(matching)
      return textChunks(
        vertexRows(
          'aggregate',
          aggregates.length,
          (v) => aggregates[v]!,
          labels,
          safe,
          attributes.csvOfVertices(['id', 'aggregate'], safe),
        ),
      )
    }
    case 'npy': {
      const aggregates = aggregatesOf(matching)
      return [npyHeader('<u4', aggregates.length), new Uint8Array(aggregates.buffer)]
    }
    case 'prolongation':
      return textChunks(prolongation(aggregatesOf(matching)))
    case 'bits':
    case 'classes':
    case 'quotient':
      throw otherKind(format, 'a matching', 'ids, csv, parquet, aggregate, npy, prolongation or quotient')
  }
}

function* mapped<T, U>(items: Iterable<T>, map: (item: T) => U): Generator<U> {
  for (const item of items) yield map(item)
}

function* pairRows(
  matching: Matching,
  labels: Labels,
  more: AttributeColumns<readonly [number, number]>,
  safe?: boolean,
): Generator<string> {
  yield `source,target${csvNames(more.columns, safe)}\n`
  for (const pair of matching.pairs()) {
    const [u, v] = pair.map((end) => csvField(labels.of(end), safe))
    yield `${u},${v}${csvCells(more.of(pair), safe)}\n`
  }
}

/** For coarsening: matched vertices share an aggregate, numbered from 0 by its smaller vertex. */
function aggregatesOf({ mates }: Matching): Uint32Array {
  const aggregates = new Uint32Array(mates.length)
  let count = 0
  for (let v = 0; v < mates.length; v++) {
    const mate = mates[v]!
    aggregates[v] = mate !== NO_MATE && mate < v ? aggregates[mate]! : count++
  }
  return aggregates
}

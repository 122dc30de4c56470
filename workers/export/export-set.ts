import type { JobContext } from '../base/job.ts'
import type { ExportArgs, ExportOutcome } from '../contract/jobs.ts'
import { type Labels, openLabels } from '../graph/labels.ts'
import { type Matching, NO_MATE, readMates } from '../graph/matching.ts'
import { openGraph } from '../graph/open-graph.ts'
import { otherResult } from '../graph/result-file.ts'
import { readBits, type VertexSet } from '../graph/vertex-set.ts'
import { readValues } from '../graph/vertex-values.ts'
import { npyHeader, npyIds } from './formats/npy-file.ts'
import { idColumn, idsOf, parquetFile, rowGroups } from './formats/parquet-file.ts'
import { csvField, requireCells, vertexRows } from './formats/text-writers.ts'
import { entryOfValues, otherKind, prolongation, valuesChunks } from './formats/values-writers.ts'
import { textChunks, writeChunks } from './write-chunks.ts'

type Chunks = Iterable<Uint8Array>

export async function exportSet(args: ExportArgs, job: JobContext): Promise<ExportOutcome> {
  requireCells(args.format, args.spreadsheetSafe)
  const graph = openGraph(args.folder, args.checksum, job)
  graph.close()
  const { members, chunks } = contentOf(args, graph.vertices)
  const { bytes } = await writeChunks(args.output, chunks, job)
  return { files: [args.output], bytes, members }
}

interface Content {
  readonly members: number
  readonly chunks: Chunks
}

function contentOf(args: ExportArgs, vertices: number): Content {
  switch (args.kind) {
    case 'matching':
      return matchingOf(args, vertices)
    case 'values': {
      const values = readValues(args.resultFile, vertices, args.hash)
      const entry = entryOfValues(args.algorithm ?? '')
      return { members: vertices, chunks: valuesChunks(args, values, entry, openLabels(args.folder, vertices)) }
    }
    case 'independent-set':
    case undefined:
      return setOf(args, vertices)
  }
}

function setOf(args: ExportArgs, vertices: number): Content {
  const set = readBits(args.resultFile, vertices)
  const { size, hash } = set.summary()
  if (args.hash !== undefined && hash !== args.hash) throw otherResult(args.resultFile, hash, args.hash)
  return { members: size, chunks: setChunks(args, set, size, openLabels(args.folder, vertices)) }
}

function matchingOf(args: ExportArgs, vertices: number): Content {
  const matching = readMates(args.resultFile, vertices)
  const { pairs, hash } = matching.summary()
  if ((args.hash !== undefined && hash !== args.hash) || !matching.isMutual)
    throw otherResult(args.resultFile, hash, args.hash ?? 'mates of each other')
  return { members: pairs, chunks: matchingChunks(args, matching, openLabels(args.folder, vertices)) }
}

function setChunks({ format, spreadsheetSafe }: ExportArgs, set: VertexSet, size: number, labels: Labels): Chunks {
  switch (format) {
    case 'ids':
      return textChunks(mapped(set.members(), (v) => `${labels.of(v)}\n`))
    case 'csv':
      return textChunks(vertexRows('in', set.vertices, (v) => Number(set.has(v)), labels, spreadsheetSafe))
    case 'bits':
      return [set.bytes]
    case 'npy':
      return npyIds(set, size, labels)
    case 'parquet':
      return parquetFile(
        [idColumn('id', labels)],
        mapped(rowGroups(set.members()), (group) => [idsOf(group, labels)]),
      )
    case 'aggregate':
    case 'classes':
    case 'prolongation':
      throw otherKind(format, 'a set', 'ids, csv, bits, npy or parquet')
  }
}

function matchingChunks({ format, spreadsheetSafe: safe }: ExportArgs, matching: Matching, labels: Labels): Chunks {
  switch (format) {
    case 'ids':
      return textChunks(mapped(matching.pairs(), ([u, v]) => `${labels.of(u)}\t${labels.of(v)}\n`))
    case 'csv':
      return textChunks(pairRows(matching, labels, safe))
    case 'parquet':
      return parquetFile(
        [idColumn('source', labels), idColumn('target', labels)],
        mapped(rowGroups(matching.pairs()), (pairs) =>
          [0, 1].map((end) =>
            idsOf(
              pairs.map((pair) => pair[end]!),
              labels,
            ),
          ),
        ),
      )
    case 'aggregate': {
      const aggregates = aggregatesOf(matching)
      return textChunks(vertexRows('aggregate', aggregates.length, (v) => aggregates[v]!, labels, safe))
    }
    case 'npy': {
      const aggregates = aggregatesOf(matching)
      return [npyHeader('<u4', aggregates.length), new Uint8Array(aggregates.buffer)]
    }
    case 'prolongation':
      return textChunks(prolongation(aggregatesOf(matching)))
    case 'bits':
    case 'classes':
      throw otherKind(format, 'a matching', 'ids, csv, parquet, aggregate, npy or prolongation')
  }
}

function* mapped<T, U>(items: Iterable<T>, map: (item: T) => U): Generator<U> {
  for (const item of items) yield map(item)
}

function* pairRows(matching: Matching, labels: Labels, safe?: boolean): Generator<string> {
  yield 'source,target\n'
  for (const [u, v] of matching.pairs()) yield `${csvField(labels.of(u), safe)},${csvField(labels.of(v), safe)}\n`
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

import { Failure } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import type { ExportArgs, ExportOutcome } from '../contract/jobs.ts'
import { type Labels, openLabels } from '../graph/labels.ts'
import { type Matching, NO_MATE, readMates } from '../graph/matching.ts'
import { openGraph } from '../graph/open-graph.ts'
import { otherResult } from '../graph/result-file.ts'
import { readBits, type VertexSet } from '../graph/vertex-set.ts'
import { idColumn, idsOf, parquetFile, rowGroups } from './formats/parquet-file.ts'
import { csvField, requireCells } from './formats/text-writers.ts'
import { textChunks, writeChunks } from './write-chunks.ts'

const NPY_MAGIC = Buffer.from('\u0093NUMPY\u0001\u0000', 'latin1')
const NPY_ALIGNMENT = 64
/** Characters of fixed-width strings written at once. */
const TEXT_CHARACTERS = 1 << 18

type Chunks = Iterable<Uint8Array>

/** Job `export`: writes a set or a matching in the user's own ids. */
export async function exportSet(args: ExportArgs, job: JobContext): Promise<ExportOutcome> {
  requireCells(args.format, args.spreadsheetSafe)
  const graph = openGraph(args.folder, args.checksum, job)
  graph.close()
  const { members, chunks } = args.kind === 'matching' ? matchingOf(args, graph.vertices) : setOf(args, graph.vertices)
  const { bytes } = await writeChunks(args.output, chunks, job)
  return { files: [args.output], bytes, members }
}

function setOf(args: ExportArgs, vertices: number): { members: number; chunks: Chunks } {
  const set = readBits(args.resultFile, vertices)
  const { size, hash } = set.summary()
  if (args.hash !== undefined && hash !== args.hash) throw otherResult(args.resultFile, hash, args.hash)
  return { members: size, chunks: setChunks(args, set, size, openLabels(args.folder, vertices)) }
}

function matchingOf(args: ExportArgs, vertices: number): { members: number; chunks: Chunks } {
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
    case 'bits':
      throw otherKind(format, 'a matching', 'ids, csv, parquet, aggregate or npy')
  }
}

function otherKind(format: string, of: string, better: string): Failure {
  return new Failure({
    code: 'usage',
    what: `${of} cannot be written as ${format}`,
    remedy: `Use ${better}.`,
  })
}

function* mapped<T, U>(items: Iterable<T>, map: (item: T) => U): Generator<U> {
  for (const item of items) yield map(item)
}

function* pairRows(matching: Matching, labels: Labels, safe?: boolean): Generator<string> {
  yield 'source,target\n'
  for (const [u, v] of matching.pairs()) yield `${csvField(labels.of(u), safe)},${csvField(labels.of(v), safe)}\n`
}

function* vertexRows(
  column: string,
  vertices: number,
  valueOf: (v: number) => number,
  labels: Labels,
  safe?: boolean,
): Generator<string> {
  yield `id,${column}\n`
  for (let v = 0; v < vertices; v++) yield `${csvField(labels.of(v), safe)},${valueOf(v)}\n`
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

/** NumPy .npy, version 1.0, one dimension: magic, length, dictionary, padding to 64 bytes. */
function npyHeader(dtype: string, length: number): Uint8Array {
  const dictionary = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${length},), }`
  const unpadded = NPY_MAGIC.length + 2 + dictionary.length + 1
  const text = Buffer.from(`${dictionary}${' '.repeat((NPY_ALIGNMENT - (unpadded % NPY_ALIGNMENT)) % NPY_ALIGNMENT)}\n`)
  const size = Buffer.alloc(2)
  size.writeUInt16LE(text.length)
  return Buffer.concat([NPY_MAGIC, size, text])
}

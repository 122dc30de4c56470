import { Failure } from '../base/failure.ts'
import type { Labels } from '../graph/labels.ts'
import { openLabels } from '../graph/labels.ts'
import { readMates } from '../graph/matching.ts'
import { otherResult } from '../graph/result-file.ts'
import { openGraph } from '../graph/open-graph.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import type { JobContext } from '../base/job.ts'
import { throwIfCancelled } from '../base/job.ts'
import type { ExportArgs, ExportOutcome } from '../contract/jobs.ts'
import { OutputFile } from '../base/output-file.ts'
import { readBits } from '../graph/vertex-set.ts'
import { csvField, requireCells } from './formats/csv-field.ts'
import type { ExportedMatching } from './formats/matching-writers.ts'
import {
  aggregateLines,
  aggregateNpyChunks,
  pairCsvLines,
  pairLines,
  pairParquetChunks,
} from './formats/matching-writers.ts'
import { parquetSetChunks } from './formats/parquet-set.ts'
import { npyHeader } from './npy.ts'

const CHUNK_BYTES = 1 << 20

/** Job `export`: writes a set or a matching for other programs, in the user's own ids. */
export function exportSet(args: ExportArgs, job: JobContext): ExportOutcome {
  requireCells(args.format, args.spreadsheetSafe)
  const graph = openGraph(args.folder, args.checksum, job)
  graph.close()
  if (args.kind === 'matching') return exportMatching(args, graph.vertices, job)
  const set = readBits(args.resultFile, graph.vertices)
  const { size, hash } = set.summary()
  if (args.hash !== undefined && hash !== args.hash) throw otherResult(args.resultFile, hash, args.hash)
  const labels = openLabels(args.folder, graph.vertices)
  const bytes = writeChunks(args.output, chunksOf(args, set, size, labels), job)
  return { files: [args.output], bytes, members: size }
}

function exportMatching(args: ExportArgs, vertices: number, job: JobContext): ExportOutcome {
  const matching = readMates(args.resultFile, vertices)
  const { pairs, hash } = matching.summary()
  if ((args.hash !== undefined && hash !== args.hash) || !matching.isMutual)
    throw otherResult(args.resultFile, hash, args.hash ?? 'mates of each other')
  const labels = openLabels(args.folder, vertices)
  const bytes = writeChunks(args.output, matchingChunks(args, { matching, labels }), job)
  return { files: [args.output], bytes, members: pairs }
}

function matchingChunks({ format, spreadsheetSafe }: ExportArgs, exported: ExportedMatching): Iterable<Uint8Array> {
  switch (format) {
    case 'ids':
      return textChunks(pairLines(exported))
    case 'csv':
      return textChunks(pairCsvLines(exported, spreadsheetSafe))
    case 'parquet':
      return pairParquetChunks(exported)
    case 'aggregate':
      return textChunks(aggregateLines(exported, spreadsheetSafe))
    case 'npy':
      return aggregateNpyChunks(exported)
    case 'bits':
      throw otherKind(format, 'a matching', 'ids, csv, parquet, aggregate or npy')
  }
}

function otherKind(format: string, of: string, better: string): Failure {
  return new Failure({
    code: 'usage',
    where: `--format ${format}`,
    what: `${of} cannot be written so`,
    remedy: `Use ${better}.`,
  })
}

function chunksOf(
  { format, spreadsheetSafe }: ExportArgs,
  set: VertexSet,
  size: number,
  labels: Labels,
): Iterable<Uint8Array> {
  switch (format) {
    case 'ids':
      return textChunks(idLines(set, labels))
    case 'csv':
      return textChunks(csvLines(set, labels, spreadsheetSafe))
    case 'bits':
      return [set.bytes]
    case 'npy':
      return npyChunks(set, size, labels)
    case 'parquet':
      return parquetSetChunks(set, labels)
    case 'aggregate':
      throw otherKind(format, 'a set', 'ids, csv, bits, npy or parquet')
  }
}

function* idLines(set: VertexSet, labels: Labels): Generator<string> {
  for (const v of set.members()) yield `${labels.of(v)}\n`
}

function* csvLines(set: VertexSet, labels: Labels, safe: boolean | undefined): Generator<string> {
  yield 'id,in\n'
  for (let v = 0; v < set.vertices; v++) yield `${csvField(labels.of(v), safe)},${set.has(v) ? 1 : 0}\n`
}

function* textChunks(lines: Iterable<string>): Generator<Uint8Array> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < CHUNK_BYTES) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** Member ids as u64, or as fixed-width UTF-32 strings where labels are text. */
function* npyChunks(set: VertexSet, size: number, labels: Labels): Generator<Uint8Array> {
  if (labels.kind !== 'text') {
    yield npyHeader('<u8', size)
    for (const v of set.members()) yield new Uint8Array(BigUint64Array.of(labels.number(v) ?? 0n).buffer)
    return
  }
  let width = 1
  for (const v of set.members()) width = Math.max(width, [...labels.of(v)].length)
  yield npyHeader(`<U${width}`, size)
  for (const v of set.members()) {
    const points = new Uint32Array(width)
    ;[...labels.of(v)].forEach((character, i) => (points[i] = character.codePointAt(0) ?? 0))
    yield new Uint8Array(points.buffer)
  }
}

/** Gathers small chunks and writes them. Returns the bytes written. */
function writeChunks(path: string, chunks: Iterable<Uint8Array>, job: JobContext): number {
  const output = new OutputFile(path)
  let bytes = 0
  try {
    for (const chunk of gathered(chunks)) {
      throwIfCancelled(job.signal)
      output.write(chunk)
      bytes += chunk.length
      job.progress({ phase: 'write', done: bytes, unit: 'bytes' })
    }
    output.finish()
    return bytes
  } finally {
    output.discard()
  }
}

function* gathered(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES)
  let used = 0
  for (const chunk of chunks) {
    if (used + chunk.length > CHUNK_BYTES) {
      if (used > 0) yield buffer.subarray(0, used)
      used = 0
    }
    if (chunk.length > CHUNK_BYTES) yield chunk
    else {
      buffer.set(chunk, used)
      used += chunk.length
    }
  }
  if (used > 0) yield buffer.subarray(0, used)
}

/**
 * In bounded memory: labels get ids, both directions of entries go into buckets of sources, and one bucket at a time becomes part of graph.gr.
 * Stages are kept in a journal (scratch-work.ts), so that an interrupted import resumes behind the last one. rank-labels.ts gives ids,
 * entry-buckets.ts partitions, bucket-builder.ts builds.
 */

import { join } from 'node:path'
import { BehindFlusher, openFile, readFully, writeFully } from '../../base/file-bytes.ts'
import { finishSums, PIECE_BYTES, pieceBytes, SumsBuilder } from '../../base/sums.ts'
import { readKeptTable } from './kept-table.ts'
import type { StoredAs } from '../reader/weight-codes.ts'
import { behindGraph, type WeightForm } from '../../graph/weight-values.ts'
import { GRAPH_FILE, grLayout, writeGrHeader } from '../../graph/graph-file.ts'
import { LABELS_FILE } from '../../graph/labels.ts'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import {
  type ArcCounts,
  type CountedGraph,
  type WeightMerge,
  addCounts,
  countedGraph,
  noArcs,
} from '../build/merged-arcs.ts'
import { type Bucket, capacityOf, recordsIn } from '../build/bucket-builder.ts'
import { bucketBounds, type ChunkIndex, chunksByBucket, mostBuckets, type Partitioned } from '../build/entry-buckets.ts'
import { OccurringIds } from '../reader/input-ids.ts'
import { sampleEnds, type GraphEntries, sourceOf, type StoredEntries, type StoredSpace } from '../build/entry-source.ts'
import { type RankedLabels, rankLabels } from './rank-labels.ts'
import { ScratchFiles } from '../build/scratch-file.ts'
import type { Scratch } from './spilled-entries.ts'
import { bytesOf } from '../../base/words.ts'

/** The share that is filled of what can be sorted at once. */
const FILL = 0.6
const STEP_WORDS = 1 << 14
const COPY_BYTES = 1 << 20

interface ExternalGraph {
  readonly entries: GraphEntries
  readonly space: StoredSpace
  readonly weighted: boolean
  /** Absent: floats. */
  readonly storedAs?: StoredAs
  readonly merge: WeightMerge
}

export interface BuiltGraph {
  readonly counted: CountedGraph
  readonly maxDegree: number
  readonly entries: number
  readonly checksum: string
  readonly bytes: number
}

/**
 * Builds a graph through the disk.
 * @returns null for entries that a reader has to decide on @throws Failure (input) for too many vertices; (storage); (cancelled)
 */
export async function buildExternal(
  graph: ExternalGraph,
  scratch: Scratch,
  job: JobContext,
): Promise<BuiltGraph | null> {
  const files = new ScratchFiles()
  try {
    return await buildStages(graph, scratch, files, job)
  } finally {
    files.close()
  }
}

/** Builds entries that no file holds, which are regular. @throws Failure as {@link buildExternal} */
export async function buildEntries(graph: ExternalGraph, scratch: Scratch, job: JobContext): Promise<BuiltGraph> {
  const built = await buildExternal(graph, scratch, job)
  if (built === null) throw new Error('entries that no file holds need a reader')
  return built
}

async function buildStages(
  graph: ExternalGraph,
  scratch: Scratch,
  files: ScratchFiles,
  job: JobContext,
): Promise<BuiltGraph | null> {
  const scheduler = new YieldScheduler(job)
  const stored = graph.entries.kind === 'stored' ? graph.entries : null
  const occurring = stored === null ? null : readOccurring(stored, files)
  const segments = stored?.segments ?? []
  const labelsPath = join(scratch.dataset, LABELS_FILE)
  const sizes = { folder: scratch.folder, memoryBytes: scratch.shares.mergeBytes }
  const labels = await scratch.stage('labels', () =>
    rankLabels({ space: graph.space, segments, occurring, labelsPath, ...sizes }, scheduler),
  )
  const partitioned = await scratch.stage('partition', () => partition(graph, labels, occurring, scratch, files, job))
  if (partitioned === null) return null
  for (const path of new Set(segments.map(({ path }) => path))) files.remove(path)
  // A resumed import sums the graph anew.
  const sums = new SumsBuilder()
  const built = await scratch.stage('build', () =>
    build(graph, labels.vertices, partitioned, scratch, files, job, sums),
  )
  for (const { path } of partitioned.files) files.remove(path)
  const weightsPath = graph.weighted ? join(scratch.folder, 'weights') : null
  const { vertices } = labels
  const table = graph.storedAs === 'table' ? readKeptTable(scratch.folder) : null
  const form = { table, areDecimals: graph.storedAs === 'decimals' }
  const file = { path: join(scratch.dataset, GRAPH_FILE), weightsPath, form, vertices, arcs: built.arcs }
  const { checksum, bytes } = await scratch.stage('write', () => finishGraphFile(file, files, sums, scheduler))
  if (weightsPath !== null) files.remove(weightsPath)
  const { entries, loops } = partitioned
  const of = { entries, form: graph.weighted ? form : null, vertices, labels: labels.labels }
  const counted = countedGraph({ ...built, loops }, of)
  return { counted, entries, maxDegree: built.maxDegree, checksum, bytes: bytes + labels.labelsBytes }
}

function readOccurring({ bitmapPath, bitmapWords }: StoredEntries, files: ScratchFiles): OccurringIds | null {
  if (bitmapPath === null) return null
  const pairs = new Int32Array(new SharedArrayBuffer(8 * bitmapWords))
  const words = new Int32Array(Math.min(bitmapWords, STEP_WORDS))
  for (let first = 0; first < bitmapWords; first += STEP_WORDS) {
    const some = words.subarray(0, Math.min(STEP_WORDS, bitmapWords - first))
    files.read(bitmapPath, bytesOf(some), 4 * first)
    for (let i = 0; i < some.length; i++) pairs[2 * (first + i)] = some[i]!
  }
  return new OccurringIds(pairs)
}

type Partition = NonNullable<Awaited<ReturnType<typeof partition>>>

const indexOf = (path: string): string => `${path}.index`

async function partition(
  { entries, weighted }: ExternalGraph,
  labels: RankedLabels,
  occurring: OccurringIds | null,
  { folder, shares, pool }: Scratch,
  scratchFiles: ScratchFiles,
  job: JobContext,
) {
  const { source, slices, total, entriesInAll } = sourceOf(entries, labels.base, occurring)
  const recordWords = weighted ? 3 : 2
  const wanted = Math.ceil((2 * entriesInAll) / FILL / capacityOf(shares.bucketBytes, recordWords))
  const buckets = Math.max(1, Math.min(wanted, mostBuckets(shares.partitionBytes)))
  const ends = buckets === 1 ? new Uint32Array(0) : sampleEnds(source, slices, buckets)
  if (ends === null) return null
  const bounds = bucketBounds(ends, labels.vertices, buckets)
  const plan = { source, bounds, recordWords, budgetBytes: shares.partitionBytes } as const
  await pool.open('partition', (i) => ({ ...plan, path: join(folder, `buckets-${i}`) }))
  const phase = source.kind === 'model' ? 'generate' : 'partition'
  let done = 0
  const areRegular = await pool.spread('partition', 'take', slices, (isRegular, number) => {
    if (!isRegular) return false
    done += slices[number]!.end - slices[number]!.first
    job.progress({ phase, done, total, unit: 'arcs' })
  })
  if (!areRegular) return null
  const parts = await pool.finish('partition')
  /** With the words of the index beside each. */
  const files = parts.map(({ path, chunks }) => {
    scratchFiles.create(indexOf(path))
    scratchFiles.write(indexOf(path), bytesOf(chunks), 0)
    return { path, chunks: chunks.length }
  })
  const sum = (of: (part: Partitioned) => number) => parts.reduce((all, part) => all + of(part), 0)
  const counts = { entries: sum((part) => part.entries), loops: sum((part) => part.loops) }
  return { bounds: [...bounds], files, ...counts }
}

async function build(
  { merge, weighted }: ExternalGraph,
  vertices: number,
  { bounds, files }: Partition,
  { folder, dataset, shares, pool }: Scratch,
  scratchFiles: ScratchFiles,
  job: JobContext,
  sums: SumsBuilder,
): Promise<ArcCounts> {
  const graphPath = join(dataset, GRAPH_FILE)
  const weightsPath = weighted ? join(folder, 'weights') : null
  const recordWords = weighted ? 3 : 2
  scratchFiles.create(graphPath)
  if (weightsPath !== null) scratchFiles.create(weightsPath)
  const turn = new Int32Array(new SharedArrayBuffer(4))
  const position = new Float64Array(new SharedArrayBuffer(8))
  const shared = { turn, position }
  const plan = { graphPath, weightsPath, vertices, merge, budgetBytes: shares.bucketBytes, ...shared } as const
  await pool.open('build', (i) => ({ ...plan, recordWords, splitPath: join(folder, `split-${i}`) }))
  const paths = files.map(({ path }) => path)
  const places = chunksByBucket(
    files.map(({ path, chunks }): ChunkIndex => {
      const index = new Uint32Array(chunks)
      scratchFiles.read(indexOf(path), bytesOf(index), 0)
      return { path, chunks: index }
    }),
    bounds.length - 1,
    recordWords,
  )
  const tasks = places.map((places, number) => {
    const bucket: Bucket = { first: bounds[number]!, last: bounds[number + 1]!, paths, places }
    return { number, bucket }
  })
  const total = places.reduce((records, of) => records + recordsIn(of), 0)
  let done = 0
  const sum = noArcs()
  await pool.spread('build', 'build', tasks, (counts, number) => {
    addCounts(sum, counts)
    done += recordsIn(places[number]!)
    job.progress({ phase: 'build', done, total, unit: 'arcs' })
  })
  for (const pieces of await pool.finish('build')) sums.take(pieces)
  return sum
}

interface UnfinishedGraph {
  readonly path: string
  readonly weightsPath: string | null
  /** Absent: weights are 32-bit floats. */
  readonly form?: WeightForm
  readonly vertices: number
  readonly arcs: number
}

/**
 * Completes graph.gr behind its lists, and flushes it. Its input stays: the stage may be repeated. @param sums so far
 * @throws Failure (storage); (cancelled)
 */
export async function finishGraphFile(
  graph: UnfinishedGraph,
  files: ScratchFiles,
  sums: SumsBuilder,
  scheduler: YieldScheduler,
): Promise<{ checksum: string; bytes: number }> {
  const { path, weightsPath, form = { table: null, areDecimals: false }, vertices, arcs } = graph
  const layout = grLayout(vertices, arcs, weightsPath !== null)
  const file = openFile(path, 'r+')
  const flusher = new BehindFlusher(file, path)
  try {
    writeGrHeader(file, path, vertices, arcs, weightsPath !== null)
    for (let at = 0; weightsPath !== null && at < 4 * arcs; at += COPY_BYTES) {
      const weights = new Uint8Array(Math.min(COPY_BYTES, 4 * arcs - at))
      files.read(weightsPath, weights, at)
      writeFully(file, weights, layout.weightsAt + at, path)
      sums.add(layout.weightsAt + at, weights)
      await scheduler.yield({ phase: 'write', done: at, total: layout.fileBytes, unit: 'bytes' })
    }
    const behind = behindGraph(form, layout.fileBytes)
    writeFully(file, behind, layout.fileBytes, path)
    sums.add(layout.fileBytes, behind)
    const bytes = layout.fileBytes + behind.length
    await sumRest(file, path, bytes, sums, scheduler)
    const { root } = finishSums(path, sums)
    await flusher.finish()
    return { checksum: root, bytes }
  } finally {
    await flusher.close()
  }
}

/** Pieces that no thread wrote as a whole. @throws Failure (storage); (cancelled) */
async function sumRest(file: number, path: string, fileBytes: number, sums: SumsBuilder, scheduler: YieldScheduler) {
  for (const piece of sums.missing(fileBytes)) {
    const bytes = new Uint8Array(pieceBytes(fileBytes, piece))
    readFully(file, bytes, piece * PIECE_BYTES, path)
    sums.addPiece(piece, bytes)
    await scheduler.yield({ phase: 'write', done: piece * PIECE_BYTES, total: fileBytes, unit: 'bytes' })
  }
}

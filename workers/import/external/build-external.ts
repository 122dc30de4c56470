import { closeSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SumsBuilder } from '../../base/sums.ts'
import { openFile } from '../../base/file-bytes.ts'
import { LABELS_FILE } from '../../graph/labels.ts'
import type { JobContext } from '../../base/job.ts'
import type { CountedGraph } from '../import-report.ts'
import { YieldScheduler } from '../../threads/yield-scheduler.ts'
import { addCounts, type ArcCounts, noArcs } from './arc-output.ts'
import { type Bucket, capacityOf, recordsIn } from './bucket-builder.ts'
import { bucketBounds, type ChunkIndex, chunksByBucket, mostBuckets, type Partitioned } from './buckets.ts'
import { IrregularEntries, type StoredSpace, sampleEnds, sourceOf } from './source-slices.ts'
import { finishGraphFile } from './finish-graph-file.ts'
import type { Journal } from './scratch-work.ts'
import { OccurringBits, type RankedRun } from './entry-ids.ts'
import { finishLabels, type RankedLabels, rankLabels } from './rank-labels.ts'
import { bytesOf, ScratchFiles } from './scratch-file.ts'
import type { StoredEntries, Scratch } from './spilled-entries.ts'
import type { WeightMerge } from './weight-merge.ts'

/** Of what can be sorted at once. */
const FILL = 0.6

export interface ExternalGraph {
  readonly entries: StoredEntries
  readonly space: StoredSpace
  readonly weighted: boolean
  readonly merge: WeightMerge
}

/** In the folder {@link DATASET_FOLDER}. */
export interface BuiltGraph {
  readonly counted: CountedGraph
  readonly maxDegree: number
  readonly entries: number
  readonly checksum: string
  readonly bytes: number
}

export const DATASET_FOLDER = 'dataset'

/**
 * In bounded memory: labels get ids, both directions of entries go into buckets of sources, and one bucket at a time
 * becomes part of graph.gr. @throws Failure (input) for too many vertices; (storage); (cancelled); IrregularEntries
 */
export async function buildExternal(
  graph: ExternalGraph,
  scratch: Scratch,
  journal: Pick<Journal, 'stage'>,
  job: JobContext,
): Promise<BuiltGraph> {
  const files = new ScratchFiles()
  try {
    return await buildStages(graph, scratch, files, journal, job)
  } finally {
    files.close()
  }
}

async function buildStages(
  graph: ExternalGraph,
  scratch: Scratch,
  files: ScratchFiles,
  journal: Pick<Journal, 'stage'>,
  job: JobContext,
): Promise<BuiltGraph> {
  const scheduler = new YieldScheduler(job)
  const folder = join(scratch.folder, DATASET_FOLDER)
  mkdirSync(folder, { recursive: true })
  const bits = readBits(graph.entries, files)
  const labels = await journal.stage('labels', () => meaningOf(graph, scratch, bits, folder, scheduler))
  const partitioned = await journal.stage('partition', () => partition(graph, labels, bits, scratch, files, job))
  for (const path of new Set(graph.entries.segments.map(({ path }) => path))) files.remove(path)
  // A resumed import sums the graph anew.
  const sums = new SumsBuilder()
  const built = await journal.stage('build', () =>
    build(graph, labels.vertices, partitioned, scratch, files, job, folder, sums),
  )
  for (const { path } of partitioned.files) files.remove(path)
  const weightsPath = graph.weighted ? join(scratch.folder, 'weights') : null
  const { vertices } = labels
  const file = { path: join(folder, 'graph.gr'), weightsPath, vertices, arcs: built.arcs }
  const { checksum, bytes } = await journal.stage('write', () =>
    finishGraphFile(file, sums, { pool: scratch.pool, job, scheduler }),
  )
  if (weightsPath !== null) files.remove(weightsPath)
  const counted = {
    vertices,
    arcs: built.arcs,
    loopsRemoved: partitioned.loops,
    duplicatesMerged: built.duplicates,
    reverseArcsAdded: built.reversed,
    isolatedVertices: built.isolated,
    labels: labels.labels,
    weights: graph.weighted
      ? { smallest: built.arcs === 0 ? 0 : built.smallestWeight, largest: built.largestWeight }
      : null,
  }
  return {
    counted,
    entries: partitioned.entries,
    maxDegree: built.maxDegree,
    checksum,
    bytes: bytes + labels.labelsBytes,
  }
}

function readBits({ bitmapPath, bitmapWords }: StoredEntries, files: ScratchFiles): OccurringBits | null {
  if (bitmapPath === null) return null
  const words = new Int32Array(new SharedArrayBuffer(4 * bitmapWords))
  files.read(bitmapPath, bytesOf(words), 0)
  return new OccurringBits(words)
}

async function meaningOf(
  { entries, space }: ExternalGraph,
  { folder, shares }: Scratch,
  bits: OccurringBits | null,
  datasetFolder: string,
  scheduler: YieldScheduler,
): Promise<RankedLabels> {
  const labelsPath = join(datasetFolder, LABELS_FILE)
  const ranksPath = join(folder, 'ranks')
  const { direct } = entries
  switch (space.kind) {
    case 'occurring':
    case 'text': {
      const kind = space.kind === 'text' ? 'text' : 'integer'
      const { segments } = entries
      const memoryBytes = shares.mergeBytes
      return rankLabels({ kind, segments, bits, direct, folder, labelsPath, memoryBytes }, scheduler)
    }
    case 'counted': {
      const { vertices, base } = space
      const labelsBytes = base === 0 ? 0 : 32
      finishLabels(labelsPath, 'dense', vertices, base, labelsBytes)
      const ends = vertices === 0 ? null : { smallest: String(base), largest: String(base + vertices - 1) }
      const labels = { kind: 'dense', smallest: null, largest: null, ...ends } as const
      return { vertices, labels, base: 0, direct, runs: unrankedRuns(entries), ranksPath, labelsBytes }
    }
  }
}

/** Only told apart by their positions. */
function unrankedRuns({ segments }: StoredEntries): RankedRun[] {
  return segments.flatMap(({ run }) => (run === null ? [] : [run])).map((run, i) => ({ ...run, ranksAt: i }))
}

interface Partition {
  readonly bounds: readonly number[]
  readonly files: readonly { readonly path: string; readonly indexPath: string; readonly chunks: number }[]
  readonly entries: number
  readonly loops: number
  readonly recordWords: 2 | 3
}

async function partition(
  { entries, space, weighted }: ExternalGraph,
  labels: RankedLabels,
  bits: OccurringBits | null,
  { folder, shares, pool }: Scratch,
  scratchFiles: ScratchFiles,
  job: JobContext,
): Promise<Partition> {
  const { source, slices, total, entriesInAll } = sourceOf(entries, space, labels, bits)
  const recordWords = weighted ? 3 : 2
  const wanted = Math.ceil((2 * entriesInAll) / FILL / capacityOf(shares.bucketBytes, recordWords))
  const buckets = Math.max(1, Math.min(wanted, mostBuckets(shares.partitionBytes)))
  const ends = buckets === 1 ? new Uint32Array(0) : sampleEnds(source, slices, buckets)
  const bounds = bucketBounds(ends, labels.vertices, buckets)
  const plan = { source, bounds, recordWords, budgetBytes: shares.partitionBytes } as const
  await pool.open('partition', (i) => ({ ...plan, path: join(folder, `buckets-${i}`) }))
  const phase = source.kind === 'model' ? 'generate' : 'partition'
  let done = 0
  await pool.spread('partition', 'take', slices, (regular, number) => {
    if (!regular) throw new IrregularEntries()
    done += slices[number]!.last - slices[number]!.first
    job.progress({ phase, done, total, unit: 'arcs' })
  })
  const parts = await pool.finish('partition')
  const files = parts.map(({ path, chunks }) => {
    const indexPath = `${path}.index`
    scratchFiles.create(indexPath)
    scratchFiles.write(indexPath, bytesOf(chunks), 0)
    return { path, indexPath, chunks: chunks.length }
  })
  const sum = (of: (part: Partitioned) => number) => parts.reduce((all, part) => all + of(part), 0)
  const counts = { entries: sum((part) => part.entries), loops: sum((part) => part.loops) }
  return { bounds: [...bounds], files, ...counts, recordWords }
}

async function build(
  { merge, weighted }: ExternalGraph,
  vertices: number,
  { bounds, files, recordWords }: Partition,
  { folder, shares, pool }: Scratch,
  scratchFiles: ScratchFiles,
  job: JobContext,
  datasetFolder: string,
  sums: SumsBuilder,
): Promise<ArcCounts> {
  const graphPath = join(datasetFolder, 'graph.gr')
  const weightsPath = weighted ? join(folder, 'weights') : null
  closeSync(openFile(graphPath, 'w'))
  if (weightsPath !== null) scratchFiles.create(weightsPath)
  const turn = new Int32Array(new SharedArrayBuffer(4))
  const position = new Float64Array(new SharedArrayBuffer(8))
  const plan = { graphPath, weightsPath, vertices, merge, recordWords, budgetBytes: shares.bucketBytes, turn, position }
  await pool.open('build', (i) => ({ ...plan, splitPath: join(folder, `split-${i}`) }))
  const paths = files.map(({ path }) => path)
  const places = chunksByBucket(
    files.map(({ path, indexPath, chunks }): ChunkIndex => {
      const index = new Uint32Array(chunks)
      scratchFiles.read(indexPath, bytesOf(index), 0)
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

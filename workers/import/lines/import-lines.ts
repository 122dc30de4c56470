/**
 * Plain lines "u v [w]" with ids below 2^31, in memory: threads parse pieces into buckets of sources, sort each into lists, and write these. The
 * dataset is that of the general import. Time is about that of reading; memory holds all records once. parse-lines.ts parses, list-maker.ts
 * sorts; external/ is the general way.
 */

import { join } from 'node:path'
import { Failure } from '../../base/failure.ts'
import { collectGarbage } from '../../base/host-resources.ts'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import type { Sums } from '../../base/sums.ts'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { GRAPH_FILE, grLayout } from '../../graph/graph-file.ts'
import { LABELS_FILE } from '../../graph/labels.ts'
import { addCounts, type ArcCounts, countedGraph, noArcs, type WeightMerge } from '../build/merged-arcs.ts'
import { OccurringIds } from '../reader/input-ids.ts'
import { importBytes } from '../reader/text-source.ts'
import { filesOf, importThreads, type ImportTuning } from '../reader/import-resources.ts'
import { ThreadPool, writePieces } from '../build/import-threads.ts'
import { hashFiles, writtenSince } from '../formats/stored-file.ts'
import { OtherReading } from '../reader/other-reading.ts'
import { policyOf } from '../reader/policies.ts'
import { countedReport, factsOf, reportSource } from '../reading/import-report.ts'
import { joined, storedAsOf } from '../reading/read-graph-file.ts'
import { decimalFooter, shortDecimal } from '../../graph/weight-values.ts'
import {
  type DatasetLabels,
  labelFacts,
  labelsBytes,
  makeDatasetFolder,
  appended,
  writeLabels,
  writeReport,
  writeSummed,
} from '../build/write-dataset.ts'
import { rankMemory } from '../build/bucket-sorter.ts'
import { bytesToSort, type FilledBuckets, recordsOf } from '../build/filled-buckets.ts'
import { type ParsedFiles, parseLines } from './parse-lines.ts'
import { type LinesPlan, planLines } from './plan-lines.ts'
import { OtherLines } from '../build/text-parts.ts'

/** Starting threads takes longer. */
const FROM_BYTES = 1 << 20
const COLLECTED_BYTES = 16 << 20

/**
 * Imports plain lines in memory.
 * @returns null for other lines, or too little memory @throws Failure (storage); (cancelled); (input) when the name is taken
 */
export async function importLines(
  args: ImportArgs,
  job: JobContext,
  startedMs: number,
  { lines = {} }: ImportTuning,
): Promise<DatasetFacts | null> {
  const isPlain =
    args.vertices === undefined &&
    args.labels === undefined &&
    args.merge !== 'first' &&
    args.merge !== 'count' &&
    !policyOf(args).needsRange
  if (!isPlain) return null
  const logged: string[] = []
  const quiet: JobContext = { ...job, log: (message) => void logged.push(message) }
  try {
    const requireUnwritten = writtenSince(filesOf(args))
    const bytes = importBytes(args)
    if (bytes < (lines.fromBytes ?? FROM_BYTES)) return null
    const threads = importThreads(args, bytes)
    const plan = await planLines(args, threads, quiet, lines)
    const facts = await importPlanned(args, plan, threads, job, startedMs, requireUnwritten)
    for (const message of logged) job.log(message)
    return facts
  } catch (error) {
    // It reports the fault.
    const isForOthers = error instanceof OtherLines || error instanceof OtherReading
    if (isForOthers || (error instanceof Failure && !isFinal(error))) return null
    throw error
  }
}

const isFinal = ({ code }: Failure): boolean => code === 'cancelled' || code === 'storage'

async function importPlanned(
  args: ImportArgs,
  plan: LinesPlan,
  count: number,
  job: JobContext,
  startedMs: number,
  requireUnwritten: () => void,
): Promise<DatasetFacts> {
  const threads = new ThreadPool(count, job)
  const hashes = hashFiles(
    plan.files.map(({ path }) => path),
    job,
  )
  try {
    const parsed = await parseLines(plan, threads, job)
    const { weighted } = plan.shape
    const policy = plan.files[0]!.reading.context.weights
    const isDecimal = weighted && storedAsOf(args, { policy }) === 'decimals'
    const merge = { rule: args.merge ?? 'max', scale: 1, offset: 0 } as const
    const lists = await makeLists(parsed, plan, merge, threads, job)
    const { vertices, counts } = lists
    const labels = labelsOf(lists)
    const { fileBytes } = grLayout(vertices, counts.arcs, weighted)
    const behind = isDecimal ? decimalFooter(fileBytes) : new Uint8Array(0)
    const graphBytes = fileBytes + behind.length
    const bytes = graphBytes + labelsBytes(labels)
    return await makeDatasetFolder(args.folder, bytes, async (aside) => {
      const written = await writeLists(aside, lists, labels, { buckets: parsed.buckets, weighted }, threads, job)
      const sums = behind.length === 0 ? written : appended(join(aside, GRAPH_FILE), written, behind)
      const digests = await hashes.digests
      requireUnwritten()
      const of = { entries: parsed.entries, weighted, vertices, labels: labelFacts(labels, vertices) }
      const report = countedReport(
        { ...reportOf(args, plan, parsed, digests), startedMs },
        countedGraph(isDecimal ? withDecimals(counts) : counts, of),
      )
      await writeReport(aside, report)
      job.progress({ phase: 'write', done: bytes, total: bytes, unit: 'bytes' })
      return factsOf(report, counts.maxDegree, sums.root, bytes)
    })
  } finally {
    hashes.stop()
    await threads.end()
    // Nothing holds shared memory now.
    if (plan.fileBytes > COLLECTED_BYTES) setImmediate(collectGarbage)
  }
}

function reportOf(args: ImportArgs, { shape }: LinesPlan, { files }: ParsedFiles, digests: readonly string[]) {
  const reads = files.map(({ outcome, compression, fileBytes: sourceBytes, reading, entries }, i) =>
    reading.read(outcome, shape.weighted, { compression, sourceBytes, sourceSha256: digests[i]!, entries }),
  )
  return reportSource(args, { ...reads.reduce(joined), weightMap: null })
}

function withDecimals(counts: ArcCounts): ArcCounts {
  const { arcs, smallestWeight, largestWeight } = counts
  if (arcs === 0) return counts
  return { ...counts, smallestWeight: shortDecimal(smallestWeight), largestWeight: shortDecimal(largestWeight) }
}

type MadeLists = Awaited<ReturnType<typeof makeLists>>

/** Unless one bucket has more. */
const TASK_RECORDS = 1 << 20

/** @throws OtherLines without memory; Failure (input) for weights that add up to too much */
async function makeLists(
  { buckets, idBits, entries, declared }: ParsedFiles,
  { table, sortBytes }: Pick<LinesPlan, 'table' | 'sortBytes'>,
  merge: WeightMerge,
  threads: ThreadPool,
  job: JobContext,
) {
  const { bounds } = table
  const count = bounds.length - 1
  const records = Array.from({ length: count }, (_, bucket) => recordsOf(buckets, bucket))
  if (sortBytes < bytesToSort(table, Math.max(...records))) throw new OtherLines()
  const ranks = rankMemory(2 ** idBits)
  if (ranks === null) throw new OtherLines()
  const arcs = new Float64Array(new SharedArrayBuffer(8 * count))
  await threads.open('lists', () => ({ buckets, bounds, idBits, merge, ranks, arcs }))
  const sum = noArcs()
  await threads.spread('lists', 'make', tasksOf(records, threads.stepsEach(2 * entries, TASK_RECORDS)), (counts) => {
    if (counts === null) throw new OtherLines()
    addCounts(sum, counts)
    job.progress({ phase: 'build', done: sum.records, total: 2 * entries, unit: 'arcs' })
  })
  /** Before each bucket, and in all. */
  const arcsBefore = new Float64Array(count + 1)
  arcs.forEach((more, bucket) => (arcsBefore[bucket + 1] = arcsBefore[bucket]! + more))
  const ids = new OccurringIds(new Int32Array(ranks.buffer))
  // An id that the header does not count.
  if (declared > 0 && (ids.count !== declared || ids.first !== 1)) throw new OtherLines()
  sum.loops -= declared
  const verticesBefore = bounds.map((bound) => ids.before(bound))
  return { counts: sum, vertices: ids.count, arcsBefore, verticesBefore, ranks, ids }
}

/** None is begun when the others are done. */
function tasksOf(records: readonly number[], most: number): number[][] {
  const order = records.map((_, bucket) => bucket).sort((a, b) => records[b]! - records[a]!)
  const tasks: number[][] = []
  let room = 0
  for (const bucket of order) {
    if (records[bucket] === 0) break
    if (room < records[bucket]!) {
      tasks.push([])
      room = most
    }
    tasks.at(-1)!.push(bucket)
    room -= records[bucket]!
  }
  return tasks
}

/** Made as they are written. */
function labelsOf({ ids, vertices }: MadeLists): DatasetLabels {
  const { first: smallest, last: largest } = ids
  if (largest - smallest + 1 === vertices) return { kind: 'dense', base: smallest }
  return { kind: 'integer', count: vertices, smallest, largest, parts: () => ids.labels() }
}

/** @throws Failure (storage); (cancelled) */
async function writeLists(
  aside: string,
  lists: MadeLists,
  labels: DatasetLabels,
  { buckets, weighted }: { readonly buckets: FilledBuckets; readonly weighted: boolean },
  threads: ThreadPool,
  job: JobContext,
): Promise<Sums> {
  const { vertices, counts, arcsBefore, verticesBefore, ranks } = lists
  const { arcs } = counts
  const base = labels.kind === 'dense' ? labels.base : null
  const path = join(aside, GRAPH_FILE)
  const { fileBytes } = grLayout(vertices, arcs, weighted)
  const task = { path, buckets, vertices, arcs, weighted, arcsBefore, verticesBefore, ranks, base }
  const graph = writePieces('graph', task, fileBytes, threads, (bytes) =>
    job.progress({ phase: 'write', done: bytes, total: fileBytes, unit: 'bytes' }),
  )
  const scheduler = new YieldScheduler({ ...job, progress: () => {} })
  const writing =
    labelsBytes(labels) === 0
      ? null
      : writeSummed(join(aside, LABELS_FILE), (file) =>
          writeLabels(file, labels, vertices, () => scheduler.yield({ phase: 'write', done: 0, unit: 'bytes' })),
        )
  const [done] = await Promise.allSettled([graph, writing])
  await writing
  if (done.status === 'rejected') throw done.reason
  return done.value!.sums
}

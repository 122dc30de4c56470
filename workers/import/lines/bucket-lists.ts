/**
 * The lists of a graph out of buckets of records in memory: threads sort bucket after bucket in place, ids get ranks by those that occur, and
 * pieces of the file are written by all threads at once. Time is linear in the records, which stay where they are. import-lines.ts fills buckets
 * from texts, draw-model.ts from a model.
 */

import { join } from 'node:path'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import type { Range } from '../../base/ranges.ts'
import type { Sums } from '../../base/sums.ts'
import { GRAPH_FILE, grLayout } from '../../graph/graph-file.ts'
import { LABELS_FILE } from '../../graph/labels.ts'
import { rankMemory } from '../build/bucket-sorter.ts'
import { type BucketTable, bytesToSort, type FilledBuckets, recordsOf } from '../build/filled-buckets.ts'
import { type ThreadPool, writePieces } from '../build/import-threads.ts'
import { addCounts, noArcs, type WeightMerge } from '../build/merged-arcs.ts'
import { type DatasetLabels, labelsBytes, writeLabels, writeSummed } from '../build/write-dataset.ts'
import { OccurringIds } from '../reader/input-ids.ts'

/** Records of entries, in buckets of sources. */
interface Bucketed {
  readonly buckets: FilledBuckets
  readonly idBits: number
  readonly entries: number
  /** Vertices that were declared, as loops, whether they occur or not; null: those that occur. */
  readonly declared: Range | null
  /** Records of an entry: 1 where entries have both directions already. */
  readonly directions: 1 | 2
}

type MadeLists = NonNullable<Awaited<ReturnType<typeof makeLists>>>

/** Unless one bucket has more. */
const TASK_RECORDS = 1 << 20

/** @returns null without memory, or where ids are other ones than were declared @throws Failure (input) for weights that add up to too much */
export async function makeLists(
  { buckets, idBits, entries, declared, directions }: Bucketed,
  { table, sortBytes }: { readonly table: BucketTable; readonly sortBytes: number },
  merge: WeightMerge,
  threads: ThreadPool,
  job: JobContext,
) {
  const { bounds } = table
  const all = bounds.length - 1
  const records = Array.from({ length: all }, (_, bucket) => recordsOf(buckets, bucket))
  if (sortBytes < bytesToSort(table, Math.max(...records))) return null
  const ranks = rankMemory(2 ** idBits)
  if (ranks === null) return null
  const arcs = new Float64Array(new SharedArrayBuffer(8 * all))
  await threads.open('lists', () => ({ buckets, bounds, idBits, merge, ranks, arcs }))
  const sum = noArcs()
  const total = directions * entries
  const tasks = tasksOf(records, threads.stepsEach(total, TASK_RECORDS))
  const areMade = await threads.spread('lists', 'make', tasks, (counts) => {
    if (counts === null) return false
    addCounts(sum, counts)
    job.progress({ phase: 'build', done: sum.records, total, unit: 'arcs' })
  })
  if (!areMade) return null
  /** Before each bucket, and in all. */
  const arcsBefore = new Float64Array(all + 1)
  arcs.forEach((more, bucket) => (arcsBefore[bucket + 1] = arcsBefore[bucket]! + more))
  const ids = new OccurringIds(new Int32Array(ranks.buffer))
  // An id that the header does not count.
  const count = declared === null ? 0 : declared.end - declared.first
  if (declared !== null && (ids.count !== count || ids.first !== declared.first)) return null
  sum.loops -= count
  // As if each entry had a record for each direction.
  sum.records *= 2 / directions
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
export function labelsOf({ ids, vertices }: MadeLists): DatasetLabels {
  const { first: smallest, last: largest } = ids
  if (largest - smallest + 1 === vertices) return { kind: 'dense', base: smallest }
  return { kind: 'integer', count: vertices, smallest, largest, parts: () => ids.labels() }
}

/** @throws Failure (storage); (cancelled) */
export async function writeLists(
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

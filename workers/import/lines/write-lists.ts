import { join } from 'node:path'
import type { JobContext } from '../../base/job.ts'
import { addCounts, type WeightMerge } from '../external/arc-output.ts'
import { OccurringIds } from '../external/entry-ids.ts'
import { bytesToSort, type FilledBuckets, recordsOf } from './buckets.ts'
import type { ThreadPool } from '../external/thread-pool.ts'
import { writePieces } from '../external/write-pieces.ts'
import { rankMemory } from './bucket-sorter.ts'
import { type ListCounts, noLists } from './list-maker.ts'
import type { LinesPlan } from './plan-lines.ts'
import { OtherLines } from './text-parts.ts'
import type { ParsedFiles } from './parse-lines.ts'
import type { Sums } from '../../base/sums.ts'
import { GRAPH_FILE, grLayout } from '../../graph/graph-file.ts'
import { LABELS_FILE } from '../../graph/labels.ts'
import { YieldScheduler } from '../../threads/yield-scheduler.ts'
import { writeSummed } from '../write-dataset.ts'
import { type DatasetLabels, labelsBytes, writeLabels } from '../write-labels.ts'

interface MadeLists {
  readonly counts: ListCounts
  readonly vertices: number
  readonly arcs: number
  /** Before each bucket, and in all. Shared memory. */
  readonly arcsBefore: Float64Array
  readonly verticesBefore: Float64Array
  readonly ranks: WebAssembly.Memory
  readonly ids: OccurringIds
}

/** Unless one bucket has more. */
const TASK_RECORDS = 1 << 20

/** @throws OtherLines without memory; Failure (input) for weights that add up to too much */
export async function makeLists(
  { buckets, idBits, entries }: ParsedFiles,
  { table, sortBytes }: Pick<LinesPlan, 'table' | 'sortBytes'>,
  merge: WeightMerge,
  threads: ThreadPool,
  job: JobContext,
): Promise<MadeLists> {
  const { bounds } = table
  const count = bounds.length - 1
  const records = Array.from({ length: count }, (_, bucket) => recordsOf(buckets, bucket))
  if (sortBytes < bytesToSort(table, Math.max(...records))) throw new OtherLines()
  const ranks = rankMemory(2 ** idBits)
  if (ranks === null) throw new OtherLines()
  const arcs = new Float64Array(new SharedArrayBuffer(8 * count))
  const seen = new Float64Array(new SharedArrayBuffer(8 * count))
  await threads.open('lists', () => ({ buckets, bounds, idBits, merge, ranks, arcs, seen }))
  const sum = noLists()
  await threads.spread('lists', 'make', tasksOf(records, threads.stepsEach(2 * entries, TASK_RECORDS)), (counts) => {
    if (counts === null) throw new OtherLines()
    addCounts(sum, counts)
    job.progress({ phase: 'build', done: sum.records, total: 2 * entries, unit: 'arcs' })
  })
  if (sum.records !== 2 * entries - sum.loops)
    throw new Error(`records were lost: ${sum.records} of ${entries} entries with ${sum.loops} loops`)
  const arcsBefore = before(arcs)
  const verticesBefore = before(seen)
  const ids = new OccurringIds(new Int32Array(ranks.buffer))
  return { counts: sum, vertices: ids.count, arcs: arcsBefore[count]!, arcsBefore, verticesBefore, ranks, ids }
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

function before(values: Float64Array): Float64Array {
  const sums = new Float64Array(new SharedArrayBuffer(8 * (values.length + 1)))
  values.forEach((value, i) => (sums[i + 1] = sums[i]! + value))
  return sums
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
  const { vertices, arcs, arcsBefore, verticesBefore, ranks } = lists
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
          writeLabels(file, labels, vertices, () => scheduler.yield(NO_PROGRESS)),
        )
  const [done] = await Promise.allSettled([graph, writing])
  await writing
  if (done.status === 'rejected') throw done.reason
  return done.value!.sums
}

const NO_PROGRESS = { phase: 'write', done: 0, unit: 'bytes' } as const

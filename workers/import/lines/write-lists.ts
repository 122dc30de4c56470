import { join } from 'node:path'
import type { JobContext } from '../../base/job.ts'
import { addCounts } from '../external/arc-output.ts'
import { bitsSet } from '../external/entry-ids.ts'
import type { WeightMerge } from '../external/weight-merge.ts'
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
  readonly ids: OccurringIds
}

export interface OccurringIds {
  readonly ranks: WebAssembly.Memory
  readonly first: number
  readonly last: number
  /** The smallest, where they have no gaps; else null. */
  readonly base: number | null
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
  const vertices = verticesBefore[count]!
  return { counts: sum, vertices, arcs: arcsBefore[count]!, arcsBefore, verticesBefore, ids: rankIds(ranks, vertices) }
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

function rankIds(ranks: WebAssembly.Memory, vertices: number): OccurringIds {
  const words = new Int32Array(ranks.buffer)
  let count = 0
  let [first, last] = [-1, 0]
  for (let w = 0; w < words.length; w += 2) {
    const bits = words[w]!
    words[w + 1] = count
    if (bits === 0) continue
    count += bitsSet(bits)
    if (first < 0) first = 16 * w + 31 - Math.clz32(bits & -bits)
    last = 16 * w + 31 - Math.clz32(bits)
  }
  return { ranks, first, last, base: last - first + 1 === vertices ? first : null }
}

const PART_LABELS = 1 << 16

/** Made as they are written. */
export function labelsOf({ ids, vertices }: MadeLists): DatasetLabels {
  const { base, first: smallest, last: largest, ranks } = ids
  if (base !== null) return { kind: 'dense', base }
  return { kind: 'integer', count: vertices, smallest, largest, parts: () => occurringIds(ranks) }
}

function* occurringIds(ranks: WebAssembly.Memory): Generator<BigUint64Array> {
  const words = new Int32Array(ranks.buffer)
  // A word has up to 32.
  const part = new BigUint64Array(PART_LABELS + 32)
  const halves = new Uint32Array(part.buffer)
  let count = 0
  for (let w = 0; w < words.length / 2; w++) {
    for (let bits = words[2 * w]!; bits !== 0; bits &= bits - 1)
      halves[2 * count++] = 32 * w + 31 - Math.clz32(bits & -bits)
    if (count < PART_LABELS) continue
    yield part.subarray(0, count)
    count = 0
  }
  yield part.subarray(0, count)
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
  const { vertices, arcs, arcsBefore, verticesBefore, ids } = lists
  const path = join(aside, GRAPH_FILE)
  const { fileBytes } = grLayout(vertices, arcs, weighted)
  const task = { path, buckets, vertices, arcs, weighted, arcsBefore, verticesBefore, ...ids }
  const graph = writePieces(path, fileBytes, threads, task, job)
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
  return done.value
}

const NO_PROGRESS = { phase: 'write', done: 0, unit: 'bytes' } as const

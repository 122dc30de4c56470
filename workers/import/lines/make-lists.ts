import type { JobContext } from '../../base/job.ts'
import { bitsSet } from '../external/occurring-bits.ts'
import type { WeightMerge } from '../external/weight-merge.ts'
import { recordsOf } from './buckets.ts'
import type { LineThreads } from './line-threads.ts'
import { addLists, type ListCounts, noLists } from './list-maker.ts'
import { OtherLines } from './other-lines.ts'
import type { ParsedFiles } from './parse-lines.ts'
import { rankMemory } from './sorter.ts'

/** The lists of all vertices, in the buckets, and which ids are vertices. */
export interface MadeLists {
  readonly counts: ListCounts
  readonly vertices: number
  readonly arcs: number
  /** How many there are before each bucket, and in all. Shared memory. */
  readonly arcsBefore: Float64Array
  readonly verticesBefore: Float64Array
  readonly ids: OccurringIds
}

/** The ids that occur. */
export interface OccurringIds {
  /** Pairs of u32 for every 32 ids: the bits of those that occur; how many that occur are smaller. */
  readonly ranks: WebAssembly.Memory
  /** The smallest, where they have no gaps; else null. */
  readonly base: number | null
}

/** Records of one task at most, unless one bucket alone has more. */
const TASK_RECORDS = 1 << 20

/** Has the lists of all buckets made. @throws OtherLines; Failure (input) for weights that add up to too much */
export async function makeLists(
  { buckets, idBits, entries }: ParsedFiles,
  bounds: Float64Array,
  merge: WeightMerge,
  threads: LineThreads,
  job: JobContext,
): Promise<MadeLists> {
  const count = bounds.length - 1
  const ranks = rankMemory(2 ** idBits)
  if (ranks === null) throw new OtherLines()
  const arcs = new Float64Array(new SharedArrayBuffer(8 * count))
  const seen = new Float64Array(new SharedArrayBuffer(8 * count))
  await threads.each('openLists', { buckets, bounds, idBits, merge, ranks, arcs, seen })
  const records = Array.from({ length: count }, (_, bucket) => recordsOf(buckets, bucket))
  const sum = noLists()
  await threads.spread('makeLists', tasksOf(records, threads.stepsEach(2 * entries, TASK_RECORDS)), (counts) => {
    if (counts === null) throw new OtherLines()
    addLists(sum, counts)
    job.progress({ phase: 'build', done: sum.records, total: 2 * entries, unit: 'arcs' })
  })
  if (sum.records !== 2 * entries - sum.loops)
    throw new Error(`records were lost: ${sum.records} of ${entries} entries with ${sum.loops} loops`)
  const arcsBefore = before(arcs)
  const verticesBefore = before(seen)
  const vertices = verticesBefore[count]!
  return {
    counts: sum,
    vertices,
    arcs: arcsBefore[count]!,
    arcsBefore,
    verticesBefore,
    ids: { ranks, base: rankIds(ranks, vertices) },
  }
}

/** Large buckets first, so that no thread begins with one when the others are done. */
function tasksOf(records: readonly number[], most: number): { buckets: number[] }[] {
  const order = records.map((_, bucket) => bucket).sort((a, b) => records[b]! - records[a]!)
  const tasks: { buckets: number[] }[] = []
  let room = 0
  for (const bucket of order) {
    if (records[bucket] === 0) break
    if (room < records[bucket]!) {
      tasks.push({ buckets: [] })
      room = most
    }
    tasks.at(-1)!.buckets.push(bucket)
    room -= records[bucket]!
  }
  return tasks
}

/** Sums of what comes before each, and of all. */
function before(values: Float64Array): Float64Array {
  const sums = new Float64Array(new SharedArrayBuffer(8 * (values.length + 1)))
  values.forEach((value, i) => (sums[i + 1] = sums[i]! + value))
  return sums
}

/** Counts, for every 32 ids, those that occur before. @returns the smallest id where there are no gaps; else null */
function rankIds(ranks: WebAssembly.Memory, vertices: number): number | null {
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
  return last - first + 1 === vertices ? first : null
}

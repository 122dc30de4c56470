/**
 * A graph model in memory: threads draw ranges of its tuples into the buckets of an import of lines, which become lists in the same way. Buckets
 * are cut by a sample of tuples from all over the sequence; any threads make the same file. Time is that of drawing and sorting; without room
 * for all records the way through the disk (external/) is taken.
 */

import type { JobContext } from '../../base/job.ts'
import { rangesOf } from '../../base/ranges.ts'
import type { GenerateArgs } from '../../contract/jobs.ts'
import type { GraphModel } from '../../generate/graph-model.ts'
import { grLayout } from '../../graph/graph-file.ts'
import { bucketTable, gatherBuckets, ID_LIMIT } from '../build/filled-buckets.ts'
import type { ThreadPool } from '../build/import-threads.ts'
import { countedGraph } from '../build/merged-arcs.ts'
import { OtherLines } from '../build/text-parts.ts'
import { labelFacts } from '../build/write-dataset.ts'
import { labelsOf, makeLists, writeLists } from './bucket-lists.ts'
import { MEMORY_SHARE, memoryForRecords, plainShape } from './plan-lines.ts'

const SAMPLES = 64
const SAMPLE_TUPLES = 512
/** Tuples and vertices of a task: some tens of milliseconds. */
const TASK_TUPLES = 1 << 17

/** @returns null without memory for all of it @throws Failure (storage); (cancelled) */
export async function drawModel(
  args: GenerateArgs,
  model: GraphModel,
  memoryBytes: number,
  dataset: string,
  threads: ThreadPool,
  job: JobContext,
) {
  const { vertices, tuples, expectedEntries = tuples } = model
  if (vertices === 0 || vertices >= ID_LIMIT) return null
  // Each vertex is a record, also one without edges.
  const records = 2 * expectedEntries + vertices
  const table = bucketTable(sampleOf(model), { records, weighted: false, expected: vertices })
  try {
    const recordsBytes = memoryForRecords(memoryBytes, threads.threads.length, table, records / 2)
    const sortBytes = ((1 - MEMORY_SHARE) * memoryBytes) / threads.threads.length
    await threads.open('lines', () => ({ texts: [], shape: plainShape, table, model: args }))
    let [entries, takenBytes, done] = [0, 0, 0]
    const tasks = threads.ranges(tuples, TASK_TUPLES)
    await threads.spread('lines', 'draw', tasks, (drawn, number) => {
      takenBytes += drawn?.recordsBytes ?? Infinity
      if (drawn === null || takenBytes > recordsBytes) throw new OtherLines()
      entries += drawn.entries
      done += tasks[number]!.end - tasks[number]!.first
      job.progress({ phase: 'generate', done, total: tuples, unit: 'arcs' })
    })
    await threads.spread('lines', 'declare', rangesOf(vertices, TASK_TUPLES), (isDone) => {
      if (!isDone) throw new OtherLines()
    })
    const drawn = await threads.finish('lines')
    const bits = drawn.reduce((all, thread) => all | thread.bits, 0)
    const parsed = {
      buckets: gatherBuckets(drawn, table.bounds.length - 1, table.form),
      idBits: 32 - Math.clz32(bits),
      entries: entries + vertices / 2,
      declared: { first: 0, end: vertices },
      directions: 2,
    } as const
    const merge = { rule: 'max', scale: 1, offset: 0 } as const
    const lists = await makeLists(parsed, { table, sortBytes }, merge, threads, job)
    const labels = labelsOf(lists)
    const sums = await writeLists(dataset, lists, labels, { buckets: parsed.buckets, weighted: false }, threads, job)
    const { arcs, maxDegree } = lists.counts
    const of = { entries, weighted: false, vertices, labels: labelFacts(labels, vertices) }
    const { fileBytes: bytes } = grLayout(vertices, arcs, false)
    return { counted: countedGraph(lists.counts, of), entries, maxDegree, checksum: sums.root, bytes }
  } catch (error) {
    if (error instanceof OtherLines) return null
    throw error
  }
}

/** Ends of tuples from all over the sequence. */
function sampleOf(model: GraphModel): Uint32Array {
  const { tuples } = model
  const ends: number[] = []
  const step = Math.max(SAMPLE_TUPLES, Math.ceil(tuples / SAMPLES))
  for (let first = 0; first < tuples; first += step)
    model.draw(first, Math.min(tuples, first + SAMPLE_TUPLES), ({ from, to, count }) =>
      ends.push(...from.subarray(0, count), ...to.subarray(0, count)),
    )
  return Uint32Array.from(ends)
}

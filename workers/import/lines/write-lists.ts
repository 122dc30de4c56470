import { closeSync, fdatasync, fsync, openSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeSums } from '../../base/make-sums.ts'
import { PIECE_BYTES, piecesOf, SUMS_SUFFIX, type Sums, SumsBuilder } from '../../base/sums.ts'
import { asFailure } from '../../base/failure.ts'
import { GRAPH_FILE, grLayout } from '../../graph/graph-file.ts'
import { LABELS_FILE } from '../../graph/labels.ts'
import type { JobContext } from '../../base/job.ts'
import { Pace } from '../../threads/pace.ts'
import { writeSummed } from '../write-dataset.ts'
import { type DatasetLabels, labelsBytes, writeLabels } from '../write-labels.ts'
import type { FilledBuckets } from './buckets.ts'
import type { LineThreads } from './line-threads.ts'
import type { MadeLists } from './make-lists.ts'

/** Pieces of a file that a thread writes in one task at most. */
const TASK_PIECES = 16
/** Bytes after which the disk is asked to begin with what it was given. */
const FLUSH_BYTES = 64 << 20

/** Labels of the vertices. */
export async function labelsOf({ ids, vertices }: MadeLists, pace: Pace): Promise<DatasetLabels> {
  if (ids.base !== null) return { kind: 'dense', base: ids.base }
  const words = new Int32Array(ids.ranks.buffer)
  const halves = new Uint32Array(2 * vertices)
  let v = 0
  await pace.over(words.length / 2, 1 << 18, { phase: 'write', done: 0, unit: 'bytes' }, (first, last) => {
    for (let w = first; w < last; w++)
      for (let bits = words[2 * w]!; bits !== 0; bits &= bits - 1)
        halves[2 * v++] = 32 * w + 31 - Math.clz32(bits & -bits)
  })
  return { kind: 'integer', values: new BigUint64Array(halves.buffer) }
}

/** Has graph.gr written into a folder, and writes the labels meanwhile. All is on the disk then. @throws Failure (storage); (cancelled) */
export async function writeLists(
  aside: string,
  lists: MadeLists,
  labels: DatasetLabels,
  { buckets, weighted }: { readonly buckets: FilledBuckets; readonly weighted: boolean },
  threads: LineThreads,
  job: JobContext,
): Promise<Sums> {
  const { vertices } = lists
  const graph = writeGraph(join(aside, GRAPH_FILE), lists, buckets, weighted, threads, job)
  const pace = new Pace({ ...job, progress: () => {} })
  const writing =
    labelsBytes(labels) === 0
      ? null
      : writeSummed(join(aside, LABELS_FILE), (file) =>
          writeLabels(file, labels, vertices, () => pace.rest(NO_PROGRESS)),
        )
  const [done] = await Promise.allSettled([graph, writing])
  await writing
  if (done.status === 'rejected') throw done.reason
  return done.value
}

const NO_PROGRESS = { phase: 'write', done: 0, unit: 'bytes' } as const

async function writeGraph(
  path: string,
  { vertices, arcs, arcsBefore, verticesBefore, ids }: MadeLists,
  buckets: FilledBuckets,
  weighted: boolean,
  threads: LineThreads,
  job: JobContext,
): Promise<Sums> {
  const { fileBytes } = grLayout(vertices, arcs, weighted)
  const tasks = threads.ranges(piecesOf(fileBytes), TASK_PIECES)
  const file = openNew(path)
  let flushing: Promise<void> | null = null
  try {
    const { ranks, base } = ids
    await threads.each('openPieces', {
      path,
      buckets,
      vertices,
      arcs,
      weighted,
      arcsBefore,
      verticesBefore,
      base,
      ranks,
    })
    let [done, asked] = [0, 0]
    await threads.spread('writePieces', tasks, (_result, number) => {
      done = Math.min(fileBytes, done + (tasks[number]!.last - tasks[number]!.first) * PIECE_BYTES)
      job.progress({ phase: 'write', done, total: fileBytes, unit: 'bytes' })
      if (flushing !== null || done - asked < FLUSH_BYTES) return
      asked = done
      // A failure of the disk shows again at the end.
      flushing = promisify(fdatasync)(file)
        .catch(() => {})
        .finally(() => (flushing = null))
    })
    const sums = new SumsBuilder()
    for (const summed of await threads.each('closePieces', null)) sums.take(summed)
    await flushing
    await flushed(file, path)
    const all = sums.finish(fileBytes, () => {
      throw new Error('a piece of the graph was not written')
    })
    writeSums(`${path}${SUMS_SUFFIX}`, all)
    return all
  } finally {
    await flushing
    closeSync(file)
  }
}

async function flushed(file: number, path: string): Promise<void> {
  try {
    await promisify(fsync)(file)
  } catch (error) {
    throw asFailure(error, path)
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx')
  } catch (error) {
    throw asFailure(error, path)
  }
}

import { BehindFlusher, openFile } from '../../base/file-bytes.ts'
import type { JobContext } from '../../base/job.ts'
import { neverRead, PIECE_BYTES, piecesOf, type Sums, SUMS_SUFFIX, SumsBuilder, writeSums } from '../../base/sums.ts'
import type { OpenTask, ThreadPool } from './thread-pool.ts'

const TASK_PIECES = 16

/**
 * Writes graph.gr piece by piece in all threads, with its sums beside it; on the disk when this returns. @throws Failure (storage); (cancelled)
 */
export async function writePieces(
  path: string,
  fileBytes: number,
  threads: ThreadPool,
  task: OpenTask<'pieces'>,
  job: JobContext,
): Promise<Sums> {
  const tasks = threads.ranges(piecesOf(fileBytes), TASK_PIECES)
  const flusher = new BehindFlusher(openFile(path, 'wx'), path)
  try {
    await threads.open('pieces', () => task)
    let done = 0
    await threads.spread('pieces', 'write', tasks, (_result, number) => {
      done = Math.min(fileBytes, done + (tasks[number]!.last - tasks[number]!.first) * PIECE_BYTES)
      job.progress({ phase: 'write', done, total: fileBytes, unit: 'bytes' })
      flusher.wrote(done)
    })
    const sums = new SumsBuilder()
    for (const summed of await threads.finish('pieces')) sums.take(summed)
    await flusher.finish()
    const all = sums.finish(fileBytes, neverRead)
    writeSums(`${path}${SUMS_SUFFIX}`, all)
    return all
  } finally {
    await flusher.close()
  }
}

import { BehindFlusher, openFile } from '../../base/file-bytes.ts'
import type { JobContext } from '../../base/job.ts'
import { PIECE_BYTES, piecesOf, type Sums, SUMS_SUFFIX, SumsBuilder, writeSums } from '../../base/sums.ts'
import type { ThreadPool } from './thread-pool.ts'

const TASK_PIECES = 16

/**
 * Writes graph.gr piece by piece in all threads, with its sums beside it; on the disk when this returns. @param open has every thread open
 * its piece writer @throws Failure (storage); (cancelled)
 */
export async function writePieces(
  path: string,
  fileBytes: number,
  threads: ThreadPool,
  open: () => Promise<unknown>,
  job: JobContext,
): Promise<Sums> {
  const tasks = threads.ranges(piecesOf(fileBytes), TASK_PIECES)
  const flusher = new BehindFlusher(openFile(path, 'wx'), path)
  try {
    await open()
    let done = 0
    await threads.spread('writePieces', tasks, (_result, number) => {
      done = Math.min(fileBytes, done + (tasks[number]!.last - tasks[number]!.first) * PIECE_BYTES)
      job.progress({ phase: 'write', done, total: fileBytes, unit: 'bytes' })
      flusher.wrote(done)
    })
    const sums = new SumsBuilder()
    for (const summed of await threads.each('closePieces', () => null)) sums.take(summed)
    await flusher.finish()
    const all = sums.finish(fileBytes, () => {
      throw new Error('a piece of the graph was not written')
    })
    writeSums(`${path}${SUMS_SUFFIX}`, all)
    return all
  } finally {
    await flusher.close()
  }
}

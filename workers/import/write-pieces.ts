import { BehindFlusher, openFile } from '../base/file-bytes.ts'
import { neverRead, PIECE_BYTES, piecesOf, type Sums, SUMS_SUFFIX, SumsBuilder, writeSums } from '../base/sums.ts'
import type { ArcReport } from './canonical/arc-check.ts'
import type { OpenTask, PieceTakers, ThreadPool } from './thread-pool.ts'

const TASK_PIECES = 16

interface TakenPieces {
  /** Of the file. */
  readonly sums: Sums
  /** Of each thread, where they were checked. */
  readonly arcs: readonly ArcReport[]
}

/**
 * Takes a file piece by piece in all threads. @param took called with the bytes of the file so far @returns null where a
 * piece does not fit: the threads have stopped then @throws Failure (storage); (cancelled)
 */
export async function takePieces<N extends PieceTakers>(
  part: N,
  task: OpenTask<N>,
  fileBytes: number,
  threads: ThreadPool,
  took: (bytes: number) => void,
): Promise<TakenPieces | null> {
  const tasks = threads.ranges(piecesOf(fileBytes), TASK_PIECES)
  // A thread begins when it is there, whatever the others do.
  const opened = threads.open<PieceTakers>(part, () => task)
  let done = 0
  let fits = true
  const take = (isFit: boolean, number: number): void => {
    fits &&= isFit
    if (!fits) throw new Error('a piece does not fit')
    done = Math.min(fileBytes, done + (tasks[number]!.end - tasks[number]!.first) * PIECE_BYTES)
    took(done)
  }
  const all = threads.spread<PieceTakers, 'take'>(part, 'take', tasks, take)
  const [open, taken] = await Promise.allSettled([opened, all])
  if (!fits) return null
  if (open.status === 'rejected') throw open.reason
  if (taken.status === 'rejected') throw taken.reason
  const reports = await threads.finish<PieceTakers>(part)
  const sums = new SumsBuilder()
  for (const { pieces } of reports) sums.take(pieces)
  return { sums: sums.finish(fileBytes, neverRead), arcs: reports.flatMap(({ arcs }) => arcs ?? []) }
}

/** Makes a file in that way, with its sums beside it; on the disk when this returns. @returns null as {@link takePieces} */
export async function writePieces<N extends PieceTakers>(
  part: N,
  task: OpenTask<N> & { readonly path: string },
  fileBytes: number,
  threads: ThreadPool,
  took: (bytes: number) => void,
): Promise<TakenPieces | null> {
  const { path } = task
  const flusher = new BehindFlusher(openFile(path, 'wx'), path)
  try {
    const taken = await takePieces(part, task, fileBytes, threads, (bytes) => {
      took(bytes)
      flusher.wrote(bytes)
    })
    if (taken === null) return null
    await flusher.finish()
    writeSums(`${path}${SUMS_SUFFIX}`, taken.sums)
    return taken
  } finally {
    await flusher.close()
  }
}

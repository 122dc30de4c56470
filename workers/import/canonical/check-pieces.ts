import { PIECE_BYTES, piecesOf, type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import type { CsrLayout } from '../formats/csr.ts'
import { addReports, type ArcReport, type FingerprintKeys, isSymmetric, newFingerprintKeys } from './arc-check.ts'

/** Of a file of so many bytes, piece by piece. */
export interface CheckTask {
  readonly layout: CsrLayout
  readonly fileBytes: number
  readonly keys: FingerprintKeys
  /** Shared: the next run of pieces, and whether to stop. */
  readonly board: Int32Array
}

export interface CheckReport extends ArcReport {
  /** Whether it can be canonical. */
  readonly fits: boolean
  readonly pieces: SummedPieces
}

/** Of one thread: where the lists of a piece begin is known from the piece before. */
const RUN_PIECES = 8
const NEXT = 0
const STOP = 1
const WATCH_MS = 50

/** Until one does not fit. @returns whether all did */
export function takePieces({ board, fileBytes }: CheckTask, fits: (piece: number) => boolean): boolean {
  const pieces = piecesOf(fileBytes)
  for (;;) {
    const first = RUN_PIECES * Atomics.add(board, NEXT, 1)
    if (first >= pieces) return true
    for (let piece = first; piece < Math.min(pieces, first + RUN_PIECES); piece++) {
      if (Atomics.load(board, STOP) !== 0) return true
      if (fits(piece)) continue
      Atomics.store(board, STOP, 1)
      return false
    }
  }
}

export interface CheckedPieces {
  readonly all: ArcReport
  readonly sums: SumsBuilder
}

/**
 * @param name of a task that runs {@link takePieces} @param progress called with the bytes that were begun @returns
 * null where the graph is not canonical @throws Failure (cancelled); as the task
 */
export async function checkTogether<Task extends Omit<CheckTask, 'board' | 'keys'>>(
  name: string,
  task: Task,
  threads: number,
  job: JobContext,
  progress: (bytes: number) => void,
): Promise<CheckedPieces | null> {
  const board = new Int32Array(new SharedArrayBuffer(8))
  const keys = newFingerprintKeys()
  const stop = (): void => void Atomics.store(board, STOP, 1)
  const look = (): void => {
    if (job.signal.aborted) stop()
    progress(Math.min(task.fileBytes, PIECE_BYTES * RUN_PIECES * Atomics.load(board, NEXT)))
  }
  // A fast machine ends before the first interval does.
  look()
  const watch = setInterval(look, WATCH_MS)
  try {
    const works = Array.from({ length: threads }, () =>
      runInThread<Task & Pick<CheckTask, 'board' | 'keys'>, CheckReport>(name, { ...task, board, keys }),
    )
    const reports = await allDone(works, { stop })
    throwIfCancelled(job.signal)
    const all = addReports(reports)
    if (!reports.every(({ fits }) => fits) || !isSymmetric(all)) return null
    const sums = new SumsBuilder()
    for (const { pieces } of reports) sums.take(pieces)
    return { all, sums }
  } finally {
    clearInterval(watch)
  }
}

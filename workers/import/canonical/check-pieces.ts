import { availableParallelism } from 'node:os'
import { PIECE_BYTES, piecesOf, type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import type { CsrLayout } from '../formats/csr.ts'
import { CHECKED_BYTES_EACH } from '../import-tuning.ts'
import { addReports, type ArcReport, type FingerprintKeys, isSymmetric, newFingerprintKeys } from './arc-check.ts'

/** Of a file of so many bytes. */
export interface PiecesTask {
  readonly fileBytes: number
  /** Shared: the next run of pieces, and whether to stop. */
  readonly board: Int32Array
}

export interface CheckTask extends PiecesTask {
  readonly layout: CsrLayout
  readonly keys: FingerprintKeys
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

/** Until one does not fit. @returns whether all did */
export function takePieces({ board, fileBytes }: PiecesTask, fits: (piece: number) => boolean): boolean {
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

/** Threads are worth their start from so many bytes each. */
export const piecesThreads = (bytes: number, most = availableParallelism()): number =>
  Math.max(1, Math.min(most, Math.ceil(bytes / CHECKED_BYTES_EACH)))

/**
 * @param name of a task that runs {@link takePieces} @param progress called with the bytes that were begun @throws
 * Failure (cancelled); as the task
 */
export async function piecesTogether<Task extends Omit<PiecesTask, 'board'>, Report>(
  name: string,
  task: Task,
  threads: number,
  job: JobContext,
  progress: (bytes: number) => void,
): Promise<Report[]> {
  const board = new Int32Array(new SharedArrayBuffer(8))
  const stop = (): void => void Atomics.store(board, STOP, 1)
  const look = (): void => {
    if (job.signal.aborted) stop()
    progress(Math.min(task.fileBytes, PIECE_BYTES * RUN_PIECES * Atomics.load(board, NEXT)))
  }
  // A fast machine ends before the first interval does.
  look()
  const works = Array.from({ length: threads }, () => runInThread<Task & PiecesTask, Report>(name, { ...task, board }))
  const reports = await allDone(works, { stop }, look)
  throwIfCancelled(job.signal)
  return reports
}

interface CheckedPieces {
  readonly all: ArcReport
  readonly sums: SumsBuilder
}

/** @returns null where the graph is not canonical @throws Failure as {@link piecesTogether} */
export async function checkTogether<Task extends Omit<CheckTask, 'board' | 'keys'>>(
  name: string,
  task: Task,
  threads: number,
  job: JobContext,
  progress: (bytes: number) => void,
): Promise<CheckedPieces | null> {
  const keyed = { ...task, keys: newFingerprintKeys() }
  const reports = await piecesTogether<typeof keyed, CheckReport>(name, keyed, threads, job, progress)
  const all = addReports(reports)
  return reports.every(({ fits }) => fits) && isSymmetric(all)
    ? { all, sums: sumsOf(reports.map(({ pieces }) => pieces)) }
    : null
}

export function sumsOf(threads: readonly SummedPieces[]): SumsBuilder {
  const sums = new SumsBuilder()
  for (const pieces of threads) sums.take(pieces)
  return sums
}

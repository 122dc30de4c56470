import { closeSync, constants, copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { asFailure, inputFailure } from '../../base/failure.ts'
import { BehindFlusher, openFile, readFully, writeFully } from '../../base/file-bytes.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { neverRead, PIECE_BYTES, pieceBytes, type Sums, type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import type { GraphPlace, Jobs } from '../../contract/jobs.ts'
import { readLink, stampOf, writeLink } from '../../graph/graph-file.ts'
import { openGraph } from '../../graph/open-graph.ts'
import { type PiecesTask, piecesThreads, piecesTogether, sumsOf, takePieces } from './check-pieces.ts'

const COPY = 'graph.copy'

/**
 * Job `store`: copies a linked file into its dataset, so that its checksum stays. @throws Failure (input) when the
 * file changed; (storage); (cancelled)
 */
export async function storeLink({ folder, checksum }: GraphPlace, job: JobContext): Promise<Jobs['store']['result']> {
  const link = readLink(folder)
  if (link === null || link.path === join(folder, COPY)) return { bytes: 0 }
  throwIfCancelled(job.signal)
  openGraph(folder, checksum, job).close()
  const aside = join(folder, `${COPY}.partial-${process.pid}`)
  const path = join(folder, COPY)
  try {
    const sums = await copied(link.path, link.bytes, aside, job)
    if (sums.root !== checksum)
      throw inputFailure(link.path, 'the file changed while it was copied', 'Wait until it is written, and try again.')
    renameSync(aside, path)
    writeLink(folder, { ...link, path, ...stampOf(path) })
    return { bytes: link.bytes }
  } catch (error) {
    rmSync(aside, { force: true })
    throw asFailure(error, folder)
  }
}

/** Flushed. */
async function copied(source: string, fileBytes: number, path: string, job: JobContext): Promise<Sums> {
  const isClone = cloned(source, path)
  const flusher = new BehindFlusher(openFile(path, isClone ? 'r+' : 'wx'), path)
  try {
    const task = isClone ? { source: path, fileBytes, path: null } : { source, fileBytes, path }
    const progress = (done: number): void => {
      if (!isClone) flusher.wrote(done)
      job.progress({ phase: 'checksum', done, total: fileBytes, unit: 'bytes' })
    }
    const threads = piecesThreads(fileBytes)
    const pieces = await piecesTogether<typeof task, SummedPieces>('store-pieces', task, threads, job, progress)
    await flusher.finish()
    return sumsOf(pieces).finish(fileBytes, neverRead)
  } finally {
    await flusher.close()
  }
}

/** Where the file system shares the bytes of both until one is written. */
function cloned(source: string, path: string): boolean {
  try {
    copyFileSync(source, path, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    // What else is wrong with them is wrong with a copy too.
    return false
  }
}

export interface StoreTask extends PiecesTask {
  readonly source: string
  /** null: only to be summed. */
  readonly path: string | null
}

export const storeTask = async (task: StoreTask): Promise<SummedPieces> => {
  const { source, path, fileBytes } = task
  const sums = new SumsBuilder()
  const from = openFile(source, 'r')
  const to = path === null ? null : openFile(path, 'r+')
  try {
    const room = new Uint8Array(PIECE_BYTES)
    takePieces(task, (piece) => {
      const bytes = room.subarray(0, pieceBytes(fileBytes, piece))
      readFully(from, bytes, piece * PIECE_BYTES, source)
      sums.addPiece(piece, bytes)
      if (to !== null) writeFully(to, bytes, piece * PIECE_BYTES, path!)
      return true
    })
    return sums.pieces
  } finally {
    closeSync(from)
    if (to !== null) closeSync(to)
  }
}

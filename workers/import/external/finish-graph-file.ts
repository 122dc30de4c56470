import { closeSync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { finishSums, PIECE_BYTES, pieceBytes, type SumsBuilder } from '../../base/sums.ts'
import { asFailure } from '../../base/failure.ts'
import { grLayout, writeGrHeader } from '../../graph/graph-file.ts'
import type { YieldScheduler } from '../../threads/yield-scheduler.ts'
import { ScratchFiles } from './scratch-file.ts'
import { readFully, writeFully } from '../../base/file-bytes.ts'

const COPY_BYTES = 1 << 20

interface UnfinishedGraph {
  readonly path: string
  readonly weightsPath: string | null
  readonly vertices: number
  readonly arcs: number
}

/** Its input stays: the stage may be repeated. @param sums so far */
export async function finishGraphFile(
  graph: UnfinishedGraph,
  sums: SumsBuilder,
  scheduler: YieldScheduler,
): Promise<{ checksum: string; bytes: number }> {
  const { path, weightsPath, vertices, arcs } = graph
  const layout = grLayout(vertices, arcs, weightsPath !== null)
  const file = openSync(path, 'r+')
  try {
    writeGrHeader(file, path, vertices, arcs, weightsPath !== null)
    if (weightsPath !== null) {
      const append = (at: number, bytes: Uint8Array): void => {
        writeFully(file, bytes, layout.weightsAt + at, path)
        sums.add(layout.weightsAt + at, bytes)
      }
      const files = new ScratchFiles()
      try {
        for (let at = 0; at < 4 * arcs; at += COPY_BYTES) {
          const weights = new Uint8Array(Math.min(COPY_BYTES, 4 * arcs - at))
          files.read(weightsPath, weights, at)
          append(at, weights)
          await scheduler.yield({ phase: 'write', done: at, total: layout.fileBytes, unit: 'bytes' })
        }
      } finally {
        files.close()
      }
    }
    await sumRest(file, path, layout.fileBytes, sums, scheduler)
    const { root } = finishSums(path, sums)
    try {
      await promisify(fsync)(file)
    } catch (error) {
      throw asFailure(error, path)
    }
    return { checksum: root, bytes: layout.fileBytes }
  } finally {
    closeSync(file)
  }
}

/** Pieces that no thread wrote as a whole. @throws Failure (storage); (cancelled) */
async function sumRest(file: number, path: string, fileBytes: number, sums: SumsBuilder, scheduler: YieldScheduler) {
  for (const piece of sums.missing(fileBytes)) {
    const bytes = new Uint8Array(pieceBytes(fileBytes, piece))
    readFully(file, bytes, piece * PIECE_BYTES, path)
    sums.addPiece(piece, bytes)
    await scheduler.yield({ phase: 'write', done: piece * PIECE_BYTES, total: fileBytes, unit: 'bytes' })
  }
}

import { createHash } from 'node:crypto'
import { closeSync, fsync, openSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { asFailure } from '../../failure.ts'
import { GR_HEADER_BYTES, grLayout } from '../../graph/galois-gr.ts'
import type { Pace } from '../pace.ts'
import { bytesOf, readAt } from './scratch-file.ts'
import { writeFully } from '../../file-bytes.ts'

const PIECE_BYTES = 1 << 20

/** A graph.gr that has its end offsets and targets. */
export interface UnfinishedGraph {
  readonly path: string
  /** f32 weights of the arcs; null where there are none. */
  readonly weightsPath: string | null
  readonly vertices: number
  readonly arcs: number
}

/** Adds what graph.gr still lacks: the header, the padding, the weights. Returns its SHA-256; all is on the disk then. */
export async function finishGraphFile(
  graph: UnfinishedGraph,
  pace: Pace,
): Promise<{ checksum: string; bytes: number }> {
  const { path, weightsPath, vertices, arcs } = graph
  const layout = grLayout(vertices, arcs, weightsPath !== null)
  const file = openSync(path, 'r+')
  try {
    const header = new BigUint64Array(GR_HEADER_BYTES / 8)
    header.set([1n, weightsPath === null ? 0n : 4n, BigInt(vertices), BigInt(arcs)])
    writeFully(file, bytesOf(header), 0, path)
    if (arcs % 2 === 1) writeFully(file, new Uint8Array(4), layout.weightsAt - 4, path)
    if (weightsPath !== null) await appendWeights(file, weightsPath, layout.weightsAt, 4 * arcs, path, pace)
    const checksum = await hashOf(file, layout.fileBytes, path, pace)
    try {
      await promisify(fsync)(file)
    } catch (error) {
      throw asFailure(error, path)
    }
    if (weightsPath !== null) rmSync(weightsPath, { force: true })
    return { checksum, bytes: layout.fileBytes }
  } finally {
    closeSync(file)
  }
}

async function appendWeights(file: number, from: string, at: number, bytes: number, path: string, pace: Pace) {
  const weights = openSync(from, 'r')
  const buffer = new Uint8Array(PIECE_BYTES)
  try {
    for (let done = 0; done < bytes; done += PIECE_BYTES) {
      const piece = buffer.subarray(0, Math.min(PIECE_BYTES, bytes - done))
      readAt(weights, piece, done, from)
      writeFully(file, piece, at + done, path)
      await pace.rest({ phase: 'write', done, total: at + bytes, unit: 'bytes' })
    }
  } finally {
    closeSync(weights)
  }
}

async function hashOf(file: number, bytes: number, path: string, pace: Pace): Promise<string> {
  const hash = createHash('sha256')
  const buffer = new Uint8Array(PIECE_BYTES)
  for (let done = 0; done < bytes; done += PIECE_BYTES) {
    const piece = buffer.subarray(0, Math.min(PIECE_BYTES, bytes - done))
    readAt(file, piece, done, path)
    hash.update(piece)
    await pace.rest({ phase: 'write', done, total: bytes, unit: 'bytes' })
  }
  return hash.digest('hex')
}

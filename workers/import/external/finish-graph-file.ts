import { closeSync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { finishSums, PIECE_BYTES, type SumsBuilder } from '../../base/sums.ts'
import { asFailure } from '../../base/failure.ts'
import { grLayout, writeGrHeader } from '../../graph/graph-file.ts'
import type { JobContext } from '../../base/job.ts'
import type { YieldScheduler } from '../../threads/yield-scheduler.ts'
import type { ThreadPool } from './thread-pool.ts'
import { ScratchFiles } from './scratch-file.ts'
import { writeFully } from '../../base/file-bytes.ts'

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
  { pool, job, scheduler }: { readonly pool: ThreadPool; readonly job: JobContext; readonly scheduler: YieldScheduler },
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
    await sumRest(pool, path, layout.fileBytes, sums, job)
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

/** @throws Failure (storage); (cancelled) */
async function sumRest(
  pool: ThreadPool,
  path: string,
  fileBytes: number,
  sums: SumsBuilder,
  job: JobContext,
): Promise<void> {
  const missing = sums.missing(fileBytes)
  let done = 0
  await pool.open('sums', () => ({ path, fileBytes }))
  await pool.spread('sums', 'add', missing, () => {
    job.progress({ phase: 'write', done: ++done * PIECE_BYTES, total: missing.length * PIECE_BYTES, unit: 'bytes' })
  })
  for (const summed of await pool.finish('sums')) sums.take(summed)
}

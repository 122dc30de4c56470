import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, asFailure } from '../failure.ts'
import { isDamagedGraph, readFully } from '../graph/galois-gr.ts'
import { isDamagedView } from '../graph/section-file.ts'
import { VIEWS_FOLDER } from '../graph/views/views-folder.ts'
import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { RunArgs, RunOutcome } from '../jobs.ts'

const CHUNK_BYTES = 1 << 22

/**
 * A run whose inputs are checked where that costs little. A view that turns out damaged is taken away, so that the next run builds it
 * anew. The graph is compared with its checksum when a view was just made from it, when a result fails verification (then one of
 * the two is wrong, and this tells which), and when the verification finds what no import writes.
 */
export async function onSoundInputs(
  args: RunArgs,
  job: JobContext,
  run: (args: RunArgs, job: JobContext) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  try {
    const outcome = await run(args, job)
    const isSuspect = outcome.time.prepareMs > 0 || outcome.verification?.verified === false
    if (isSuspect) requireChecksum(args, job)
    return outcome
  } catch (error) {
    if (isDamagedGraph(error)) requireChecksum(args, job)
    if (!isDamagedView(error)) throw error
    rmSync(error.where, { force: true })
    throw new Failure({
      ...error.toValue(),
      remedy: 'It was removed: run it again, and it is built anew. If it happens again, check the disk.',
    })
  }
}

/** @throws Failure (input) when graph.gr is not the graph that was imported; nothing that was made from it is kept */
function requireChecksum({ folder, checksum, resultFile }: RunArgs, job: JobContext): void {
  const path = join(folder, 'graph.gr')
  if (sha256Of(path, job) === checksum) return
  rmSync(resultFile, { force: true })
  rmSync(join(folder, VIEWS_FOLDER), { recursive: true, force: true })
  throw new Failure({
    code: 'input',
    where: path,
    what: 'the graph is damaged: its checksum is not that of the import',
    remedy: 'Remove the dataset and import it again; check the disk if it happens again.',
  })
}

function sha256Of(path: string, job: JobContext): string {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const file = openToRead(path)
  try {
    const total = fstatSync(file).size
    for (let done = 0; done < total; done += CHUNK_BYTES) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'checksum', done, total, unit: 'bytes' })
      const part = chunk.subarray(0, Math.min(CHUNK_BYTES, total - done))
      readFully(file, part, done, path)
      hash.update(part)
    }
    return hash.digest('hex')
  } finally {
    closeSync(file)
  }
}

function openToRead(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw asFailure(error, path)
  }
}

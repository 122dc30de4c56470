import { constants, closeSync, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sumFile } from '../../base/make-sums.ts'
import { asFailure, inputFailure } from '../../base/failure.ts'
import { readLink, stampOf, writeLink } from '../../graph/graph-file.ts'
import { openGraph } from '../../graph/open-graph.ts'
import type { JobContext } from '../../base/job.ts'
import type { StoreArgs, StoreOutcome } from '../../contract/jobs.ts'

/** The copy, in the dataset's folder. */
const COPY = 'graph.copy'

/**
 * Job `store`: copies the file that a dataset is linked to into its folder, byte by byte, so that checksum and results stay what they
 * are; where the file system can, both share their blocks. The copy is compared with the sums before it counts.
 * @throws Failure (input) when the file changed; (storage); (cancelled)
 */
export function storeLink({ folder, checksum }: StoreArgs, job: JobContext): StoreOutcome {
  const link = readLink(folder)
  if (link === null || link.path === join(folder, COPY)) return { bytes: 0 }
  openGraph(folder, checksum, job).close()
  const aside = join(folder, `${COPY}.partial-${process.pid}`)
  const path = join(folder, COPY)
  try {
    copyFileSync(link.path, aside, constants.COPYFILE_FICLONE)
    const { sums } = sumFile(aside, job)
    if (sums.root !== checksum)
      throw inputFailure(link.path, 'the file changed while it was copied', 'Wait until it is written, and try again.')
    sync(aside)
    renameSync(aside, path)
    writeLink(folder, { ...link, path, ...stampOf(path) })
    return { bytes: link.bytes }
  } catch (error) {
    rmSync(aside, { force: true })
    throw asFailure(error, folder)
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

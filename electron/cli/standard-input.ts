import { createWriteStream, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { asFailure, inputFailure } from '../../workers/base/failure.ts'
import { throwIfCancelled } from '../../workers/base/job.ts'
import type { JobContext } from '../../workers/base/job.ts'

/**
 * Saves standard input to a file, for formats are looked at before they are read, some are read by position, and texts among
 * the ids make the reader start again. `path` is removed when it fails.
 * @throws Failure (input) when there is nothing; (storage) when the disk is full; (cancelled)
 */
export async function saveStandardInput(
  path: string,
  job: JobContext & { readonly signal: AbortSignal },
): Promise<void> {
  try {
    if (process.stdin.isTTY)
      throw inputFailure(
        '-',
        'standard input is the terminal',
        'Pipe a file into it: zcat part-*.gz | anticlique import -',
      )
    await pipeline(process.stdin, createWriteStream(path, { flags: 'wx' }), { signal: job.signal })
    if ((await stat(path)).size === 0)
      throw inputFailure('-', 'standard input was empty', 'Did the command before it fail?')
  } catch (error) {
    rmSync(path, { force: true })
    throwIfCancelled(job.signal)
    throw asFailure(error, path)
  }
}

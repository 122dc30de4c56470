import { createWriteStream, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { asFailure, inputFailure } from '../../workers/base/failure.ts'
import { throwIfCancelled } from '../../workers/base/job.ts'
import type { JobContext } from '../../workers/base/job.ts'

/**
 * Some formats are read by position or twice. `path` is removed when it fails. @throws Failure (input) for nothing;
 * (storage); (cancelled)
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

import { statSync, createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { asFailure, inputFailure } from '../../workers/base/failure.ts'
import { createHash } from 'node:crypto'
import { throwIfCancelled, type JobContext } from '../../workers/base/job.ts'

/** Absolute. Opening a pipe would wait for its other end. @throws Failure (input) for what is no file */
export function inputFile(path: string): string {
  const file = resolve(path)
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined || found.isFile() || found.isDirectory()) return file
  } catch (error) {
    throw asFailure(error, path)
  }
  throw inputFailure(path, 'this is a pipe or a device, not a file', 'Save it to a file first.')
}

/** As stored, hexadecimal. @throws Failure (input) */
export async function sourceChecksum(file: string, job: JobContext): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      throwIfCancelled(job.signal)
      hash.update(chunk as Buffer)
    }
  } catch (error) {
    throw asFailure(error, file)
  }
  return hash.digest('hex')
}

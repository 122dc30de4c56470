import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { asFailure } from '../../workers/base/failure.ts'
import { throwIfCancelled } from '../../workers/base/job.ts'
import type { JobContext } from '../../workers/base/job.ts'

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

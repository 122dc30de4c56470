import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { asFailure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { OutputFile } from '../base/output-file.ts'

const CHUNK_CHARACTERS = 1 << 18

interface WrittenFile {
  readonly isStream: boolean
  readonly bytes: number
}

export function* textChunks(lines: Iterable<string>): Generator<Uint8Array> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < CHUNK_CHARACTERS) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** @throws Failure (storage); (cancelled) */
export async function writeChunks(
  path: string,
  chunks: Iterable<Uint8Array>,
  job: JobContext,
  gzip = false,
): Promise<WrittenFile> {
  const output = new OutputFile(path)
  let bytes = 0
  const watched = function* (): Generator<Uint8Array> {
    let done = 0
    for (const chunk of chunks) {
      throwIfCancelled(job.signal)
      done += chunk.length
      job.progress({ phase: 'write', done, unit: 'bytes' })
      yield chunk
    }
  }
  const write = async (stored: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> => {
    for await (const chunk of stored) {
      output.write(chunk)
      bytes += chunk.length
    }
  }
  try {
    if (gzip) await pipeline(watched, createGzip(), write)
    else await write(watched())
    output.finish()
    return { isStream: output.isStream, bytes }
  } catch (error) {
    throw asFailure(error, path)
  } finally {
    output.discard()
  }
}

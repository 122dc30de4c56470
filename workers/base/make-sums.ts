import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { readFully } from './file-bytes.ts'
import { Failure, asFailure } from './failure.ts'
import type { JobContext } from './job.ts'
import { throwIfCancelled } from './job.ts'
import { PIECE_BYTES, SUMS_SUFFIX, SumsBuilder, type Sums, encodeSums } from './sums.ts'
import { writeAside } from './write-aside.ts'

/** What a pass over a file finds. */
export interface SummedFile {
  readonly sums: Sums
  /** SHA-256 of the whole file, hexadecimal. */
  readonly whole: string
}

/**
 * Sums a file that is there already, in one pass.
 * @throws Failure (input) when it is not there; (storage); (cancelled)
 */
export function sumFile(path: string, job: JobContext): SummedFile {
  const file = openToRead(path)
  try {
    const { size } = fstatSync(file)
    const builder = new SumsBuilder()
    const whole = createHash('sha256')
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size))
    for (let at = 0; at < size; at += PIECE_BYTES) {
      throwIfCancelled(job.signal)
      job.progress({ phase: 'checksum', done: at, total: size, unit: 'bytes' })
      const bytes = piece.subarray(0, Math.min(PIECE_BYTES, size - at))
      readFully(file, bytes, at, path)
      builder.add(at, bytes)
      whole.update(bytes)
    }
    const sums = builder.finish(size, (at, bytes) => readFully(file, bytes, at, path))
    return { sums, whole: whole.digest('hex') }
  } finally {
    closeSync(file)
  }
}

/** Stores the sums of a file that is written: those of a builder, and of what it did not see, beside it. @throws Failure (storage) */
export function finishSums(path: string, builder: SumsBuilder): Sums {
  const file = openToRead(path)
  try {
    const sums = builder.finish(fstatSync(file).size, (at, bytes) => readFully(file, bytes, at, path))
    writeSums(`${path}${SUMS_SUFFIX}`, sums)
    return sums
  } finally {
    closeSync(file)
  }
}

/** Stores sums beside their file. @throws Failure (storage) */
export function writeSums(path: string, sums: Sums): void {
  writeAside(path, [encodeSums(sums)])
}

/** The same where a library that cannot be written only costs the next use another pass. */
export function keepSums(path: string, sums: Sums): void {
  try {
    writeSums(path, sums)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

function openToRead(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw asFailure(error, path)
  }
}

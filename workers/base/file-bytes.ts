import { closeSync, fdatasync, fsync, openSync, readSync, type Stats, statSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { asFailure, atPath, inputFailure } from './failure.ts'
import { isFaultDue, readError } from './fault-injection.ts'

/** Node writes at most 2 GiB at a time, and CRC-32 is wrong from 4 GiB on. */
const CALL_BYTES = 1 << 30

type Write = (file: number, bytes: Uint8Array, at: number, length: number, position: number | null) => number

/** @param position null: where the file is @param write as writeSync @throws Failure (storage) */
export function writeFully(
  file: number,
  bytes: Uint8Array,
  position: number | null,
  path: string,
  write: Write = writeSync,
): void {
  for (let done = 0; done < bytes.length;) {
    const length = Math.min(CALL_BYTES, bytes.length - done)
    done += atPath(path, () => write(file, bytes, done, length, position === null ? null : position + done))
  }
}

/** The CRC-32 of any number of bytes. @param sum the CRC-32 of those before @param callBytes so many are taken at a time */
export function crcOf(bytes: Uint8Array, sum = 0, callBytes = CALL_BYTES): number {
  let value = sum
  for (let done = 0; done < bytes.length; done += callBytes)
    value = crc32(bytes.subarray(done, done + callBytes), value)
  return value
}

/** @returns how many bytes there were, fewer only at the end of the file @throws Failure (storage) */
export function readUpTo(file: number, bytes: Uint8Array, position: number, path: string): number {
  for (let done = 0; done < bytes.length;) {
    const length = Math.min(CALL_BYTES, bytes.length - done)
    const count = atPath(path, () => readSync(file, bytes, done, length, position + done))
    if (count === 0) return done
    done += count
  }
  return bytes.length
}

/** @throws Failure (input) for a file that is too short, (storage) */
export function readFully(file: number, bytes: Uint8Array, position: number, path: string): void {
  if (isFaultDue('disk-read')) throw asFailure(readError(), path)
  const count = readUpTo(file, bytes, position, path)
  if (count < bytes.length)
    throw inputFailure(
      path,
      `the file ends at byte ${position + count}, but more was expected`,
      'It is damaged: import the graph again.',
    )
}

const LINES_BYTES = 1 << 20
/** Characters of a line. */
const LONGEST_LINE = 1 << 24

/** Reads the lines of a text that may be longer than a string can be; a byte order mark stays. @throws Failure */
export function* linesIn(path: string): Generator<string> {
  const file = openFile(path, 'r')
  try {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    const bytes = new Uint8Array(LINES_BYTES)
    let rest = ''
    for (let count = -1; count !== 0;) {
      if (rest.length > LONGEST_LINE)
        throw inputFailure(path, `a line is longer than ${LONGEST_LINE} characters`, 'Is this a text with many lines?')
      count = atPath(path, () => readSync(file, bytes))
      const lines = (rest + decoder.decode(bytes.subarray(0, count), { stream: count > 0 })).split('\n')
      rest = lines.pop()!
      yield* lines
    }
    yield rest
  } finally {
    closeSync(file)
  }
}

/** Opening a pipe waits for its writer. @param name as the user named it @throws Failure (input) */
export function requireRegularFile(path: string, name = path): Stats {
  const stat = atPath(name, () => statSync(path))
  if (stat.isFile()) return stat
  throw stat.isDirectory()
    ? asFailure(Object.assign(new Error(), { code: 'EISDIR' }), name)
    : inputFailure(name, 'this is not a regular file', 'Save what it gives to a file, and name that.')
}

/** @throws Failure */
export function openFile(path: string, flags: 'r' | 'r+' | 'w' | 'w+' | 'wx' | 'wx+'): number {
  return atPath(path, () => openSync(path, flags))
}

const FLUSH_BYTES = 32 << 20

/** Flushes a file while it grows, so that little is left at the end. */
export class BehindFlusher {
  readonly #file: number
  readonly #path: string
  #asked = 0
  #flushing: Promise<void> | null = null
  /** The system says it once. */
  #failure: unknown

  constructor(file: number, path: string) {
    this.#file = file
    this.#path = path
  }

  wrote(bytes: number): void {
    if (this.#flushing !== null || bytes - this.#asked < FLUSH_BYTES) return
    this.#asked = bytes
    this.#flushing = promisify(fdatasync)(this.#file)
      .catch((error: unknown) => void (this.#failure ??= error))
      .finally(() => (this.#flushing = null))
  }

  /** All is on the disk then. @throws Failure (storage) */
  async finish(): Promise<void> {
    await this.#flushing
    await promisify(fsync)(this.#file).catch((error: unknown) => void (this.#failure ??= error))
    if (this.#failure !== undefined) throw asFailure(this.#failure, this.#path)
  }

  async close(): Promise<void> {
    await this.#flushing
    closeSync(this.#file)
  }
}

/** @throws Failure (storage) */
export async function flushFile(path: string): Promise<void> {
  const flusher = new BehindFlusher(openFile(path, 'r+'), path)
  await flusher.finish().finally(() => flusher.close())
}

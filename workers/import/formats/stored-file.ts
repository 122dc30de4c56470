/**
 * A file that is read by position, whatever its size: heads, ranges and pieces of text, with failures that name the file; checksums of whole
 * files, computed beside the threads that read them; and the check that a file was not written since it was first looked at. It holds one
 * descriptor, closed by its user. All readers of formats get their file as one of these.
 */

import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, read, statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Failure, OTHER_FORMAT, asFailure, inputFailure } from '../../base/failure.ts'
import { readUpTo, requireRegularFile } from '../../base/file-bytes.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'

/** Fits the cache. */
const PIECE_BYTES = 1 << 18
/** Two of them do. */
const HASHED_BYTES = 1 << 19
const readBeside = promisify(read)

/** Without the end that a compressed file has. */
export const unpackedName = (name: string): string => name.replace(/\.(?:gz|bgz)$/i, '')

/** A file that is read by position. */
export class StoredFile {
  readonly path: string
  /** As the user named it, for messages. */
  readonly name: string
  readonly bytes: number
  readonly #file: number

  private constructor(path: string, name: string, file: number, bytes: number) {
    this.path = path
    this.name = name
    this.#file = file
    this.bytes = bytes
  }

  /** @throws Failure (input) for what is missing, a directory, not readable, or empty */
  static open(path: string, name: string = path): StoredFile {
    requireRegularFile(path, name)
    let file: number | undefined
    try {
      file = openSync(path, 'r')
      const { size } = fstatSync(file)
      if (size === 0) throw inputFailure(name, 'the file is empty (0 bytes)', 'Was the download complete?')
      return new StoredFile(path, name, file, size)
    } catch (error) {
      if (file !== undefined) closeSync(file)
      throw asFailure(error, name)
    }
  }

  /** Into memory of its own, so that any typed array may view it. */
  read(position: number, length: number): Uint8Array<ArrayBuffer> {
    if (length > this.bytes - position) throw this.shorter(position + length)
    const bytes = new Uint8Array(length)
    this.fill(bytes, position)
    return bytes
  }

  /** All of it, and how many bytes are read with each piece. */
  *pieces(): Generator<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly readBytes: number }> {
    for (let at = 0; at < this.bytes; at += PIECE_BYTES) {
      const bytes = this.read(at, Math.min(PIECE_BYTES, this.bytes - at))
      yield { bytes, readBytes: at + bytes.length }
    }
  }

  fill(bytes: Uint8Array, position: number): void {
    if (readUpTo(this.#file, bytes, position, this.name) < bytes.length) throw this.shorter(position + bytes.length)
  }

  /** At most `length` bytes. */
  head(length: number): Uint8Array<ArrayBuffer> {
    return this.read(0, Math.min(length, this.bytes))
  }

  /** The checksum of the file as stored, hexadecimal. @param pause called between pieces */
  async sha256(pause: (bytes: number) => Promise<void>): Promise<string> {
    const hash = createHash('sha256')
    const rooms = [0, 1].map(() => new Uint8Array(Math.min(HASHED_BYTES, this.bytes)))
    let reading = this.#fillBeside(rooms[0]!, 0)
    try {
      for (let at = 0, i = 0; at < this.bytes; at += HASHED_BYTES) {
        const piece = await reading
        if (at + HASHED_BYTES < this.bytes) reading = this.#fillBeside(rooms[++i % 2]!, at + HASHED_BYTES)
        hash.update(piece)
        await pause(at)
      }
    } finally {
      // The file may be closed next.
      await reading.catch(() => {})
    }
    return hash.digest('hex')
  }

  /** Fills room by another thread. */
  async #fillBeside(room: Uint8Array, position: number): Promise<Uint8Array> {
    const bytes = room.subarray(0, this.bytes - position)
    try {
      for (let done = 0, count = 0; done < bytes.length; done += count) {
        count = (await readBeside(this.#file, bytes, done, bytes.length - done, position + done)).bytesRead
        if (count === 0) throw this.shorter(position + bytes.length)
      }
      return bytes
    } catch (error) {
      throw asFailure(error, this.name)
    }
  }

  get isGzip(): boolean {
    const [first, second] = this.head(2)
    return first === 0x1f && second === 0x8b
  }

  shorter(wantedBytes: number) {
    return this.broken(`the file has ${this.bytes} bytes, and its header promises at least ${wantedBytes}`)
  }

  broken(what: string, remedy = 'Is it complete, and of the format that it was taken for?'): Failure {
    return inputFailure(this.name, what, remedy, [OTHER_FORMAT])
  }

  /** @param what is wrong with its bytes, in words */
  damaged(what: string): Failure {
    return inputFailure(this.name, `the file is damaged: ${what}`, 'Is it complete, and of this format?')
  }

  /** For the code of a library, which fails on damaged bytes in words that tell a user nothing. @param what could not be read @throws Failure (input) */
  async sound<T>(what: string, read: () => Promise<T> | T): Promise<T> {
    try {
      return await read()
    } catch (error) {
      throw error instanceof Failure ? error : this.damaged(`${what} cannot be read`)
    }
  }

  soundNow<T>(what: string, read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw error instanceof Failure ? error : this.damaged(`${what} cannot be read`)
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** The text of a file of UTF-8, and how many of its bytes are read with each piece. @param failure at the place that was come to */
export function* textPieces(
  file: StoredFile,
  failure: (what: string, remedy: string) => Failure,
): Generator<{ readonly text: string; readonly readBytes: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (const { bytes, readBytes } of file.pieces()) {
    let text: string
    try {
      text = decoder.decode(bytes, { stream: readBytes < file.bytes })
    } catch {
      throw failure('the text is not UTF-8', 'Save the file as UTF-8, or say how it is encoded.')
    }
    yield { text, readBytes }
  }
}

/** Lines of a file of UTF-8 by their number, from 1. @param mostMib of a line @throws Failure (input) */
export function* textLines(file: StoredFile, mostMib: number) {
  let [line, rest] = [1, '']
  const failure = (what: string, remedy: string): Failure => inputFailure(`${file.name}:${line}`, what, remedy)
  for (const { text, readBytes } of textPieces(file, failure)) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop()!
    if (rest.length > mostMib << 20) throw failure(`a line does not end within ${mostMib} MiB`, 'Is it the right file?')
    for (const each of lines) yield { text: each, line: line++, readBytes }
  }
  yield { text: rest, line, readBytes: file.bytes }
}

/** SHA-256 of files, hexadecimal, beside the threads that read them; to be stopped in every case. */
export function hashFiles(paths: readonly string[], { signal }: JobContext) {
  let isStopped = false
  const pause = async (): Promise<void> => {
    await nextTurn()
    throwIfCancelled({ aborted: isStopped || signal.aborted })
  }
  const hash = async (): Promise<string[]> => {
    const digests: string[] = []
    for (const path of paths) {
      const file = StoredFile.open(path)
      digests.push(await file.sha256(pause).finally(() => file.close()))
    }
    return digests
  }
  const digests = hash()
  digests.catch(() => {})
  return { digests, stop: () => void (isStopped = true) }
}

/** The size of a file and when it was written, as a text. */
export function fileStamp(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true })
  return `${size} ${mtimeNs}`
}

/** @returns a check that throws Failure (input) where a file was written since; one that is gone was read before */
export function writtenSince(paths: readonly string[]): () => void {
  const stampsOf = () => paths.map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  const before = stampsOf()
  return () => {
    for (const [i, now] of stampsOf().entries())
      if (now !== undefined && (now.size !== before[i]?.size || now.mtimeNs !== before[i].mtimeNs))
        throw writtenMeanwhile(paths[i]!)
  }
}

export const writtenMeanwhile = (path: string): Failure =>
  inputFailure(path, 'the file changed while it was read', 'Wait until it is written, and try again.')

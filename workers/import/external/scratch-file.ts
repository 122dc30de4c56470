import { closeSync, openSync, readSync } from 'node:fs'
import { createHash, type Hash } from 'node:crypto'
import { asFailure, Failure } from '../../base/failure.ts'
import type { SumsBuilder } from '../../base/sums.ts'
import { writeFully } from '../../base/file-bytes.ts'

/** Node reads no more than 2 GiB at a time. */
const READ_BYTES = 1 << 30

/** Fills `bytes` from `position`. @throws Failure (storage) when the file is shorter: another program wrote in the scratch folder. */
export function readAt(file: number, bytes: Uint8Array, position: number, path: string): void {
  for (let done = 0; done < bytes.length;) {
    const count = readSync(file, bytes, done, Math.min(READ_BYTES, bytes.length - done), position + done)
    if (count === 0)
      throw new Failure({
        code: 'storage',
        where: path,
        what: `this scratch file ends at byte ${position + done}, and more was written to it`,
        remedy: 'Start the import anew.',
      })
    done += count
  }
}

/** The bytes under a typed array. */
export function bytesOf(array: Uint32Array | Float32Array | Float64Array | BigUint64Array | Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

/** A file that is only ever added to, through a buffer of a fixed size. */
export class AppendFile {
  readonly path: string
  /** Bytes appended so far, those in the buffer included. */
  bytes = 0
  readonly #file: number
  readonly #buffer: Uint8Array
  readonly #sums: SumsBuilder | null
  #filled = 0
  #written: number

  /**
   * Starts a new file, or continues one at byte `from`.
   * @param sums takes what is written
   * @throws Failure when it cannot be opened.
   */
  constructor(path: string, bufferBytes: number, from = 0, sums: SumsBuilder | null = null) {
    this.#sums = sums
    this.path = path
    this.bytes = this.#written = from
    this.#buffer = new Uint8Array(bufferBytes)
    try {
      this.#file = openSync(path, from === 0 ? 'w' : 'r+')
    } catch (error) {
      throw asFailure(error, path)
    }
  }

  append(bytes: Uint8Array): void {
    this.bytes += bytes.length
    if (bytes.length > this.#buffer.length - this.#filled) this.flush()
    if (bytes.length > this.#buffer.length) {
      this.#write(bytes)
      return
    }
    this.#buffer.set(bytes, this.#filled)
    this.#filled += bytes.length
  }

  flush(): void {
    if (this.#filled === 0) return
    this.#write(this.#buffer.subarray(0, this.#filled))
    this.#filled = 0
  }

  #write(bytes: Uint8Array): void {
    writeFully(this.#file, bytes, this.#written, this.path)
    this.#sums?.add(this.#written, bytes)
    this.#written += bytes.length
  }

  /** Closes the file; what the buffer holds is lost unless it was flushed. Needed in every case, and may be repeated. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#file)
  }

  #closed = false
}

/** Several scratch files, each opened once, on first use. */
export class ScratchFiles {
  readonly #files = new Map<string, number>()

  read(path: string, bytes: Uint8Array, position: number): void {
    let file = this.#files.get(path)
    if (file === undefined) {
      try {
        file = openSync(path, 'r')
      } catch (error) {
        throw asFailure(error, path)
      }
      this.#files.set(path, file)
    }
    readAt(file, bytes, position, path)
  }

  /** Closes a file that is to be removed or written anew. */
  forget(path: string): void {
    const file = this.#files.get(path)
    this.#files.delete(path)
    if (file !== undefined) closeSync(file)
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file)
    this.#files.clear()
  }
}

/** It stays in the cache between reading and hashing. */
const STEP_BYTES = 1 << 18

/** Pieces of one file follow one another, in one thread. */
export interface HashTask {
  readonly path: string
  /** Where the piece ends that begins where the one before ended. */
  readonly end: number
  readonly last: boolean
}

/** SHA-256 of a file in pieces, so that its thread takes other tasks in between. */
export class FileHash {
  readonly path: string
  readonly #file: number
  readonly #hash: Hash = createHash('sha256')
  readonly #buffer = new Uint8Array(STEP_BYTES)
  #bytes = 0

  /** @throws Failure when the file cannot be opened. */
  constructor(path: string) {
    this.path = path
    try {
      this.#file = openSync(path, 'r')
    } catch (error) {
      throw asFailure(error, path)
    }
  }

  /** Hashes up to byte `end`; returns the hexadecimal digest where that is the last. */
  upTo(end: number, last: boolean): string | null {
    for (; this.#bytes < end;) {
      const piece = this.#buffer.subarray(0, Math.min(STEP_BYTES, end - this.#bytes))
      readAt(this.#file, piece, this.#bytes, this.path)
      this.#hash.update(piece)
      this.#bytes += piece.length
    }
    return last ? this.#hash.digest('hex') : null
  }

  /** Needed in every case. */
  close(): void {
    closeSync(this.#file)
  }
}

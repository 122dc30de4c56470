import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { asFailure } from '../../base/failure.ts'
import { readAt } from './scratch-file.ts'

/** It stays in the cache between reading and hashing. */
const STEP_BYTES = 1 << 18

/** Pieces of one file follow one another, in one thread. */
export interface HashTask {
  readonly path: string
  /** Where the piece ends that begins where the one before ended. */
  readonly end: number
  readonly last: boolean
}

/** SHA-256 of a file, in pieces from its start, so that nobody waits long for the thread that does it. */
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

  /** Goes on up to byte `end`; returns the hexadecimal digest where that is the last. */
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

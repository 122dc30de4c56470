import { closeSync, fdatasync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { SumsBuilder, type Sums } from '../base/sums.ts'
import { asFailure } from '../base/failure.ts'
import { writeFully } from '../base/file-bytes.ts'

const PIECE_BYTES = 8 << 20
/** Bytes after which the file is flushed, so that little is left at its end. */
const FLUSH_BYTES = 32 << 20

/** Writes a new file from its start, and sums what it writes. Failures of the disk come out as failures at the path. */
export class FileWriter {
  readonly path: string
  bytes = 0
  readonly #file: number
  readonly #sums = new SumsBuilder()
  #flushedBytes = 0
  #flushing: Promise<void> | null = null

  /** @throws Failure when the file cannot be created. */
  constructor(path: string) {
    this.path = path
    try {
      this.#file = openSync(path, 'wx')
    } catch (error) {
      throw asFailure(error, path)
    }
  }

  /** Writes all of `bytes`. @throws Failure (storage) when the disk is full. */
  write(bytes: Uint8Array): void {
    writeFully(this.#file, bytes, null, this.path)
    this.#sums.add(this.bytes, bytes)
    this.bytes += bytes.length
  }

  /** Lets the disk write what it has while more is made; without it, all of that waits for the end. */
  #flushBehind(): void {
    if (this.#flushing !== null || this.bytes - this.#flushedBytes < FLUSH_BYTES) return
    this.#flushedBytes = this.bytes
    // A failure of the disk shows again at the end.
    this.#flushing = promisify(fdatasync)(this.#file)
      .catch(() => {})
      .finally(() => (this.#flushing = null))
  }

  /** Writes a typed array in pieces, and calls `pause` after each with the bytes of the file so far. */
  async writeArray(
    array: Uint32Array | Float32Array | BigUint64Array | Uint8Array,
    pause: (bytes: number) => Promise<void>,
  ) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.write(bytes.subarray(at, at + PIECE_BYTES))
      this.#flushBehind()
      await pause(this.bytes)
    }
  }

  /** The sums of what was written; the file is on the disk when this returns. */
  async finish(): Promise<Sums> {
    await this.#flushing
    try {
      await promisify(fsync)(this.#file)
    } catch (error) {
      throw asFailure(error, this.path)
    }
    return this.#sums.finish(this.bytes, neverRead)
  }

  /** Needed in every case, after finish or instead of it. */
  close(): void {
    const close = (): void => closeSync(this.#file)
    if (this.#flushing === null) close()
    else void this.#flushing.then(close)
  }
}

function neverRead(): never {
  throw new Error('a file that was written from its start was seen whole')
}

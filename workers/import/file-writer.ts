import { closeSync, fdatasync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { SumsBuilder, type Sums } from '../base/sums.ts'
import { asFailure } from '../base/failure.ts'
import { writeFully } from '../base/file-bytes.ts'

const PIECE_BYTES = 8 << 20
/** Flushed on the way, so that little is left at the end. */
const FLUSH_BYTES = 32 << 20

/** Writes a new file from its start, and sums it. */
export class FileWriter {
  readonly path: string
  bytes = 0
  readonly #file: number
  readonly #sums = new SumsBuilder()
  #flushedBytes = 0
  #flushing: Promise<void> | null = null

  /** @throws Failure */
  constructor(path: string) {
    this.path = path
    try {
      this.#file = openSync(path, 'wx')
    } catch (error) {
      throw asFailure(error, path)
    }
  }

  /** @throws Failure (storage) */
  write(bytes: Uint8Array): void {
    writeFully(this.#file, bytes, null, this.path)
    this.#sums.add(this.bytes, bytes)
    this.bytes += bytes.length
  }

  #flushBehind(): void {
    if (this.#flushing !== null || this.bytes - this.#flushedBytes < FLUSH_BYTES) return
    this.#flushedBytes = this.bytes
    // A failure of the disk shows again at the end.
    this.#flushing = promisify(fdatasync)(this.#file)
      .catch(() => {})
      .finally(() => (this.#flushing = null))
  }

  /** @param pause gets the bytes of the file so far */
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

  /** Flushed when this returns. */
  async finish(): Promise<Sums> {
    await this.#flushing
    try {
      await promisify(fsync)(this.#file)
    } catch (error) {
      throw asFailure(error, this.path)
    }
    return this.#sums.finish(this.bytes, neverRead)
  }

  /** Needed in every case. */
  close(): void {
    const close = (): void => closeSync(this.#file)
    if (this.#flushing === null) close()
    else void this.#flushing.then(close)
  }
}

function neverRead(): never {
  throw new Error('a file that was written from its start was seen whole')
}

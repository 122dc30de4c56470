import type { BucketRows } from '../build/row-columns.ts'
import type { ScratchFiles } from '../build/scratch-file.ts'

const CHUNK_BYTES = 1 << 16

/** Bytes that are appended: kept in shared memory, behind those that went to a file. */
export class KeptBytes {
  readonly path: string
  /** All bytes. */
  bytes = 0
  readonly #files: ScratchFiles
  #chunks: Uint8Array[] = []
  #fileBytes = 0

  constructor(files: ScratchFiles, path: string) {
    this.#files = files
    this.path = path
  }

  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const filled = (this.bytes - this.#fileBytes) % CHUNK_BYTES
      if (filled === 0) this.#chunks.push(new Uint8Array(new SharedArrayBuffer(CHUNK_BYTES)))
      const some = bytes.subarray(done, done + CHUNK_BYTES - filled)
      this.#chunks.at(-1)!.set(some, filled)
      done += some.length
      this.bytes += some.length
    }
  }

  /** Puts all in the file. @returns how many bytes were not there @throws Failure (storage) */
  flush(): number {
    const before = this.#fileBytes
    const { kept } = this.taken()
    if (before === 0 && kept.length > 0) this.#files.create(this.path)
    for (const chunk of kept) {
      this.#files.write(this.path, chunk, this.#fileBytes)
      this.#fileBytes += chunk.length
    }
    this.#chunks = []
    return this.bytes - before
  }

  /** All bytes, for a thread. */
  taken(): BucketRows {
    const { path } = this
    const left = this.bytes - this.#fileBytes
    const kept = this.#chunks.map((chunk, i) => chunk.subarray(0, left - i * CHUNK_BYTES))
    return { path, fileBytes: this.#fileBytes, kept }
  }
}

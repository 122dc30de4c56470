import { closeSync, rmSync } from 'node:fs'
import { Failure } from '../../base/failure.ts'
import type { SumsBuilder } from '../../base/sums.ts'
import { openFile, readUpTo, writeFully } from '../../base/file-bytes.ts'

export class ScratchFiles {
  readonly #files = new Map<string, number>()

  create(path: string): void {
    this.#open(path, 'w+')
  }

  /** @throws Failure (storage) where another program wrote in the folder */
  read(path: string, bytes: Uint8Array, position: number): void {
    const count = readUpTo(this.#open(path), bytes, position, path)
    if (count === bytes.length) return
    throw new Failure({
      code: 'storage',
      where: path,
      what: `this scratch file ends at byte ${position + count}, and more was written to it`,
      remedy: 'Start the import anew.',
    })
  }

  /** @throws Failure (storage) */
  write(path: string, bytes: Uint8Array, position: number): void {
    writeFully(this.#open(path), bytes, position, path)
  }

  remove(path: string): void {
    const file = this.#files.get(path)
    this.#files.delete(path)
    if (file !== undefined) closeSync(file)
    rmSync(path, { force: true })
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file)
    this.#files.clear()
  }

  #open(path: string, flags: 'r+' | 'w+' = 'r+'): number {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const file = openFile(path, flags)
    this.#files.set(path, file)
    return file
  }
}

export class AppendFile {
  readonly path: string
  /** With those in the buffer. */
  bytes = 0
  readonly #files: ScratchFiles
  readonly #buffer: Uint8Array
  readonly #sums: SumsBuilder | null
  #filled = 0
  #written = 0

  /** @param sums takes what is written. @throws Failure */
  constructor(files: ScratchFiles, path: string, bufferBytes: number, sums: SumsBuilder | null = null) {
    this.#files = files
    this.#sums = sums
    this.path = path
    this.#buffer = new Uint8Array(bufferBytes)
    files.create(path)
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
    this.#files.write(this.path, bytes, this.#written)
    this.#sums?.add(this.#written, bytes)
    this.#written += bytes.length
  }
}

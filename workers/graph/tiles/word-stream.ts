import { crc32 } from 'node:zlib'
import type { SumsBuilder } from '../../base/sums.ts'
import { writeFully } from '../../base/file-bytes.ts'

const WORDS_PER_WRITE = 1 << 18

/** Words that stand one after another in a file, gathered in memory, summed up, and written in large parts. */
export class WordStream {
  readonly #file: number
  readonly #path: string
  readonly #first: number
  readonly #sums: SumsBuilder
  readonly #room = new Uint32Array(WORDS_PER_WRITE)
  #filled = 0
  #written = 0
  #crc = 0

  /**
   * @param at byte of the file where the first word goes
   * @param sums of the file
   */
  constructor(file: number, path: string, at: number, sums: SumsBuilder) {
    this.#sums = sums
    this.#file = file
    this.#path = path
    this.#first = at
  }

  push(word: number): void {
    if (this.#filled === WORDS_PER_WRITE) this.#flush()
    this.#room[this.#filled++] = word
  }

  pushAll(words: Uint32Array): void {
    for (let at = 0; at < words.length;) {
      if (this.#filled === WORDS_PER_WRITE) this.#flush()
      const part = words.subarray(at, at + Math.min(words.length - at, WORDS_PER_WRITE - this.#filled))
      this.#room.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
    }
  }

  /** Writes out what is left. @throws Failure (storage) when the disk is full */
  finish(): { at: number; bytes: number; crc32: number } {
    this.#flush()
    return { at: this.#first, bytes: this.#written, crc32: this.#crc }
  }

  #flush(): void {
    const bytes = bytesOf(this.#room.subarray(0, this.#filled))
    this.#crc = crc32(bytes, this.#crc)
    writeFully(this.#file, bytes, this.#first + this.#written, this.#path)
    this.#sums.add(this.#first + this.#written, bytes)
    this.#written += bytes.length
    this.#filled = 0
  }
}

const bytesOf = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength)

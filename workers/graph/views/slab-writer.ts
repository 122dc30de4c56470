import { crc32 } from 'node:zlib'
import { HEAD_WIDTH, NO_ENTRY } from '../oriented-view.ts'
import { writeFully } from '../../file-bytes.ts'
import { bytesOf } from './bucket-tables.ts'
import type { SlabOutput } from './view-task.ts'

/** Takes the lists of consecutive vertices. */
export interface ListWriter {
  /** The next vertex: its list is list[start, start + count), in order. */
  add(list: Uint32Array, start: number, count: number): void
  /** Writes out the rest and leaves the checksums of this piece. */
  finish(piece: number): void
}

/** Gathers words that stand one after another in a file, writes them in parts and sums them up. */
export class WordStream {
  readonly #output: SlabOutput
  readonly #words: Uint32Array
  #filled = 0
  #at: number
  crc = 0

  /** @param at byte of the file where the first word goes */
  constructor(output: SlabOutput, words: Uint32Array, at: number) {
    this.#output = output
    this.#words = words
    this.#at = at
  }

  push(word: number): void {
    if (this.#filled === this.#words.length) this.flush()
    this.#words[this.#filled++] = word
  }

  flush(): void {
    const bytes = bytesOf(this.#words.subarray(0, this.#filled))
    this.crc = crc32(bytes, this.crc)
    writeFully(this.#output.file, bytes, this.#at, this.#output.path)
    this.#at += bytes.length
    this.#filled = 0
  }
}

/**
 * Writes the lists of consecutive vertices into the three slabs of a view: the first HEAD_WIDTH entries to the heads, the rest to
 * the tails. Tail offsets are stored modulo 2^32: they never descend and never step by 2^32, so a reader can tell the high words.
 */
export class SlabWriter implements ListWriter {
  readonly #heads: WordStream
  readonly #offsets: WordStream
  readonly #tails: WordStream
  readonly #output: SlabOutput
  #tailAt: number

  /** @param room words of memory to use, the same array for one writer after another */
  constructor(output: SlabOutput, room: Uint32Array, firstVertex: number, firstTail: number) {
    const part = Math.floor(room.length / 4)
    this.#output = output
    this.#tailAt = firstTail
    this.#heads = new WordStream(output, room.subarray(0, part), output.headsAt + 4 * HEAD_WIDTH * firstVertex)
    this.#offsets = new WordStream(output, room.subarray(part, 2 * part), output.tailOffsetsAt + 4 * firstVertex)
    this.#tails = new WordStream(output, room.subarray(2 * part), output.tailsAt + 4 * firstTail)
  }

  /** The next vertex: its list is list[start, start + count), in order. */
  add(list: Uint32Array, start: number, count: number): void {
    this.#offsets.push(this.#tailAt >>> 0)
    for (let i = 0; i < HEAD_WIDTH; i++) this.#heads.push(i < count ? list[start + i]! : NO_ENTRY)
    for (let i = start + HEAD_WIDTH; i < start + count; i++) this.#tails.push(list[i]!)
    if (count > HEAD_WIDTH) this.#tailAt += count - HEAD_WIDTH
  }

  /** Writes out the rest and leaves the checksums of this piece. */
  finish(piece: number): void {
    const streams = [this.#heads, this.#offsets, this.#tails]
    streams.forEach((stream, slab) => {
      stream.flush()
      this.#output.checksums[3 * piece + slab] = stream.crc
    })
  }
}

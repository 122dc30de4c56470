import type { EntryBlock } from '../../graph/entries.ts'
import type { LabelTable } from '../label-table.ts'
import { IntegerDictionary } from './integer-dictionary.ts'
import type { LabelRun } from './entry-segments.ts'
import { type AppendFile, bytesOf } from './scratch-file.ts'

/**
 * Turns the labels of entries into codes of 32 bits that stand for them until all labels are known. Codes of labels that a
 * dictionary holds mean something within one epoch only.
 */
export interface LabelCodes {
  /** Labels that the epoch has room for in any case. */
  readonly room: number
  /** Whether the epoch holds labels. */
  readonly used: boolean
  /** Replaces the ends of the entries [first, last) by their codes; at most room / 2 entries. */
  encode(block: EntryBlock, first: number, last: number): void
  /** Ends the epoch. */
  spill(file: AppendFile): LabelRun
}

/** Ids that are final: codes are what the reader wrote. */
export const finalIds: LabelCodes = {
  room: Infinity,
  used: false,
  encode: () => {},
  spill: () => {
    throw new Error('there are no labels to spill')
  },
}

/**
 * Integer labels. Those below 32 times the words of the bitmap are their own codes, and are marked in it (all threads share one);
 * the others are numbered by a dictionary, after them.
 */
export class IntegerCodes implements LabelCodes {
  readonly #bitmap: Int32Array
  readonly #direct: number
  readonly #dictionary: IntegerDictionary

  constructor(bitmap: Int32Array, dictionaryBytes: number) {
    this.#bitmap = bitmap
    this.#direct = 32 * bitmap.length
    this.#dictionary = new IntegerDictionary(dictionaryBytes)
  }

  get room(): number {
    return this.#dictionary.capacity - this.#dictionary.count
  }

  get used(): boolean {
    return this.#dictionary.count > 0
  }

  encode({ from, to, fromHigh, toHigh }: EntryBlock, first: number, last: number): void {
    this.#encodeEnds(from, fromHigh, first, last)
    this.#encodeEnds(to, toHigh, first, last)
  }

  #encodeEnds(ids: Uint32Array, highs: Uint32Array | null, first: number, last: number): void {
    const bitmap = this.#bitmap
    const direct = this.#direct
    for (let i = first; i < last; i++) {
      const id = ids[i]!
      const high = highs === null ? 0 : highs[i]!
      if (high === 0 && id < direct) {
        const bit = 1 << (id & 31)
        // Nearly always set already: the atomic operation is for the first time alone.
        if ((bitmap[id >>> 5]! & bit) === 0) Atomics.or(bitmap, id >>> 5, bit)
      } else ids[i] = direct + this.#dictionary.intern(id, high)
    }
  }

  spill(file: AppendFile): LabelRun {
    return this.#dictionary.spill(file)
  }
}

/** Texts, which the reader has numbered in a table already; the table is emptied when an epoch ends. */
export class TextCodes implements LabelCodes {
  readonly room = Infinity
  readonly #table: LabelTable

  constructor(table: LabelTable) {
    this.#table = table
  }

  get used(): boolean {
    return this.#table.count > 0
  }

  encode(): void {}

  spill(file: AppendFile): LabelRun {
    const table = this.#table
    const order = table.sorted()
    const at = file.bytes
    const length = new Uint32Array(1)
    for (const label of order) {
      const bytes = table.bytes(label)
      length[0] = bytes.length
      file.append(bytesOf(length))
      file.append(bytes)
    }
    const permutationAt = file.bytes
    file.append(bytesOf(order))
    const { count } = table
    table.clear()
    return { path: file.path, at, count, permutationAt }
  }
}

import { EntryIds, type EntrySlice } from './entry-ids.ts'
import { ListEntries, type ListsInFile } from './list-entries.ts'
import { type GeneratedEntries, ModelEntries } from './model-entries.ts'
import { OccurringBits } from './occurring-bits.ts'
import type { Range } from './thread-tasks.ts'

/** Takes records of u32 from, u32 to and, where weighted, the bits of the f32 weight; ids, good until it returns. */
export type EntryTaker = (records: Uint32Array) => void

/** Gives slices of entries; what a slice is depends on where they come from. */
export interface EntryBatches<Slice> {
  /** @returns false where the entries are not as they must be, and a reader has to say what they are */
  each(slice: Slice, take: EntryTaker): boolean
  /** Needed in every case. */
  close(): void
}

/** What the codes of stored entries mean, as threads tell it one another. */
export type SharedMeaning =
  | { readonly kind: 'shifted'; readonly base: number }
  | {
      readonly kind: 'ranked'
      readonly bitmap: Int32Array | null
      readonly before: Uint32Array | null
      readonly direct: number
      readonly ranksPath: string
    }
  | { readonly kind: 'plain'; readonly direct: number; readonly ranks: Uint32Array | null }

/** Entries that an earlier stage stored as codes. */
export interface CodedEntries {
  readonly kind: 'coded'
  readonly meaning: SharedMeaning
  readonly recordWords: 2 | 3
}

/** Where the entries of a graph come from. Plain data and shared memory. */
export type EntrySource = CodedEntries | ListsInFile | GeneratedEntries

/** A part of a source. */
export type SourceSlice = EntrySlice | Range

/** Words of the records that a source gives. */
export function recordWordsOf(source: EntrySource): 2 | 3 {
  if (source.kind === 'coded') return source.recordWords
  return source.kind === 'lists' && source.weighted ? 3 : 2
}

export function openEntries(source: EntrySource): EntryBatches<SourceSlice> {
  switch (source.kind) {
    case 'coded':
      return new CodedBatches(source)
    case 'lists':
      return new ListEntries(source)
    case 'model':
      return new ModelEntries(source)
  }
}

const STEP = 1 << 14

class CodedBatches implements EntryBatches<SourceSlice> {
  readonly #ids: EntryIds
  readonly #records: Uint32Array

  constructor({ meaning, recordWords }: CodedEntries) {
    this.#ids = new EntryIds(meaning.kind === 'ranked' ? ranked(meaning) : meaning, recordWords)
    this.#records = new Uint32Array(STEP * recordWords)
  }

  each(slice: SourceSlice, take: EntryTaker): boolean {
    if (!('segment' in slice)) throw new Error('coded entries lie in segments')
    const { segment, last } = slice
    for (let first = slice.first; first < last; first += STEP)
      take(this.#ids.read({ segment, first, last: Math.min(last, first + STEP) }, this.#records))
    return true
  }

  close(): void {
    this.#ids.close()
  }
}

function ranked({ bitmap, before, direct, ranksPath }: Extract<SharedMeaning, { kind: 'ranked' }>) {
  const bits = bitmap === null || before === null ? null : new OccurringBits(bitmap, before)
  return { kind: 'ranked', direct, ranksPath, bits } as const
}

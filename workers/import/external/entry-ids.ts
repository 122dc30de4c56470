import type { VertexSpace } from '../graph-reader.ts'
import type { Range } from '../../base/ranges.ts'
import { bytesOf, ScratchFiles } from './scratch-file.ts'

/** Texts are in scratch files. */
export type StoredSpace = Exclude<VertexSpace, { kind: 'text' }> | { readonly kind: 'text' }

/** Labels of one thread and epoch, ascending and unique, with their codes. */
export interface LabelRun {
  readonly path: string
  /** Bytes of the labels: u64, or u32 length and text. */
  readonly at: number
  readonly count: number
  /** u32 [count]: codes in the order of the labels. */
  readonly permutationAt: number
  /** u32 [count] in the file {@link ranksOf} it, once labels are ranked: their ids. */
  readonly ranksAt: number
}

export const ranksOf = ({ path }: LabelRun): string => `${path}.ranks`

/** Entries of one thread and epoch: u32 from, u32 to, f32 weight where weighted. */
export interface EntrySegment {
  readonly path: string
  readonly at: number
  readonly entries: number
  /** null where codes are ids or labels of the bitmap. */
  readonly run: LabelRun | null
}

/** Codes below `direct` are labels, the others positions in the run of their segment. */
export interface CodedEntries {
  readonly kind: 'coded'
  readonly recordWords: 2 | 3
  readonly direct: number
  /** The smallest of labels without gaps; null for others, whose ids are ranks. */
  readonly base: number | null
  /** Of {@link OccurringIds}; null where there are no direct codes. */
  readonly pairs: Int32Array | null
}

export interface EntrySlice extends Range {
  readonly segment: EntrySegment
}

const STEP = 1 << 14

/** Entries of scratch files with ids in place of their codes. */
export class CodedBatches {
  readonly #entries: CodedEntries
  readonly #files = new ScratchFiles()
  readonly #records: Uint32Array
  /** Of which run the ids are. */
  #loaded = ''
  #ids: Uint32Array = new Uint32Array(0)

  constructor(entries: CodedEntries) {
    this.#entries = entries
    this.#records = new Uint32Array(STEP * entries.recordWords)
  }

  each({ segment, first, end }: EntrySlice, take: (records: Uint32Array) => void): boolean {
    const { recordWords } = this.#entries
    if (segment.run !== null) this.#load(segment.run)
    for (let from = first; from < end; from += STEP) {
      const words = this.#records.subarray(0, (Math.min(end, from + STEP) - from) * recordWords)
      this.#files.read(segment.path, bytesOf(words), segment.at + 4 * recordWords * from)
      this.#decode(words, segment.run !== null)
      take(words)
    }
    return true
  }

  #decode(words: Uint32Array, hasRun: boolean): void {
    const { direct, base, pairs, recordWords } = this.#entries
    if (base === 0 && !hasRun) return
    const ids = this.#ids
    const idOf = (code: number): number => {
      if (code >= direct) return ids[code - direct]!
      return base === null ? rankOf(pairs!, code) : code - base
    }
    for (let i = 0; i < words.length; i += recordWords) {
      words[i] = idOf(words[i]!)
      words[i + 1] = idOf(words[i + 1]!)
    }
  }

  #load(run: LabelRun): void {
    const { path, count, permutationAt, ranksAt } = run
    const name = `${path} ${ranksAt}`
    if (name === this.#loaded) return
    if (this.#ids.length < count) this.#ids = new Uint32Array(count)
    const step = Math.min(count, STEP)
    const codes = new Uint32Array(step)
    const ranks = new Uint32Array(step)
    for (let first = 0; first < count; first += step) {
      const length = Math.min(step, count - first)
      this.#files.read(path, bytesOf(codes.subarray(0, length)), permutationAt + 4 * first)
      this.#files.read(ranksOf(run), bytesOf(ranks.subarray(0, length)), ranksAt + 4 * first)
      for (let i = 0; i < length; i++) this.#ids[codes[i]!] = ranks[i]!
    }
    this.#loaded = name
  }

  close(): void {
    this.#files.close()
  }
}

/** Labels of a part of {@link OccurringIds.labels}, but for those of its last word. */
const PART_LABELS = 1 << 16

/** Which ids below a limit occur, and their ranks. */
export class OccurringIds {
  /** For 32 ids each, two words: a bit for each that occurs, and how many smaller ones do. */
  readonly pairs: Int32Array
  readonly count: number
  /** The smallest and the largest; 0 where there is none. */
  readonly first: number
  readonly last: number

  /** @param pairs with bits; counts are filled in */
  constructor(pairs: Int32Array) {
    this.pairs = pairs
    let count = 0
    let [first, last] = [-1, 0]
    for (let at = 0; at < pairs.length; at += 2) {
      const bits = pairs[at]!
      pairs[at + 1] = count
      if (bits === 0) continue
      count += bitsSet(bits)
      if (first < 0) first = 16 * at + lowestBit(bits)
      last = 16 * at + 31 - Math.clz32(bits)
    }
    this.count = count
    this.first = Math.max(0, first)
    this.last = last
  }

  /** Ascending, in parts that are good until the next. */
  *labels(): Generator<BigUint64Array> {
    const part = new BigUint64Array(PART_LABELS + 32)
    const halves = new Uint32Array(part.buffer)
    let count = 0
    for (let at = 0; at < this.pairs.length; at += 2) {
      for (let bits = this.pairs[at]!; bits !== 0; bits &= bits - 1) halves[2 * count++] = 16 * at + lowestBit(bits)
      if (count < PART_LABELS) continue
      yield part.subarray(0, count)
      count = 0
    }
    yield part.subarray(0, count)
  }
}

/** Of an id that occurs. @param pairs of {@link OccurringIds} */
export function rankOf(pairs: Int32Array, id: number): number {
  const at = 2 * (id >>> 5)
  return (pairs[at + 1]! + bitsSet(pairs[at]! & ((1 << (id & 31)) - 1))) >>> 0
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

function bitsSet(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

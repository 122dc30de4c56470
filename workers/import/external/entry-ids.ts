import { bytesOf, ScratchFiles } from './scratch-file.ts'

/** Labels of one thread and epoch, ascending and unique, with their codes. */
export interface LabelRun {
  readonly path: string
  /** Bytes of the labels: u64, or u32 length and text. */
  readonly at: number
  readonly count: number
  /** u32 [count]: codes in the order of the labels. */
  readonly permutationAt: number
}

/** Entries of one thread and epoch: u32 from, u32 to, f32 weight where weighted. */
export interface EntrySegment {
  readonly path: string
  readonly at: number
  readonly entries: number
  /** null where codes are ids or labels of the bitmap. */
  readonly run: LabelRun | null
}

/** With u32 [count] ranks at byte `ranksAt` of the file of ranks. */
export interface RankedRun extends LabelRun {
  readonly ranksAt: number
}

/** How codes become ids: `shifted`, less a base; `ranked`, by bitmap and runs; `plain`, as they are. */
export type CodeMeaning =
  | { readonly kind: 'shifted'; readonly base: number }
  | {
      readonly kind: 'ranked'
      /** As {@link OccurringBits} have them. */
      readonly bitmap: Int32Array | null
      readonly before: Uint32Array | null
      readonly direct: number
      readonly ranksPath: string
    }
  | { readonly kind: 'plain'; readonly direct: number }

export interface CodedEntries {
  readonly kind: 'coded'
  readonly meaning: CodeMeaning
  readonly recordWords: 2 | 3
}

export interface EntrySlice {
  readonly segment: EntrySegment & { readonly run: RankedRun | null }
  readonly first: number
  readonly last: number
}

const STEP = 1 << 14

/** Entries of scratch files with ids in place of their codes. */
export class CodedBatches {
  readonly #meaning: CodeMeaning
  readonly #bits: OccurringBits | null = null
  readonly #recordWords: 2 | 3
  readonly #files = new ScratchFiles()
  readonly #records: Uint32Array
  /** By the position of its ranks. */
  #loaded = -1
  #ids: Uint32Array = new Uint32Array(0)

  constructor({ meaning, recordWords }: CodedEntries) {
    this.#meaning = meaning
    this.#recordWords = recordWords
    this.#records = new Uint32Array(STEP * recordWords)
    if (meaning.kind === 'ranked' && meaning.bitmap !== null && meaning.before !== null)
      this.#bits = new OccurringBits(meaning.bitmap, meaning.before)
  }

  each({ segment, first, last }: EntrySlice, take: (records: Uint32Array) => void): boolean {
    for (let from = first; from < last; from += STEP) {
      const words = this.#records.subarray(0, (Math.min(last, from + STEP) - from) * this.#recordWords)
      this.#files.read(segment.path, bytesOf(words), segment.at + 4 * this.#recordWords * from)
      if (this.#meaning.kind === 'shifted') this.#shift(words, this.#meaning.base)
      else if (this.#meaning.kind === 'ranked') this.#rank(words, segment.run, this.#meaning)
      else if (segment.run !== null) this.#resolve(words, segment.run, this.#meaning.direct)
      take(words)
    }
    return true
  }

  #shift(words: Uint32Array, base: number): void {
    if (base === 0) return
    for (let i = 0; i < words.length; i += this.#recordWords) {
      words[i]! -= base
      words[i + 1]! -= base
    }
  }

  #rank(words: Uint32Array, run: RankedRun | null, meaning: Extract<CodeMeaning, { kind: 'ranked' }>): void {
    const { direct, ranksPath } = meaning
    const bits = this.#bits
    if (run !== null)
      this.#load(run, (first, into) => this.#files.read(ranksPath, bytesOf(into), run.ranksAt + 4 * first))
    const ids = this.#ids
    for (let i = 0; i < words.length; i += this.#recordWords) {
      const from = words[i]!
      const to = words[i + 1]!
      words[i] = from < direct ? bits!.rank(from) : ids[from - direct]!
      words[i + 1] = to < direct ? bits!.rank(to) : ids[to - direct]!
    }
  }

  #resolve(words: Uint32Array, run: RankedRun, direct: number): void {
    this.#load(run, (first, into) => this.#lowHalves(run, first, into))
    const ids = this.#ids
    for (let i = 0; i < words.length; i += this.#recordWords)
      for (const at of [i, i + 1]) if (words[at]! >= direct) words[at] = ids[words[at]! - direct]!
  }

  #lowHalves(run: RankedRun, first: number, into: Uint32Array): void {
    const labels = new Uint32Array(2 * into.length)
    this.#files.read(run.path, bytesOf(labels), run.at + 8 * first)
    for (let i = 0; i < into.length; i++) into[i] = labels[2 * i]!
  }

  /** @param read gives the ids of labels from `first`, in their order */
  #load(run: RankedRun, read: (first: number, into: Uint32Array) => void): void {
    if (run.ranksAt === this.#loaded) return
    const { count } = run
    if (this.#ids.length < count) this.#ids = new Uint32Array(count)
    const step = Math.min(count, 1 << 14)
    const codes = new Uint32Array(step)
    const meanings = new Uint32Array(step)
    for (let first = 0; first < count; first += step) {
      const length = Math.min(step, count - first)
      this.#files.read(run.path, bytesOf(codes.subarray(0, length)), run.permutationAt + 4 * first)
      read(first, meanings.subarray(0, length))
      for (let i = 0; i < length; i++) this.#ids[codes[i]!] = meanings[i]!
    }
    this.#loaded = run.ranksAt
  }

  close(): void {
    this.#files.close()
  }
}

/** A rank takes two reads. */
export class OccurringBits {
  readonly #words: Int32Array
  readonly #before: Uint32Array
  readonly count: number

  /** @param before computed earlier, perhaps by another thread */
  constructor(words: Int32Array, before?: Uint32Array) {
    this.#words = words
    this.#before = before ?? ranksOf(words)
    this.count = this.#before[words.length]!
  }

  get words(): Int32Array {
    return this.#words
  }

  /** u32 [words + 1]: labels before each word; last: all. */
  get before(): Uint32Array {
    return this.#before
  }

  rank(label: number): number {
    return this.#before[label >>> 5]! + bitsSet(this.#words[label >>> 5]! & ((1 << (label & 31)) - 1))
  }

  first(): number {
    const word = this.#words.findIndex((bits) => bits !== 0)
    return 32 * word + lowestBit(this.#words[word]!)
  }

  last(): number {
    const word = this.#words.findLastIndex((bits) => bits !== 0)
    return 32 * word + 31 - Math.clz32(this.#words[word]!)
  }

  /** Low and high halves; returns their number. */
  labels(first: number, last: number, into: Uint32Array): number {
    let count = 0
    for (let w = first; w < last; w++)
      for (let bits = this.#words[w]!; bits !== 0; bits &= bits - 1) {
        into[2 * count] = 32 * w + lowestBit(bits)
        into[2 * count++ + 1] = 0
      }
    return count
  }
}

function ranksOf(words: Int32Array): Uint32Array {
  const before = new Uint32Array(new SharedArrayBuffer(4 * (words.length + 1)))
  let count = 0
  for (let w = 0; w < words.length; w++) {
    before[w] = count
    count += bitsSet(words[w]!)
  }
  before[words.length] = count
  return before
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

export function bitsSet(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

import type { EntrySegment, RankedRun } from './entry-segments.ts'
import type { OccurringBits } from './occurring-bits.ts'
import { bytesOf, ScratchFiles } from './scratch-file.ts'

/**
 * How codes become ids. `shifted`: they are labels without gaps from a base. `ranked`: through the ranks of bitmap and runs.
 * `plain`: what the codes stand for is the id itself or, with `ranks`, its place in them.
 */
export type CodeMeaning =
  | { readonly kind: 'shifted'; readonly base: number }
  | {
      readonly kind: 'ranked'
      readonly bits: OccurringBits | null
      readonly direct: number
      readonly ranksPath: string
    }
  | { readonly kind: 'plain'; readonly direct: number; readonly ranks: Uint32Array | null }

/** A part of a segment: entries [first, last). */
export interface EntrySlice {
  readonly segment: EntrySegment & { readonly run: RankedRun | null }
  readonly first: number
  readonly last: number
}

/** Reads slices of entries and turns their codes into internal ids. */
export class EntryIds {
  readonly #meaning: CodeMeaning
  readonly #recordWords: 2 | 3
  readonly #files = new ScratchFiles()
  /** Which run `#ids` belongs to, told by where its ranks lie. */
  #loaded = -1
  #ids: Uint32Array = new Uint32Array(0)

  constructor(meaning: CodeMeaning, recordWords: 2 | 3) {
    this.#meaning = meaning
    this.#recordWords = recordWords
  }

  /** The records of entries [first, last) of a segment, ids in place of codes, into the front of `into`. */
  read({ segment, first, last }: EntrySlice, into: Uint32Array): Uint32Array {
    const words = into.subarray(0, (last - first) * this.#recordWords)
    this.#files.read(segment.path, bytesOf(words), segment.at + 4 * this.#recordWords * first)
    switch (this.#meaning.kind) {
      case 'shifted':
        this.#shift(words, this.#meaning.base)
        break
      case 'ranked':
        this.#rank(words, segment.run, this.#meaning)
        break
      case 'plain':
        this.#resolve(words, segment.run, this.#meaning)
    }
    return words
  }

  #shift(words: Uint32Array, base: number): void {
    if (base === 0) return
    for (let i = 0; i < words.length; i += this.#recordWords) {
      words[i]! -= base
      words[i + 1]! -= base
    }
  }

  #rank(words: Uint32Array, run: RankedRun | null, meaning: Extract<CodeMeaning, { kind: 'ranked' }>): void {
    const { bits, direct, ranksPath } = meaning
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

  #resolve(words: Uint32Array, run: RankedRun | null, meaning: Extract<CodeMeaning, { kind: 'plain' }>): void {
    const { direct, ranks } = meaning
    if (run === null && ranks === null) return
    if (run !== null) this.#load(run, (first, into) => this.#lowHalves(run, first, into))
    const ids = this.#ids
    for (let i = 0; i < words.length; i += this.#recordWords)
      for (const at of [i, i + 1]) {
        const code = words[at]!
        const label = code < direct ? code : ids[code - direct]!
        words[at] = ranks === null ? label : ranks[label]!
      }
  }

  #lowHalves(run: RankedRun, first: number, into: Uint32Array): void {
    const labels = new Uint32Array(2 * into.length)
    this.#files.read(run.path, bytesOf(labels), run.at + 8 * first)
    for (let i = 0; i < into.length; i++) into[i] = labels[2 * i]!
  }

  /** What every code of an epoch stands for. @param read gives it for labels of the run from `first`, in their order */
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

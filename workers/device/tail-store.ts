import { availableParallelism } from 'node:os'
import type { ViewFile } from '../graph/view-file.ts'
import type { StopSignal } from '../job.ts'
import { Trace } from '../trace.ts'
import type { Wanted } from './read-ahead.ts'
import { ReadAhead } from './read-ahead.ts'

const PAGE_BYTES = 4096
/** A gap that is read through: several threads ask for more at once sooner than for twice as many pieces. */
const GAP_BYTES = 4 * PAGE_BYTES
const PIECE_BYTES = 1 << 20
const ARENA_BYTES = 8 << 20
/** Of the processors, for threads that read: a disk answers many requests sooner than one after another. */
const READERS_SHARE = 1 / 4
const MOST_READERS = 4

/** Words at a jump, and at most where reading goes on, of what nobody told ahead. */
const LEAST_WORDS = PAGE_BYTES / 4
const MOST_WORDS = 1 << 14

/** Some words of the tails. */
export interface TailWords {
  /** The places in the tails of the first of `words`, and past the last. */
  readonly first: number
  readonly end: number
  readonly words: Uint32Array
  /** Brings words from place `at` on. */
  seek(at: number): void
}

interface Piece {
  readonly at: number
  readonly bytes: number
}

/**
 * The tails of a view on disk, of which little is needed: pages around stretches that are told ahead, in ascending order, are read by
 * threads of their own, several at a time. What is asked for outside of them is read at once.
 */
export class TailStore implements TailWords {
  readonly #view: ViewFile
  readonly #trace: Trace
  readonly #signal: StopSignal | undefined
  readonly #unforeseen = new Uint32Array(MOST_WORDS)
  /** Each reads its share of the pieces, one after another in turn. */
  #readers: ReadAhead[] = []
  /** Expected, in ascending order; those before `next` were taken. */
  #pieces: Piece[] = []
  #next = 0
  /** The piece that was taken last. */
  #taken = { first: 0, words: new Uint32Array(0) as Uint32Array }
  #bytesRead = 0
  #readMs = 0
  first = 0
  end = 0
  words: Uint32Array = this.#unforeseen

  constructor(view: ViewFile, trace = new Trace(false), signal?: StopSignal) {
    this.#view = view
    this.#trace = trace
    this.#signal = signal
  }

  /** Bytes that the threads brought; what was read at once counts for the view's file. */
  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Milliseconds that the caller waited for them. */
  get readMs(): number {
    return this.#readMs
  }

  /**
   * Tells which stretches will be asked for next, in ascending order. What is left of those before is taken back.
   * @param tell is given what takes places [first, end)
   */
  async expect(tell: (want: (first: number, end: number) => void) => void): Promise<void> {
    while (this.#next < this.#pieces.length) this.#take()
    const pages = new Pages(this.#view.header.tails.bytes)
    tell((first, end) => pages.add(first, end))
    this.#pieces = pages.pieces()
    this.#next = 0
    if (this.#pieces.length === 0) return
    if (this.#readers.length === 0) this.#readers = await this.#open()
    const count = this.#readers.length
    for (const [turn, reader] of this.#readers.entries())
      reader.expect(this.#pieces.filter((_, piece) => piece % count === turn).map(wantedOf))
  }

  seek(at: number): void {
    while (this.#next < this.#pieces.length && this.#pieces[this.#next]!.at <= 4 * at) this.#take()
    const { first, words } = this.#taken
    if (at >= first && at < first + words.length) this.#show(first, words)
    else this.#readHere(at)
  }

  async release(): Promise<void> {
    for (const reader of this.#readers.splice(0)) this.#trace.add((await reader.close()).spans)
  }

  #open(): Promise<ReadAhead[]> {
    const count = Math.max(1, Math.min(MOST_READERS, Math.floor(READERS_SHARE * availableParallelism())))
    const open = (): Promise<ReadAhead> => ReadAhead.open(this.#view.path, ARENA_BYTES, this.#trace.isOn)
    return Promise.all(Array.from({ length: count }, open))
  }

  #show(first: number, words: Uint32Array): void {
    this.first = first
    this.end = first + words.length
    this.words = words
  }

  #take(): void {
    // What was shown is given back with it.
    this.end = this.first
    const reader = this.#readers[this.#next % this.#readers.length]!
    const { at, bytes } = this.#pieces[this.#next++]!
    const startMs = performance.now()
    const taken = reader.take(this.#signal).bytes
    this.#readMs += performance.now() - startMs
    this.#taken = { first: at / 4, words: new Uint32Array(taken.buffer, taken.byteOffset, bytes / 4) }
    this.#bytesRead += bytes
  }

  /** More and more where it goes on, a page after a jump. */
  #readHere(at: number): void {
    const { tails, tailEntries } = this.#view.header
    const goesOn = at === this.end && this.words.buffer === this.#unforeseen.buffer
    const first = goesOn ? at : at - (at % LEAST_WORDS)
    const wanted = goesOn ? Math.min(MOST_WORDS, 2 * this.words.length) : LEAST_WORDS
    const words = this.#unforeseen.subarray(0, Math.min(wanted, tailEntries - first))
    this.#view.read(tails, 4 * first, new Uint8Array(words.buffer, 0, words.byteLength))
    this.#show(first, words)
  }
}

/** Whole pages around stretches that are added in ascending order, neighbouring ones together. */
class Pages {
  readonly #allBytes: number
  readonly #pieces: Piece[] = []
  #start = 0
  #end = 0

  constructor(allBytes: number) {
    this.#allBytes = allBytes
  }

  add(first: number, end: number): void {
    const from = 4 * first - ((4 * first) % PAGE_BYTES)
    if (from > this.#end + GAP_BYTES || this.#end === 0) {
      this.#cut()
      this.#start = from
    }
    if (4 * end <= this.#end) return
    this.#end = Math.min(this.#allBytes, PAGE_BYTES * Math.ceil((4 * end) / PAGE_BYTES))
  }

  pieces(): Piece[] {
    this.#cut()
    return this.#pieces
  }

  #cut(): void {
    for (let at = this.#start; at < this.#end; at += PIECE_BYTES)
      this.#pieces.push({ at, bytes: Math.min(PIECE_BYTES, this.#end - at) })
  }
}

const wantedOf = ({ at, bytes }: Piece): Wanted => ({
  name: 'tails',
  bytes,
  parts: [{ section: 'tails', at, bytes, into: 0 }],
})

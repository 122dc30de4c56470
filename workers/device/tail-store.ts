import { availableParallelism } from 'node:os'
import { SlabWindow } from '../graph/slab-window.ts'
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

/** Words of the tails [first, end). */
export interface Stretch {
  readonly first: number
  readonly end: number
}

interface Piece {
  readonly at: number
  readonly bytes: number
}

/**
 * The tails of a view on disk, of which little is needed: pages around stretches that are told ahead, in ascending order, are read by
 * threads of their own, several at a time. A word outside of them is read at once.
 */
export class TailStore {
  readonly #view: ViewFile
  readonly #trace: Trace
  readonly #signal: StopSignal | undefined
  readonly #window: SlabWindow
  /** Each reads its share of the pieces, one after another in turn. */
  #readers: ReadAhead[] = []
  /** Expected and not taken yet, in ascending order. */
  #pieces: Piece[] = []
  #next = 0
  #first = 0
  #words: Uint32Array = new Uint32Array(0)
  #bytesRead = 0
  #readMs = 0

  constructor(view: ViewFile, trace = new Trace(false), signal?: StopSignal) {
    const { tails, tailEntries } = view.header
    this.#view = view
    this.#trace = trace
    this.#signal = signal
    this.#window = new SlabWindow((at, bytes) => view.read(tails, at, bytes), tailEntries)
  }

  /** Bytes that the threads brought; what was read at once counts for the view's file. */
  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Milliseconds that the caller waited for them. */
  get readMs(): number {
    return this.#readMs
  }

  /** Tells which stretches will be asked for next, in ascending order. What is left of those before is taken back. */
  async expect(stretches: readonly Stretch[]): Promise<void> {
    while (this.#next < this.#pieces.length) this.#take()
    this.#pieces = piecesAround(stretches, this.#view.header.tails.bytes)
    this.#next = 0
    if (this.#pieces.length === 0) return
    if (this.#readers.length === 0) this.#readers = await this.#open()
    const count = this.#readers.length
    for (const [turn, reader] of this.#readers.entries())
      reader.expect(this.#pieces.filter((_, piece) => piece % count === turn).map(wantedOf))
  }

  /** A word of the tails. Whoever asks for a later one needs none of the stretches before. */
  word(at: number): number {
    const place = at - this.#first
    if (place >= 0 && place < this.#words.length) return this.#words[place]!
    while (this.#next < this.#pieces.length && this.#pieces[this.#next]!.at <= 4 * at) {
      this.#take()
      if (at - this.#first < this.#words.length) return this.#words[at - this.#first]!
    }
    return this.#window.word(at)
  }

  async release(): Promise<void> {
    for (const reader of this.#readers.splice(0)) this.#trace.add((await reader.close()).spans)
  }

  #open(): Promise<ReadAhead[]> {
    const count = Math.max(1, Math.min(MOST_READERS, Math.floor(READERS_SHARE * availableParallelism())))
    const open = (): Promise<ReadAhead> => ReadAhead.open(this.#view.path, ARENA_BYTES, this.#trace.isOn)
    return Promise.all(Array.from({ length: count }, open))
  }

  #take(): void {
    const reader = this.#readers[this.#next % this.#readers.length]!
    const { at, bytes } = this.#pieces[this.#next++]!
    const startMs = performance.now()
    const taken = reader.take(this.#signal).bytes
    this.#readMs += performance.now() - startMs
    this.#words = new Uint32Array(taken.buffer, taken.byteOffset, bytes / 4)
    this.#first = at / 4
    this.#bytesRead += bytes
  }
}

const wantedOf = ({ at, bytes }: Piece): Wanted => ({
  name: 'tails',
  bytes,
  parts: [{ section: 'tails', at, bytes, into: 0 }],
})

/** Whole pages around the stretches, neighbouring ones together, cut into pieces. */
function piecesAround(stretches: readonly Stretch[], allBytes: number): Piece[] {
  const pieces: Piece[] = []
  let [start, end] = [0, 0]
  const add = (): void => {
    for (let at = start; at < end; at += PIECE_BYTES) pieces.push({ at, bytes: Math.min(PIECE_BYTES, end - at) })
  }
  for (const stretch of stretches) {
    const from = PAGE_BYTES * Math.floor((4 * stretch.first) / PAGE_BYTES)
    const to = Math.min(allBytes, PAGE_BYTES * Math.ceil((4 * stretch.end) / PAGE_BYTES))
    if (from > end + GAP_BYTES || end === 0) {
      add()
      start = from
    }
    end = Math.max(end, to)
  }
  add()
  return pieces
}

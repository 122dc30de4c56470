import { crc32 } from 'node:zlib'
import type { Barrier } from '../../../exchange/barrier.ts'
import type { Batch } from '../../../graph/batches.ts'
import { HEAD_WIDTH } from '../../../graph/oriented-view.ts'
import { damagedFile } from '../../../graph/section-file.ts'
import type { SectionSum } from '../../../graph/section-sums.ts'
import type { ViewFile } from '../../../graph/view-file.ts'
import type { Trace } from '../../../trace.ts'
import { sharedWords } from './host-state.ts'

/** Vertices whose heads pass through the device at a time. */
export const HEADS_CHUNK = 1 << 16
/** Pieces that are in memory: some are being read while others wait for the device. */
const SLOTS = 16
/** Pieces that are taken together, at most: the slots of the others are filled meanwhile. */
const MOST_TAKEN = 4
/** Threads that read heads beside those that drive the devices, of all workers together: a disk is no faster with more. */
const HEADS_READERS = 16
/** And of each worker, at least. */
const LEAST_READERS = 4
const GO = 0
const NEXT = 1
const TAKEN = 2
const READY = 3

/** What the threads of a worker share of the heads that pass through its device: all in shared memory. */
export interface SharedHeads {
  /** Vertices with which the pieces begin, in order, and the end of the last one. */
  readonly starts: Uint32Array
  /** Room for SLOTS pieces. */
  readonly slots: Uint32Array
  /** The second entries of the own vertices; there once all heads have passed. */
  readonly seconds: Uint32Array
  /** CRC-32 of each piece. */
  readonly sums: Uint32Array
  /** Whether it has begun; the next piece to be read; pieces that were taken; whether each is read. */
  readonly control: Int32Array
}

/** How many of a worker's threads read heads. */
export const headsReaders = (workers: number): number => Math.max(LEAST_READERS, Math.floor(HEADS_READERS / workers))

/** @param batches own ones, one after another */
export function shareHeads(batches: readonly Batch[]): SharedHeads {
  const starts = batches.flatMap(({ first, count }) =>
    Array.from({ length: Math.ceil(count / HEADS_CHUNK) }, (_, i) => first + HEADS_CHUNK * i),
  )
  const pieces = starts.length
  const last = batches.at(-1)
  const end = last === undefined ? 0 : last.first + last.count
  const shared = sharedWords(pieces + 1)
  shared.set([...starts, end])
  const own = end - (batches[0]?.first ?? 0)
  return {
    starts: shared,
    slots: sharedWords(HEAD_WIDTH * Math.min(HEADS_CHUNK, own) * Math.min(SLOTS, pieces)),
    seconds: sharedWords(own),
    sums: sharedWords(pieces),
    control: new Int32Array(new SharedArrayBuffer(4 * (READY + pieces))),
  }
}

/** One thread's side of the heads that pass: they are read by several, and taken in order by the one that drives the device. */
export class HeadsQueue {
  readonly #starts: Uint32Array
  #slots: Uint32Array
  #seconds: Uint32Array
  readonly #sums: Uint32Array
  readonly #control: Int32Array
  readonly #view: ViewFile
  readonly #barrier: Barrier
  readonly #trace: Trace

  /** @param barrier of all threads of all workers */
  constructor(shared: SharedHeads, view: ViewFile, barrier: Barrier, trace: Trace) {
    this.#starts = shared.starts
    this.#slots = shared.slots
    this.#seconds = shared.seconds
    this.#sums = shared.sums
    this.#control = shared.control
    this.#view = view
    this.#barrier = barrier
    this.#trace = trace
  }

  /** Lets the others begin, once the clock runs. */
  begin(): void {
    this.#set(GO)
  }

  /** Reads pieces until all are read or being read. @throws Failure (storage, input) as the reading failed, (cancelled) */
  async help(): Promise<void> {
    const control = this.#control
    await this.#barrier.untilChanged(control, GO, 0)
    for (;;) {
      const taken = Atomics.load(control, TAKEN)
      if (this.#readNext()) continue
      if (this.#isClaimed(this.#pieces - 1)) return
      await this.#barrier.untilChanged(control, TAKEN, taken)
    }
  }

  /**
   * The heads of the piece whose turn it is, and of those behind it that are read too and lie behind it in memory, up to the piece `end`; valid
   * until {@link done}. Reads what nobody reads yet.
   */
  async take(piece: number, end: number): Promise<{ readonly bytes: Uint8Array; readonly pieces: number }> {
    while (!this.#isReady(piece))
      if (!this.#readNext()) await this.#barrier.untilChanged(this.#control, READY + piece, 0)
    const until = Math.min(end, piece + MOST_TAKEN, SLOTS * (Math.floor(piece / SLOTS) + 1))
    let pieces = 1
    while (piece + pieces < until && this.#isReady(piece + pieces)) pieces++
    return { bytes: this.#slotsOf(piece, pieces), pieces }
  }

  /** The slots of so many pieces that were taken are free. */
  done(pieces: number): void {
    Atomics.add(this.#control, TAKEN, pieces)
    Atomics.notify(this.#control, TAKEN)
  }

  /** Lets go of what takes memory, at the end; the checksums stay. */
  release(): void {
    this.#slots = this.#seconds = new Uint32Array(0)
  }

  /** Checksums of what was read. */
  get checksums(): SectionSum<'heads'>[] {
    return Array.from(this.#sums, (sum, piece) => {
      const { at, bytes } = this.#stretchOf(piece)
      return { section: 'heads', at, bytes, crc32: sum }
    })
  }

  get #pieces(): number {
    return this.#sums.length
  }

  /** @returns false where there is none, or no room */
  #readNext(): boolean {
    const control = this.#control
    for (;;) {
      const piece = Atomics.load(control, NEXT)
      if (piece >= this.#pieces || !this.#hasRoom) return false
      if (Atomics.compareExchange(control, NEXT, piece, piece + 1) !== piece) continue
      this.#trace.span('disk read', 'heads', () => this.#read(piece))
      this.#set(READY + piece)
      return true
    }
  }

  #set(flag: number): void {
    Atomics.store(this.#control, flag, 1)
    Atomics.notify(this.#control, flag)
  }

  #read(piece: number): void {
    const [seconds, starts] = [this.#seconds, this.#starts]
    const { vertices, heads } = this.#view.header
    const bytes = this.#slotsOf(piece, 1)
    this.#view.read(heads, this.#stretchOf(piece).at, bytes)
    this.#sums[piece] = crc32(bytes)
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    let beyond = 0
    for (let at = 0, i = starts[piece]! - starts[0]!; at < words.length; at += HEAD_WIDTH, i++) {
      const [one, two] = [words[at]!, words[at + 1]!]
      // NO_ENTRY is the one before the first vertex.
      beyond |= Number((one + 1) >>> 0 > vertices) | Number((two + 1) >>> 0 > vertices)
      seconds[i] = two
    }
    if (beyond !== 0) throw damagedFile(this.#view.path)
  }

  /** Where a piece lies in the section, in bytes. */
  #stretchOf(piece: number): { readonly at: number; readonly bytes: number } {
    const [first, end] = [this.#starts[piece]!, this.#starts[piece + 1]!]
    return { at: 4 * HEAD_WIDTH * first, bytes: 4 * HEAD_WIDTH * (end - first) }
  }

  /** The slots of some pieces, of which only the last may be a short one. */
  #slotsOf(piece: number, pieces: number): Uint8Array {
    const slots = this.#slots
    const room = slots.byteLength / Math.min(SLOTS, this.#pieces)
    const bytes = (pieces - 1) * room + this.#stretchOf(piece + pieces - 1).bytes
    return new Uint8Array(slots.buffer, (piece % SLOTS) * room, bytes)
  }

  get #hasRoom(): boolean {
    const control = this.#control
    return Atomics.load(control, NEXT) - Atomics.load(control, TAKEN) < SLOTS
  }

  #isClaimed(piece: number): boolean {
    return Atomics.load(this.#control, NEXT) > piece
  }

  #isReady(piece: number): boolean {
    return Atomics.load(this.#control, READY + piece) === 1
  }
}

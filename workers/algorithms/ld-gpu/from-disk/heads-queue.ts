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
const SLOTS = 8
/** Threads that read heads beside the one that drives the device: a disk is no faster with more. */
export const HEADS_READERS = 4
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
  readonly #shared: SharedHeads
  readonly #view: ViewFile
  readonly #barrier: Barrier
  readonly #trace: Trace

  /** @param barrier of all threads of all workers */
  constructor(shared: SharedHeads, view: ViewFile, barrier: Barrier, trace: Trace) {
    this.#shared = shared
    this.#view = view
    this.#barrier = barrier
    this.#trace = trace
  }

  /** Lets the others begin, once the clock runs. */
  begin(): void {
    Atomics.store(this.#shared.control, GO, 1)
    this.#barrier.tell()
  }

  /** Reads pieces until all are read or being read. @throws Failure (storage, input) as the reading failed, (cancelled) */
  async help(): Promise<void> {
    const { control } = this.#shared
    await this.#barrier.until(() => Atomics.load(control, GO) === 1)
    while (!this.#isClaimed(this.#pieces - 1)) {
      await this.#barrier.until(() => this.#hasRoom || this.#isClaimed(this.#pieces - 1))
      this.#readNext()
    }
  }

  /** The heads of the piece whose turn it is; valid until {@link done}. Reads what nobody reads yet. */
  async take(piece: number): Promise<Uint8Array> {
    while (!this.#isReady(piece)) if (!this.#readNext()) await this.#barrier.until(() => this.#isReady(piece))
    return this.#slotOf(piece)
  }

  /** The slot of the piece that was taken is free. */
  done(): void {
    Atomics.add(this.#shared.control, TAKEN, 1)
    this.#barrier.tell()
  }

  /** Checksums of what was read. */
  get checksums(): SectionSum<'heads'>[] {
    return Array.from(this.#shared.sums, (sum, piece) => {
      const { at, bytes } = this.#stretchOf(piece)
      return { section: 'heads', at, bytes, crc32: sum }
    })
  }

  get #pieces(): number {
    return this.#shared.sums.length
  }

  /** @returns false where there is none, or no room */
  #readNext(): boolean {
    const { control } = this.#shared
    for (;;) {
      const piece = Atomics.load(control, NEXT)
      if (piece >= this.#pieces || !this.#hasRoom) return false
      if (Atomics.compareExchange(control, NEXT, piece, piece + 1) !== piece) continue
      this.#trace.span('disk read', 'heads', () => this.#read(piece))
      Atomics.store(control, READY + piece, 1)
      this.#barrier.tell()
      return true
    }
  }

  #read(piece: number): void {
    const { seconds, starts, sums } = this.#shared
    const { vertices, heads } = this.#view.header
    const bytes = this.#slotOf(piece)
    this.#view.read(heads, this.#stretchOf(piece).at, bytes)
    sums[piece] = crc32(bytes)
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
    const { starts } = this.#shared
    const [first, end] = [starts[piece]!, starts[piece + 1]!]
    return { at: 4 * HEAD_WIDTH * first, bytes: 4 * HEAD_WIDTH * (end - first) }
  }

  #slotOf(piece: number): Uint8Array {
    const { slots } = this.#shared
    const room = slots.byteLength / Math.min(SLOTS, this.#pieces)
    return new Uint8Array(slots.buffer, (piece % SLOTS) * room, this.#stretchOf(piece).bytes)
  }

  get #hasRoom(): boolean {
    const { control } = this.#shared
    return Atomics.load(control, NEXT) - Atomics.load(control, TAKEN) < SLOTS
  }

  #isClaimed(piece: number): boolean {
    return Atomics.load(this.#shared.control, NEXT) > piece
  }

  #isReady(piece: number): boolean {
    return Atomics.load(this.#shared.control, READY + piece) === 1
  }
}

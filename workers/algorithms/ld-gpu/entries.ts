import type { BatchStore } from '../../device/batch-store.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import type { Batch } from '../../graph/batches.ts'
import { batchBytes } from '../../graph/batches.ts'
import { HEAD_WIDTH } from '../../graph/oriented-view.ts'
import { damagedFile } from '../../graph/section-file.ts'
import type { SectionReader } from '../../graph/section-file.ts'
import type { Trace } from '../../trace.ts'
import { sharedWords } from './from-disk/host-state.ts'
import type { LevelLists, TailCounts } from './from-disk/level-tails.ts'

/** What the device has of the lists of a batch. */
export interface BatchEntries {
  readonly heads: DeviceBuffer
  readonly tailOffsets: DeviceBuffer
  readonly tails: DeviceBuffer
}

/** A part of a batch whose heads are on the device: `count` vertices from `offset` on. */
export interface HeadsPart {
  readonly offset: number
  readonly count: number
  readonly heads: DeviceBuffer
}

/** The entries of a worker's lists: all on the device, or passing through it once while the rest is read by the host. */
export type Entries = WholeEntries | PassingEntries

/** Vertices whose heads pass through the device at a time. */
export const HEADS_CHUNK = 1 << 16
const SCRATCH_BYTES = 1 << 20

/** All entries on the device, batch by batch. */
export class WholeEntries {
  readonly isWhole = true
  readonly bytesRead = 0
  readonly bytesAsked = 0
  readonly reads = 0
  readonly #store: BatchStore

  constructor(store: BatchStore) {
    this.#store = store
  }

  /** Brings what stays on the device there, before the clock starts. */
  async bring(batches: readonly Batch[]): Promise<void> {
    for (const batch of batches) if (batchBytes(batch) <= this.#store.roomBytes) await this.#store.load(batch)
  }

  of(batch: Batch): Promise<BatchEntries> {
    return this.#store.load(batch)
  }

  /** The first entries of a batch, for the first round. */
  async *heads(batch: Batch): AsyncGenerator<HeadsPart> {
    const { heads } = await this.#store.load(batch)
    yield { offset: 0, count: batch.count, heads }
  }

  /** Milliseconds of reading and copying. */
  get readMs(): number {
    return this.#store.readMs
  }

  release(): Promise<void> {
    return this.#store.release()
  }
}

/** The heads pass through the device once, and the host keeps the second ones; tails stay on disk, in levels. */
export class PassingEntries {
  readonly isWhole = false
  readonly lists: LevelLists
  /** The second entries of the own vertices, in shared memory; there once all heads have passed. */
  readonly seconds: Uint32Array
  readonly #device: Device
  readonly #trace: Trace
  readonly #readHeads: SectionReader
  #passing: DeviceBuffer | undefined
  #bytesAsked = 0
  #bytesRead = 0
  #reads = 0
  #readMs = 0

  constructor(device: Device, lists: LevelLists, trace: Trace) {
    this.#device = device
    this.lists = lists
    this.#trace = trace
    this.#readHeads = lists.view.checkedReader(lists.view.header.heads)
    this.seconds = sharedWords(lists.own.count)
  }

  async bring(): Promise<void> {
    const most = Math.max(1, Math.min(HEADS_CHUNK, this.lists.own.count))
    this.#passing = await this.#device.allocate('heads', HEAD_WIDTH * most)
  }

  /** The first entries of a batch, for the first round. A part is valid until the next is asked for. */
  async *heads(batch: Batch): AsyncGenerator<HeadsPart> {
    for (let offset = 0; offset < batch.count; offset += HEADS_CHUNK) {
      const count = Math.min(HEADS_CHUNK, batch.count - offset)
      yield { offset, count, heads: await this.#load(batch.first + offset, count) }
    }
  }

  /** @param own of the thread that brings heads, which is one of those that read tails */
  noteTails(own: TailCounts, others: readonly (TailCounts & { readonly bytesRead: number })[]): void {
    this.#readMs += own.readMs
    for (const { bytesAsked, reads } of [own, ...others]) {
      this.#bytesAsked += bytesAsked
      this.#reads += reads
    }
    for (const { bytesRead } of others) this.#bytesRead += bytesRead
  }

  get readMs(): number {
    return this.#readMs
  }

  /** Bytes that other threads read, beside what the view's file counts. */
  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Bytes of the entries that were needed. */
  get bytesAsked(): number {
    return this.#bytesAsked
  }

  /** How often the disk was asked. */
  get reads(): number {
    return this.#reads
  }

  release(): Promise<void> {
    if (this.#passing !== undefined) this.#device.release(this.#passing)
    return Promise.resolve()
  }

  async #load(first: number, count: number): Promise<DeviceBuffer> {
    const startMs = performance.now()
    const words = HEAD_WIDTH * count
    const scratch = new Uint8Array(Math.min(4 * words, SCRATCH_BYTES))
    await this.#device.fill(this.#passing!, words, (bytes, at) => {
      this.#trace.span('disk read', 'heads', () => this.#fillHeads(first, bytes, at, scratch))
    })
    this.#readMs += performance.now() - startMs
    return this.#passing!
  }

  /** Through memory of our own: mapped memory is slow to read back, and the host wants the second entries. */
  #fillHeads(first: number, bytes: Uint8Array, at: number, scratch: Uint8Array): void {
    for (let done = 0; done < bytes.length; done += scratch.length) {
      const part = scratch.subarray(0, Math.min(scratch.length, bytes.length - done))
      const from = 4 * HEAD_WIDTH * first + at + done
      this.#readHeads(from, part)
      bytes.set(part, done)
      this.#bytesAsked += part.length
      this.#reads++
      this.#keepSeconds(from / (4 * HEAD_WIDTH), new Uint32Array(part.buffer, part.byteOffset, part.length / 4))
    }
  }

  #keepSeconds(vertex: number, heads: Uint32Array): void {
    const { own, view } = this.lists
    const { vertices } = view.header
    const { seconds } = this
    let beyond = 0
    for (let at = 0, i = vertex - own.first; at < heads.length; at += HEAD_WIDTH, i++) {
      const [one, two] = [heads[at]!, heads[at + 1]!]
      // NO_ENTRY is the one before the first vertex.
      beyond |= Number((one + 1) >>> 0 > vertices) | Number((two + 1) >>> 0 > vertices)
      seconds[i] = two
    }
    if (beyond !== 0) throw damagedFile(view.path)
  }
}

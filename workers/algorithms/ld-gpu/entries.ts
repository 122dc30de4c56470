import type { BatchStore } from '../../device/batch-store.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import type { ReadSection } from '../../device/read-ahead.ts'
import type { Barrier } from '../../exchange/barrier.ts'
import type { Batch } from '../../graph/batches.ts'
import { HEAD_WIDTH } from '../../graph/oriented-view.ts'
import type { PreparedView } from '../../graph/prepare-view.ts'
import type { SectionSum } from '../../graph/section-sums.ts'
import type { StopSignal } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import type { Trace } from '../../trace.ts'
import type { SharedHeads } from './from-disk/heads-queue.ts'
import { HEADS_CHUNK, HeadsQueue, shareHeads } from './from-disk/heads-queue.ts'
import type { Residence } from './plan-match.ts'
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

/** The entries of a worker's lists: all on the device, or the heads coming to it once while the rest is read by the host. */
export type Entries = WholeEntries | DiskEntries

/** All entries on the device, batch by batch. */
export class WholeEntries {
  readonly isWhole = true
  readonly bytesAsked = 0
  readonly reads = 0
  readonly #store: BatchStore

  constructor(store: BatchStore) {
    this.#store = store
  }

  /** Brings what stays on the device there, before the clock starts. */
  async bring(batches: readonly Batch[]): Promise<void> {
    const staying = await this.#store.prepare(batches)
    this.#store.expect(staying)
    for (const batch of staying) await this.#store.load(batch)
  }

  of(batch: Batch): Promise<BatchEntries> {
    return this.#store.load(batch)
  }

  /** The first entries of a batch, for the first round. */
  async *heads(batch: Batch): AsyncGenerator<HeadsPart> {
    const { heads } = await this.#store.load(batch)
    yield { offset: 0, count: batch.count, heads }
  }

  /** Bytes that other threads read, beside what the view's file counts. */
  get bytesRead(): number {
    return this.#store.bytesReadAhead
  }

  /** Checksums of what this worker read. */
  get checksums(): readonly SectionSum<ReadSection>[] {
    return this.#store.sums
  }

  /** Milliseconds of reading and copying. */
  get readMs(): number {
    return this.#store.readMs
  }

  release(): Promise<void> {
    return this.#store.release()
  }
}

type OnDisk = Exclude<Residence, 'whole'>

/** The heads come to the device once, to stay or to pass, and the host keeps the second ones; tails stay on disk, in levels. */
export class DiskEntries {
  readonly isWhole = false
  /** Whether the plan has room for the heads on the device. */
  readonly residence: OnDisk
  readonly lists: LevelLists
  /** What threads share that read the heads. */
  readonly shared: SharedHeads
  readonly #device: Device
  readonly #trace: Trace
  readonly #signal: StopSignal | undefined
  #queue: HeadsQueue | undefined
  #passing: DeviceBuffer | undefined
  /** Of each batch, where heads stay. */
  readonly #held = new Map<number, DeviceBuffer>()
  #piece = 0
  #bytesAsked = 0
  #bytesRead = 0
  #reads = 0
  #readMs = 0

  /** @param own one after another */
  constructor(
    device: Device,
    { view, tailOffsets }: PreparedView,
    own: readonly Batch[],
    residence: OnDisk,
    trace: Trace,
    signal?: StopSignal,
  ) {
    this.#device = device
    this.residence = residence
    this.#signal = signal
    this.lists = { view, tailOffsets, own: { first: own[0]?.first ?? 0, count: countOf(own) } }
    this.#trace = trace
    this.shared = shareHeads(own)
  }

  /** @param staying batches whose heads are to stay on the device; those of others pass */
  async bring(staying: readonly Batch[]): Promise<void> {
    for (const { index, count } of staying)
      this.#held.set(index, await this.#device.allocate('heads', Math.max(1, HEAD_WIDTH * count)))
    if (staying.length > 0) return
    const most = Math.max(1, Math.min(HEADS_CHUNK, this.lists.own.count))
    this.#passing = await this.#device.allocate('heads', HEAD_WIDTH * most)
  }

  /** The heads of a batch, where they stay, once they are there; undefined where they passed. */
  held(batch: Batch): DeviceBuffer | undefined {
    return this.#held.get(batch.index)
  }

  /** Has heads read from now on. @param barrier of all threads that read some */
  begin(barrier: Barrier): void {
    this.#queue = new HeadsQueue(this.shared, this.lists.view, barrier, this.#trace)
    this.#queue.begin()
  }

  /** The first entries of a batch, in order, for the first round. A part is valid until the next is asked for. */
  async *heads(batch: Batch): AsyncGenerator<HeadsPart> {
    const held = this.held(batch)
    const stays = held !== undefined
    const into = held ?? this.#passing
    if (into === undefined) throw new Error('the heads have no place on the device')
    const end = this.#piece + Math.ceil(batch.count / HEADS_CHUNK)
    for (let offset = 0; offset < batch.count;) {
      const count = await this.#bring(stays ? end : this.#piece + 1, into, stays ? offset : 0)
      if (!stays) yield { offset, count, heads: into }
      offset += count
    }
    if (stays && batch.count > 0) yield { offset: 0, count: batch.count, heads: into }
  }

  /** Checksums of the heads, once all have passed. */
  get checksums(): readonly SectionSum<'heads'>[] {
    return this.#queue?.checksums ?? []
  }

  /** @param own of the thread that drives the device, which is one of those that read tails */
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
    for (const buffer of this.#held.values()) this.#device.release(buffer)
    if (this.#passing !== undefined) this.#device.release(this.#passing)
    this.#queue?.release()
    return Promise.resolve()
  }

  /**
   * Brings the heads of the next pieces to a buffer.
   * @param end of the pieces that belong there, exclusive
   * @param offset of the first vertex
   * @returns the number of vertices
   */
  async #bring(end: number, into: DeviceBuffer, offset: number): Promise<number> {
    const queue = this.#queue
    if (queue === undefined) throw new Error('nobody reads heads')
    if (this.#signal !== undefined) throwIfCancelled(this.#signal)
    const startMs = performance.now()
    const { bytes: heads, pieces } = await queue.take(this.#piece, end)
    const fill = (bytes: Uint8Array, at: number): void => bytes.set(heads.subarray(at, at + bytes.length))
    const words = heads.length / 4
    await this.#trace.span('copy in', 'heads', () => this.#device.fill(into, words, fill, HEAD_WIDTH * offset))
    queue.done(pieces)
    this.#piece += pieces
    this.#bytesAsked += heads.length
    this.#reads += pieces
    this.#readMs += performance.now() - startMs
    return words / HEAD_WIDTH
  }
}

const countOf = (batches: readonly Batch[]): number => batches.reduce((sum, { count }) => sum + count, 0)

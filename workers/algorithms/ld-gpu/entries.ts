import type { BatchStore } from '../../device/batch-store.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import type { ReadSection } from '../../device/read-ahead.ts'
import type { Barrier } from '../../exchange/barrier.ts'
import type { Batch } from '../../graph/batches.ts'
import { HEAD_WIDTH } from '../../graph/oriented-view.ts'
import type { PreparedView } from '../../graph/prepare-view.ts'
import type { SectionSum } from '../../graph/section-sums.ts'
import type { Trace } from '../../trace.ts'
import type { SharedHeads } from './from-disk/heads-queue.ts'
import { HEADS_CHUNK, HeadsQueue, shareHeads } from './from-disk/heads-queue.ts'
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

/** The heads pass through the device once, and the host keeps the second ones; tails stay on disk, in levels. */
export class PassingEntries {
  readonly isWhole = false
  readonly lists: LevelLists
  /** What threads share that read the heads. */
  readonly shared: SharedHeads
  readonly #device: Device
  readonly #trace: Trace
  #queue: HeadsQueue | undefined
  #passing: DeviceBuffer | undefined
  #piece = 0
  #bytesAsked = 0
  #bytesRead = 0
  #reads = 0
  #readMs = 0

  /** @param own one after another */
  constructor(device: Device, { view, tailOffsets }: PreparedView, own: readonly Batch[], trace: Trace) {
    this.#device = device
    this.lists = { view, tailOffsets, own: { first: own[0]?.first ?? 0, count: countOf(own) } }
    this.#trace = trace
    this.shared = shareHeads(own)
  }

  async bring(): Promise<void> {
    const most = Math.max(1, Math.min(HEADS_CHUNK, this.lists.own.count))
    this.#passing = await this.#device.allocate('heads', HEAD_WIDTH * most)
  }

  /** Has heads read from now on. @param barrier of all threads that read some */
  begin(barrier: Barrier): void {
    this.#queue = new HeadsQueue(this.shared, this.lists.view, barrier, this.#trace)
    this.#queue.begin()
  }

  /** The first entries of a batch, in order, for the first round. A part is valid until the next is asked for. */
  async *heads(batch: Batch): AsyncGenerator<HeadsPart> {
    for (let offset = 0; offset < batch.count; offset += HEADS_CHUNK) {
      const count = Math.min(HEADS_CHUNK, batch.count - offset)
      yield { offset, count, heads: await this.#next(count) }
    }
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
    if (this.#passing !== undefined) this.#device.release(this.#passing)
    return Promise.resolve()
  }

  async #next(count: number): Promise<DeviceBuffer> {
    const [queue, passing] = [this.#queue, this.#passing]
    if (queue === undefined || passing === undefined) throw new Error('nobody reads heads')
    const startMs = performance.now()
    const heads = await queue.take(this.#piece++)
    await this.#device.fill(passing, HEAD_WIDTH * count, (bytes, at) =>
      bytes.set(heads.subarray(at, at + bytes.length)),
    )
    queue.done()
    this.#bytesAsked += heads.length
    this.#reads++
    this.#readMs += performance.now() - startMs
    return passing
  }
}

const countOf = (batches: readonly Batch[]): number => batches.reduce((sum, { count }) => sum + count, 0)

import type { Batch } from '../graph/batches.ts'
import { batchBytes } from '../graph/batches.ts'
import { HEAD_WIDTH, NO_ENTRY } from '../graph/oriented-view.ts'
import type { SectionSum } from '../graph/section-sums.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { StopSignal } from '../job.ts'
import { Trace } from '../trace.ts'
import { partsOf, piecesOf } from './batch-parts.ts'
import type { Device, DeviceBuffer } from './device.ts'
import type { ReadSection, Wanted } from './read-ahead.ts'
import { SectionReader } from './section-reader.ts'
import type { StreamPlan } from './stream-plan.ts'
import { planStream } from './stream-plan.ts'

/** The slabs of a batch on a device. */
export interface LoadedBatch {
  readonly batch: Batch
  readonly heads: DeviceBuffer
  /** count + 1 positions in `tails`, counted from the batch's own first entry. */
  readonly tailOffsets: DeviceBuffer
  readonly tails: DeviceBuffer
}

/**
 * Brings batches to a device within a budget. Where all fit they stay, each read when it is first wanted. Where they do not,
 * {@link prepare} keeps the first of them there, and the others pass through one after another, read ahead by threads of their
 * own; a device that shares the host's memory works on them where they were read.
 */
export class BatchStore {
  readonly #device: Device
  readonly #reader: SectionReader
  readonly #tailOffsets: Uint32Array
  readonly #front: number
  readonly #budgetBytes: number
  readonly #trace: Trace
  readonly #loaded = new Map<number, LoadedBatch>()
  /** The batch that passes through, until the next one does. */
  #passing: LoadedBatch | undefined
  #usedBytes = 0
  #readMs = 0
  #stream: StreamPlan | undefined
  /** Batches that the reading threads bring, in order. */
  #expected: number[] = []
  /** Which vertices stand behind the front is read ahead up to this place, in so many pieces that were not taken yet. */
  #behindEnd = 0
  #behindPieces = 0

  /**
   * @param budgetBytes bytes for slabs; at least the largest batch
   * @param signal ends the waiting for a read
   */
  constructor(
    device: Device,
    view: ViewFile,
    tailOffsets: Uint32Array,
    budgetBytes: number,
    trace = new Trace(false),
    signal?: StopSignal,
  ) {
    this.#front = view.header.front
    this.#device = device
    this.#reader = new SectionReader(view, trace, signal)
    this.#tailOffsets = tailOffsets
    this.#budgetBytes = budgetBytes
    this.#trace = trace
  }

  /** Milliseconds that the caller waited for batches and their copies so far. */
  get readMs(): number {
    return this.#readMs
  }

  /** Vertices at the front of the view. */
  get front(): number {
    return this.#front
  }

  /** Bytes that reading threads brought. */
  get bytesReadAhead(): number {
    return this.#reader.bytesAhead
  }

  /** Checksums of what was read, for the sections that no worker reads alone. */
  get sums(): readonly SectionSum<ReadSection>[] {
    return this.#reader.sums
  }

  /** Whether threads read what is expected; known once batches are prepared. Where memory is shared, it passes through then. */
  get readsAhead(): boolean {
    return this.#stream !== undefined
  }

  /**
   * Starts threads that read ahead, where not all of these batches can stay on the device. Once for a store; again is the same.
   * @param batches a worker's own, in order
   * @returns those that can stay, which are the first ones
   */
  async prepare(batches: readonly Batch[]): Promise<readonly Batch[]> {
    const plan = this.#stream ?? planStream(batches, this.#budgetBytes, this.#device.sharesMemory)
    if (plan === undefined) return batches
    if (this.#stream === undefined) await this.#reader.open(plan.arenaBytes)
    this.#stream = plan
    return batches.filter(({ index }) => plan.resident.has(index))
  }

  /** Settles when the threads that read are waiting for work; where batches are read without them, at once. */
  async opened(): Promise<void> {
    await this.#reader.opened()
  }

  /** Tells which batches will be loaded next, in order; those on the device already need no reading. */
  expect(batches: readonly Batch[]): void {
    const stream = this.#stream
    if (stream === undefined) return
    this.#dropBehind()
    const away = batches.filter(({ index }) => !this.#loaded.has(index))
    if (away[0]?.index === this.#passing?.batch.index) away.shift()
    this.#expected.push(...away.map(({ index }) => index))
    this.#reader.expect(away.flatMap((batch) => this.#wantedOf(batch, stream)))
  }

  /** The batch on the device. One that does not stay there is good until the next is loaded. */
  async load(batch: Batch): Promise<LoadedBatch> {
    const known = this.#passing?.batch.index === batch.index ? this.#passing : this.#loaded.get(batch.index)
    if (known !== undefined) return known
    const startMs = performance.now()
    const loaded = this.#stream === undefined ? await this.#bringHere(batch) : await this.#bringAhead(batch)
    this.#readMs += performance.now() - startMs
    return loaded
  }

  /**
   * Tells that the vertices at the places [first, end) behind the front will be loaded next, `chunk` at a time, once the batches that
   * are expected are. Telling it twice does no harm; expecting other batches takes it back.
   */
  expectBehind(first: number, end: number, chunk: number): void {
    if (this.#stream === undefined || first >= end || this.#behindEnd > 0) return
    this.#behindEnd = end
    const { pieceBytes } = this.#stream
    for (let from = first; from < end; from += chunk) {
      const bytes = 4 * (Math.min(end, from + chunk) - from)
      const pieces = piecesOf({ section: 'behind', at: 4 * from, bytes, into: 0 }, 'behind', pieceBytes)
      this.#behindPieces += pieces.length
      this.#reader.expect(pieces)
    }
  }

  /** Fills a buffer with the vertices at the places [first, first + count) behind the front. */
  async loadBehind(buffer: DeviceBuffer, first: number, count: number): Promise<void> {
    const startMs = performance.now()
    const isAhead = this.#stream !== undefined && first + count <= this.#behindEnd
    await this.#device.fill(buffer, count, (bytes, at) => this.#readInto(isAhead, 'behind', 4 * first + at, bytes))
    this.#readMs += performance.now() - startMs
  }

  /** Gives all batches back to the device. */
  async release(): Promise<void> {
    this.#releasePassing()
    for (const loaded of [...this.#loaded.values()]) this.#release(loaded)
    await this.#reader.close()
    this.#stream = undefined
  }

  /** A batch that stays while there is room; where nobody prepared for more, the one used last makes room for the next. */
  async #bringHere(batch: Batch): Promise<LoadedBatch> {
    const newestFirst = [...this.#loaded.values()].reverse()
    for (const loaded of newestFirst) if (this.#usedBytes + batchBytes(batch) > this.#budgetBytes) this.#release(loaded)
    return this.#keep(await this.#copied(batch, false))
  }

  async #bringAhead(batch: Batch): Promise<LoadedBatch> {
    if (this.#expected.length === 0) this.expect([batch])
    if (this.#expected.shift() !== batch.index) throw new Error(`batch ${batch.index} was not expected now`)
    if (this.#stream!.resident.has(batch.index)) return this.#keep(await this.#copied(batch, true))
    this.#releasePassing()
    this.#passing = this.#device.sharesMemory ? await this.#inPlace(batch) : await this.#copied(batch, true)
    return this.#passing
  }

  #keep(loaded: LoadedBatch): LoadedBatch {
    this.#loaded.set(loaded.batch.index, loaded)
    this.#usedBytes += batchBytes(loaded.batch)
    return loaded
  }

  #releasePassing(): void {
    if (this.#passing !== undefined) this.#giveBack(this.#passing)
    this.#passing = undefined
  }

  #release(loaded: LoadedBatch): void {
    this.#giveBack(loaded)
    this.#loaded.delete(loaded.batch.index)
    this.#usedBytes -= batchBytes(loaded.batch)
  }

  #giveBack({ heads, tailOffsets, tails }: LoadedBatch): void {
    for (const buffer of [heads, tailOffsets, tails]) this.#device.release(buffer)
  }

  #wantedOf(batch: Batch, { resident, pieceBytes }: StreamPlan): Wanted[] {
    const { index } = batch
    const { heads, tails } = partsOf(batch, this.#front)
    if (this.#device.sharesMemory && !resident.has(index))
      return [{ name: `batch ${index}`, parts: [heads, tails], bytes: batchBytes(batch) }]
    return [...piecesOf(heads, `heads ${index}`, pieceBytes), ...piecesOf(tails, `tails ${index}`, pieceBytes)]
  }

  /** The batch where it was read: heads, tails, and its offsets behind them. */
  async #inPlace(batch: Batch): Promise<LoadedBatch> {
    const region = this.#trace.span('wait', `for batch ${batch.index}`, () => this.#reader.take())
    const { heads, tails } = partsOf(batch, this.#front)
    const words = (from: number, count: number): Uint32Array =>
      new Uint32Array(region.buffer, region.byteOffset + from, count)
    const offsets = words(tails.into + tails.bytes, batch.count + 1)
    this.#trace.span('copy in', `offsets ${batch.index}`, () => this.#relativeOffsets(batch, offsets, 0))
    words(0, heads.into / 4).fill(NO_ENTRY)
    return {
      batch,
      heads: await this.#device.share('heads', words(0, HEAD_WIDTH * batch.count)),
      tailOffsets: await this.#device.share('tail offsets', offsets),
      tails: await this.#device.share('tails', words(tails.into, batch.tailCount)),
    }
  }

  /** The batch in buffers of its own. */
  #copied(batch: Batch, isAhead: boolean): Promise<LoadedBatch> {
    return this.#trace.span('copy in', `batch ${batch.index}`, async () => {
      const device = this.#device
      const heads = await device.allocate('heads', HEAD_WIDTH * batch.count)
      const tailOffsets = await device.allocate('tail offsets', batch.count + 1)
      const tails = await device.allocate('tails', Math.max(1, batch.tailCount))
      await this.#fillHeads(heads, batch, isAhead)
      await device.fill(tailOffsets, batch.count + 1, (bytes, at) =>
        this.#relativeOffsets(batch, new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4), at / 4),
      )
      if (batch.tailCount > 0)
        await device.fill(tails, batch.tailCount, (bytes, at) =>
          this.#readInto(isAhead, 'tails', 4 * batch.tailFirst + at, bytes),
        )
      return { batch, heads, tailOffsets, tails }
    })
  }

  /** Those of the front are known without reading. */
  async #fillHeads(buffer: DeviceBuffer, batch: Batch, isAhead: boolean): Promise<void> {
    const { heads } = partsOf(batch, this.#front)
    await this.#device.fill(buffer, HEAD_WIDTH * batch.count, (bytes, at) => {
      const skipped = Math.min(bytes.length, Math.max(0, heads.into - at))
      bytes.fill(0xff, 0, skipped)
      if (skipped < bytes.length)
        this.#readInto(isAhead, 'heads', heads.at + at + skipped - heads.into, bytes.subarray(skipped))
    })
  }

  #dropBehind(): void {
    for (; this.#behindPieces > 0; this.#behindPieces--) this.#reader.take()
    this.#reader.dropRest()
    this.#behindEnd = 0
  }

  #readInto(isAhead: boolean, section: ReadSection, at: number, bytes: Uint8Array): void {
    if (!isAhead) return this.#reader.readHere(section, at, bytes)
    this.#reader.takeInto(bytes, () => {
      if (section === 'behind') this.#behindPieces--
    })
  }

  #relativeOffsets(batch: Batch, words: Uint32Array, at: number): void {
    const from = batch.first + at
    // The first batch has the most vertices, and its offsets count from its own first entry as they are.
    if (batch.tailFirst === 0) words.set(this.#tailOffsets.subarray(from, from + words.length))
    else for (let i = 0; i < words.length; i++) words[i] = this.#tailOffsets[from + i]! - batch.tailFirst
  }
}

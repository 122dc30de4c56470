import type { Batch } from '../graph/batches.ts'
import { batchBytes } from '../graph/batches.ts'
import type { SectionReader, ViewFile } from '../graph/view-file.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import { Trace } from '../trace.ts'
import type { Device, DeviceBuffer } from './device.ts'
import { ReadAhead } from './read-ahead.ts'
import type { ViewRange } from './read-ahead.ts'

/** The slabs of a batch on a device. */
export interface LoadedBatch {
  readonly batch: Batch
  readonly heads: DeviceBuffer
  /** count + 1 positions in `tails`, counted from the batch's own first entry. */
  readonly tailOffsets: DeviceBuffer
  readonly tails: DeviceBuffer
}

/**
 * Brings batches to a device within a budget. A batch that fits stays resident; when the budget is full the batch used
 * last makes room (the batches are visited in turn, so the one used last is the one needed again latest).
 */
export class BatchStore {
  readonly #device: Device
  readonly #readHeads: SectionReader
  readonly #readTails: SectionReader
  readonly #readPositions: SectionReader
  readonly #tailOffsets: Uint32Array
  readonly #budgetBytes: number
  readonly #trace: Trace
  readonly #loaded = new Map<number, LoadedBatch>()
  #usedBytes = 0
  #loads = 0
  #readMs = 0
  readonly #viewPath: string
  readonly #traced: boolean
  #ahead: ReadAhead | undefined
  /** Batches that the reading thread brings, in order. */
  #expected: number[] = []
  #aheadBytes = 0

  /** @param budgetBytes bytes for slabs; at least the largest batch */
  constructor(device: Device, view: ViewFile, tailOffsets: Uint32Array, budgetBytes: number, trace = new Trace(false)) {
    this.#device = device
    this.#readHeads = view.checkedReader(view.header.heads)
    this.#readTails = view.checkedReader(view.header.tails)
    this.#readPositions = view.checkedReader(view.header.positions)
    this.#tailOffsets = tailOffsets
    this.#budgetBytes = budgetBytes
    this.#trace = trace
    this.#viewPath = view.path
    this.#traced = trace.isOn
  }

  /** Milliseconds spent on reading and moving batches so far. */
  get readMs(): number {
    return this.#readMs
  }

  /** Batches brought to the device so far, repeats included. */
  get loads(): number {
    return this.#loads
  }

  /** Bytes for batches that are not taken yet. */
  get roomBytes(): number {
    return this.#budgetBytes - this.#usedBytes
  }

  /** Bytes that the reading thread read; known once {@link release} was called. */
  get bytesReadAhead(): number {
    return this.#aheadBytes
  }

  /** Starts a thread that reads ahead, where not all of these batches can stay on the device. */
  async prepare(batches: readonly Batch[]): Promise<void> {
    const bytes = batches.reduce((sum, batch) => sum + batchBytes(batch), 0)
    if (bytes > this.#budgetBytes && this.#ahead === undefined)
      this.#ahead = await ReadAhead.open(this.#viewPath, this.#traced)
  }

  /** Tells which batches will be loaded next, in order; those on the device already need no reading. */
  expect(batches: readonly Batch[]): void {
    if (this.#ahead === undefined) return
    const away = batches.filter(({ index }) => !this.#loaded.has(index))
    this.#expected = away.map(({ index }) => index)
    this.#ahead.expect(away.flatMap(rangesOf))
  }

  async load(batch: Batch): Promise<LoadedBatch> {
    const resident = this.#loaded.get(batch.index)
    if (resident !== undefined) return resident
    const startMs = performance.now()
    this.#makeRoom(batchBytes(batch))
    const loaded = await this.#trace.span('copy in', `batch ${batch.index}`, () => this.#bring(batch))
    this.#loaded.set(batch.index, loaded)
    this.#usedBytes += batchBytes(batch)
    this.#loads++
    this.#readMs += performance.now() - startMs
    return loaded
  }

  /** Fills a buffer with the positions of the vertices [first, first + count). */
  async loadPositions(buffer: DeviceBuffer, first: number, count: number): Promise<void> {
    const startMs = performance.now()
    await this.#device.fill(buffer, count, (bytes, at) => this.#readPositions(4 * first + at, bytes))
    this.#readMs += performance.now() - startMs
  }

  /** Gives all batches back to the device. */
  async release(): Promise<void> {
    for (const loaded of [...this.#loaded.values()]) this.#release(loaded)
    const read = await this.#ahead?.close()
    this.#ahead = undefined
    this.#aheadBytes += read?.bytesRead ?? 0
    this.#trace.add(read?.spans ?? [])
  }

  #makeRoom(bytes: number): void {
    const newestFirst = [...this.#loaded.values()].reverse()
    for (const loaded of newestFirst) {
      if (this.#usedBytes + bytes <= this.#budgetBytes) return
      this.#release(loaded)
    }
  }

  #release(loaded: LoadedBatch): void {
    for (const buffer of [loaded.heads, loaded.tailOffsets, loaded.tails]) this.#device.release(buffer)
    this.#loaded.delete(loaded.batch.index)
    this.#usedBytes -= batchBytes(loaded.batch)
  }

  async #bring(batch: Batch): Promise<LoadedBatch> {
    const device = this.#device
    const headBuffer = await device.allocate('heads', HEAD_WIDTH * batch.count)
    const offsetBuffer = await device.allocate('tail offsets', batch.count + 1)
    const tailBuffer = await device.allocate('tails', Math.max(1, batch.tailCount))
    // What the reading thread brings comes in its order: heads, then tails.
    const isAhead = this.#expected[0] === batch.index
    if (isAhead) this.#expected.shift()
    await device.fill(headBuffer, HEAD_WIDTH * batch.count, (bytes, at) =>
      this.#readInto(isAhead, 'heads', 4 * HEAD_WIDTH * batch.first + at, bytes),
    )
    await device.fill(offsetBuffer, batch.count + 1, (bytes, at) => this.#relativeOffsets(batch, bytes, at))
    if (batch.tailCount > 0)
      await device.fill(tailBuffer, batch.tailCount, (bytes, at) =>
        this.#readInto(isAhead, 'tails', 4 * batch.tailFirst + at, bytes),
      )
    return { batch, heads: headBuffer, tailOffsets: offsetBuffer, tails: tailBuffer }
  }

  #readInto(isAhead: boolean, section: ViewRange['section'], at: number, bytes: Uint8Array): void {
    if (isAhead) return this.#ahead?.take(bytes.length, (piece, done) => bytes.set(piece, done))
    const read = section === 'heads' ? this.#readHeads : this.#readTails
    this.#trace.span('disk read', section, () => read(at, bytes))
  }

  #relativeOffsets(batch: Batch, bytes: Uint8Array, at: number): void {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    const from = batch.first + at / 4
    for (let i = 0; i < words.length; i++) words[i] = this.#tailOffsets[from + i]! - batch.tailFirst
  }
}

/** What reading a batch takes from the view, in the order in which {@link BatchStore} wants it. */
function rangesOf({ index, first, count, tailFirst, tailCount }: Batch): ViewRange[] {
  const heads = { section: 'heads', at: 4 * HEAD_WIDTH * first, bytes: 4 * HEAD_WIDTH * count } as const
  const tails = { section: 'tails', at: 4 * tailFirst, bytes: 4 * tailCount } as const
  return [
    { ...heads, name: `heads ${index}` },
    { ...tails, name: `tails ${index}` },
  ].filter(({ bytes }) => bytes > 0)
}

import type { Batch } from '../graph/batches.ts'
import { HEAD_WIDTH, NO_ENTRY } from '../graph/oriented-view.ts'
import type { SectionSum } from '../graph/section-sums.ts'
import { SectionSums } from '../graph/section-sums.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { StopSignal } from '../job.ts'
import { Trace } from '../trace.ts'
import { frontOf, partsOf, piecesOf } from './batch-parts.ts'
import type { Device, DeviceBuffer } from './device.ts'
import type { ReadSection, Wanted } from './read-ahead.ts'
import { ReadAhead } from './read-ahead.ts'

/** The heads of a batch, on the device and on the host. */
export interface LoadedHeads {
  readonly buffer: DeviceBuffer
  readonly words: Uint32Array
}

/** Heads are read in pieces of this size, so many at a time. */
const PIECE_BYTES = 4 << 20
const PIECES = 4
const HEAD_BYTES = 4 * HEAD_WIDTH

/**
 * Brings the heads of batches to a device, without their tails. They stay there where they fit into half of what the device may
 * give; else they pass through one after another, read ahead by threads of their own. Vertices at the front of the view have no
 * heads to read.
 */
export class HeadStore {
  readonly #device: Device
  readonly #view: ViewFile
  readonly #trace: Trace
  readonly #signal: StopSignal | undefined
  readonly #resident = new Map<number, LoadedHeads>()
  readonly #stays: boolean
  readonly #largest: number
  #passing: { readonly buffer: DeviceBuffer; readonly words: Uint32Array } | undefined
  #ahead: ReadAhead | undefined
  readonly #sums: SectionSums<ReadSection>
  #bytesRead = 0
  #readMs = 0

  /** @param budgetBytes on the device */
  constructor(
    device: Device,
    view: ViewFile,
    batches: readonly Batch[],
    budgetBytes: number,
    trace = new Trace(false),
    signal?: StopSignal,
  ) {
    this.#device = device
    this.#view = view
    this.#trace = trace
    this.#signal = signal
    const { heads, tails, behind } = view.header
    this.#sums = new SectionSums(view.path, { heads, tails, behind })
    const bytes = batches.reduce((sum, { count }) => sum + HEAD_BYTES * count, 0)
    this.#stays = bytes <= budgetBytes / 2
    this.#largest = batches.reduce((most, { count }) => Math.max(most, count), 1)
  }

  get staysOnDevice(): boolean {
    return this.#stays
  }

  /** Checksums of what was read. */
  get sums(): readonly SectionSum<ReadSection>[] {
    return this.#sums.parts
  }

  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Milliseconds that the caller waited for heads and their copies. */
  get readMs(): number {
    return this.#readMs
  }

  /** Tells which batches will be loaded next, in order. */
  async expect(batches: readonly Batch[]): Promise<void> {
    const away = batches.filter(({ index }) => !this.#resident.has(index))
    if (away.length === 0) return
    this.#ahead ??= await ReadAhead.open(this.#view.path, PIECES * PIECE_BYTES, this.#trace.isOn)
    this.#ahead.expect(away.flatMap((batch) => this.#piecesOf(batch)))
  }

  /** The heads of a batch; those that do not stay are good until the next are loaded. */
  async load(batch: Batch): Promise<LoadedHeads> {
    const known = this.#resident.get(batch.index)
    if (known !== undefined) return known
    const startMs = performance.now()
    const loaded = await this.#trace.span('copy in', `heads ${batch.index}`, () => this.#bring(batch))
    if (this.#stays) this.#resident.set(batch.index, loaded)
    this.#readMs += performance.now() - startMs
    return loaded
  }

  async release(): Promise<void> {
    for (const { buffer } of this.#resident.values()) this.#device.release(buffer)
    if (this.#passing !== undefined) this.#device.release(this.#passing.buffer)
    this.#trace.add((await this.#ahead?.close())?.spans ?? [])
    this.#resident.clear()
    this.#ahead = undefined
    this.#passing = undefined
  }

  async #bring(batch: Batch): Promise<LoadedHeads> {
    const space = this.#stays
      ? await this.#newSpace(batch.count)
      : (this.#passing ??= await this.#newSpace(this.#largest))
    const words = space.words.subarray(0, HEAD_WIDTH * batch.count)
    const bytes = new Uint8Array(words.buffer, 0, words.byteLength)
    words.fill(NO_ENTRY, 0, HEAD_WIDTH * frontOf(batch, this.#view.header.front))
    for (let at = partsOf(batch, this.#view.header.front).heads.into; at < bytes.length;) {
      const taken = this.#ahead!.take(this.#signal)
      bytes.set(taken.bytes, at)
      at += taken.bytes.length
      this.#bytesRead += taken.bytes.length
      for (const sum of taken.sums) this.#sums.add(sum)
    }
    if (!this.#device.sharesMemory)
      await this.#device.fill(space.buffer, words.length, (into, at) => into.set(bytes.subarray(at, at + into.length)))
    return { buffer: space.buffer, words }
  }

  async #newSpace(count: number): Promise<LoadedHeads> {
    const words = new Uint32Array(HEAD_WIDTH * count)
    const { sharesMemory } = this.#device
    const buffer = sharesMemory
      ? await this.#device.share('heads', words)
      : await this.#device.allocate('heads', words.length)
    return { buffer, words }
  }

  #piecesOf(batch: Batch): Wanted[] {
    return piecesOf(partsOf(batch, this.#view.header.front).heads, `heads ${batch.index}`, PIECE_BYTES)
  }
}

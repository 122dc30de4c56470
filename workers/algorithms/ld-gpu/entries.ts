import type { BatchStore } from '../../device/batch-store.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import type { Batch } from '../../graph/batches.ts'
import { batchBytes } from '../../graph/batches.ts'
import { HEAD_WIDTH } from '../../graph/oriented-view.ts'
import type { ViewFile } from '../../graph/view-file.ts'
import type { Trace } from '../../trace.ts'
import { HostEntries } from './host-entries.ts'

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

/**
 * The entries of a worker's lists: `whole`, all on the device; `heads`, the first HEAD_WIDTH of every vertex there and the rest
 * read by the host where somebody needs them; `none`, the host holds the second entries too.
 */
export interface Entries {
  /** Entries of each list that kernels find on the device. */
  readonly known: number
  /** Undefined where the device has everything. */
  readonly host: HostEntries | undefined
  /** Brings what stays on the device there, before the clock starts. */
  bring(batches: readonly Batch[]): Promise<void>
  of(batch: Batch): Promise<BatchEntries>
  /** The first entries of a batch, for the first round. A part is valid until the next is asked for. */
  heads(batch: Batch): AsyncIterable<HeadsPart>
  /** Milliseconds of reading and copying. */
  readonly readMs: number
  release(): Promise<void>
}

const ALL = 0xffffffff
/** Vertices whose heads pass through the device at a time. */
export const HEADS_CHUNK = 1 << 16

/** All entries on the device, batch by batch. */
export class WholeEntries implements Entries {
  readonly known = ALL
  readonly host = undefined
  readonly #store: BatchStore

  constructor(store: BatchStore) {
    this.#store = store
  }

  async bring(batches: readonly Batch[]): Promise<void> {
    for (const batch of batches) if (batchBytes(batch) <= this.#store.roomBytes) await this.#store.load(batch)
  }

  of(batch: Batch): Promise<BatchEntries> {
    return this.#store.load(batch)
  }

  async *heads(batch: Batch): AsyncGenerator<HeadsPart> {
    const { heads } = await this.#store.load(batch)
    yield { offset: 0, count: batch.count, heads }
  }

  get readMs(): number {
    return this.#store.readMs
  }

  release(): Promise<void> {
    return this.#store.release()
  }
}

/** Heads on the device or only passing through it; tails stay on disk. */
export class HostedEntries implements Entries {
  readonly known: number
  readonly host: HostEntries
  readonly #device: Device
  readonly #view: ViewFile
  readonly #trace: Trace
  readonly #heads = new Map<number, DeviceBuffer>()
  readonly #own: { readonly first: number; readonly count: number }
  #nothing: DeviceBuffer | undefined
  #passing: DeviceBuffer | undefined
  #readMs = 0

  /** @param residentHeads whether the budget holds the heads of all own vertices */
  constructor(
    device: Device,
    view: ViewFile,
    tailOffsets: Uint32Array,
    own: { readonly first: number; readonly count: number },
    residentHeads: boolean,
    trace: Trace,
  ) {
    this.known = residentHeads ? HEAD_WIDTH : 1
    this.host = new HostEntries(view, tailOffsets, own, this.known, trace)
    this.#device = device
    this.#view = view
    this.#own = own
    this.#trace = trace
  }

  async bring(batches: readonly Batch[]): Promise<void> {
    this.#nothing = await this.#device.allocate('nothing', HEAD_WIDTH)
    if (this.known === HEAD_WIDTH) {
      for (const batch of batches) this.#heads.set(batch.index, await this.#load(batch, 0, batch.count))
      return
    }
    const most = Math.max(1, Math.min(HEADS_CHUNK, this.#own.count))
    this.#passing = await this.#device.allocate('heads', HEAD_WIDTH * most)
  }

  of(batch: Batch): Promise<BatchEntries> {
    const nothing = this.#nothing!
    const heads = this.#heads.get(batch.index) ?? nothing
    return Promise.resolve({ heads, tailOffsets: nothing, tails: nothing })
  }

  async *heads(batch: Batch): AsyncGenerator<HeadsPart> {
    const resident = this.#heads.get(batch.index)
    if (resident !== undefined) return yield { offset: 0, count: batch.count, heads: resident }
    for (let offset = 0; offset < batch.count; offset += HEADS_CHUNK) {
      const count = Math.min(HEADS_CHUNK, batch.count - offset)
      yield { offset, count, heads: await this.#load(batch, offset, count, this.#passing) }
    }
  }

  get readMs(): number {
    return this.#readMs + this.host.readMs
  }

  release(): Promise<void> {
    for (const buffer of [this.#nothing, this.#passing, ...this.#heads.values()])
      if (buffer !== undefined) this.#device.release(buffer)
    return Promise.resolve()
  }

  async #load(batch: Batch, offset: number, count: number, into?: DeviceBuffer): Promise<DeviceBuffer> {
    const startMs = performance.now()
    const words = HEAD_WIDTH * count
    const buffer = into ?? (await this.#device.allocate('heads', words))
    const first = batch.first + offset
    const scratch = new Uint8Array(Math.min(4 * words, 1 << 20))
    await this.#device.fill(buffer, words, (bytes, at) => {
      this.#trace.span('disk read', 'heads', () => this.#fillHeads(first, bytes, at, scratch))
    })
    this.#readMs += performance.now() - startMs
    return buffer
  }

  /** Through memory of our own: mapped memory is slow to read back, and the host may want the second entries. */
  #fillHeads(first: number, bytes: Uint8Array, at: number, scratch: Uint8Array): void {
    for (let done = 0; done < bytes.length; done += scratch.length) {
      const part = scratch.subarray(0, Math.min(scratch.length, bytes.length - done))
      const from = 4 * HEAD_WIDTH * first + at + done
      this.#view.read(this.#view.header.heads, from, part)
      bytes.set(part, done)
      this.host.keepSeconds(from / (4 * HEAD_WIDTH), new Uint32Array(part.buffer, part.byteOffset, part.length / 4))
    }
  }
}

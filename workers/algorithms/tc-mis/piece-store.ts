import type { Device, DeviceBuffer } from '../../device/device.ts'
import { fillWords } from '../../device/fill-words.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { SectionReader } from '../../graph/tiles/tile-section.ts'
import type { TileFile } from '../../graph/tiles/tile-file.ts'
import { CHUNK_RECORD_WORDS, chunkWords } from '../../graph/tiles/tile-format.ts'
import type { Trace } from '../../base/trace.ts'
import type { ListBatch, TileBatch } from './batches.ts'
import { listBatchBytes, tileBatchBytes } from './batches.ts'

/** The lists of a batch on a device; offsets count from the batch's first arc. */
export interface LoadedLists {
  readonly offsets: DeviceBuffer
  readonly lists: DeviceBuffer
}

/** The tiles of a batch on a device; the first word of a record counts from the batch's first word. */
export interface LoadedTiles {
  readonly records: DeviceBuffer
  readonly data: DeviceBuffer
}

/** A piece of the graph's file at a time. */
const SCRATCH_WORDS = 1 << 18

interface Held {
  readonly buffers: readonly [DeviceBuffer, DeviceBuffer]
  readonly bytes: number
}

/**
 * Brings lists and tiles to a device within a budget. What fits stays; when the budget is full what came last makes room: every
 * round asks for all in the same order, so that it is needed again latest.
 */
export class PieceStore {
  readonly #device: Device
  readonly #listOffsets: Uint32Array
  readonly #records: Uint32Array
  readonly #graph: GaloisGr
  readonly #scratch = new Uint32Array(SCRATCH_WORDS)
  readonly #readData: SectionReader
  readonly #budgetBytes: number
  readonly #trace: Trace
  readonly #held = new Map<string, Held>()
  #usedBytes = 0
  #loads = 0
  #readMs = 0

  constructor(
    device: Device,
    graph: GaloisGr,
    tileFile: TileFile,
    { listOffsets, records }: { readonly listOffsets: Uint32Array; readonly records: Uint32Array },
    budgetBytes: number,
    trace: Trace,
  ) {
    this.#device = device
    this.#listOffsets = listOffsets
    this.#records = records
    this.#graph = graph
    this.#readData = tileFile.checkedReader(tileFile.header.data)
    this.#budgetBytes = budgetBytes
    this.#trace = trace
  }

  /** Milliseconds spent on reading and moving so far. */
  get readMs(): number {
    return this.#readMs
  }

  /** Batches brought to the device so far, repeats included. */
  get loads(): number {
    return this.#loads
  }

  async lists(batch: ListBatch): Promise<LoadedLists> {
    const words = [batch.count + 1, Math.max(1, batch.arcs)] as const
    const [offsets, lists] = await this.#get(`lists ${batch.index}`, listBatchBytes(batch), words, async (a, b) => {
      await this.#device.fill(a, batch.count + 1, (bytes, at) => this.#relativeOffsets(batch, bytes, at))
      await this.#device.fill(b, batch.arcs, (bytes, at) => this.#readTargets(batch.firstArc + at / 4, bytes))
    })
    return { offsets, lists }
  }

  async tiles(batch: TileBatch): Promise<LoadedTiles> {
    const words = [CHUNK_RECORD_WORDS * batch.chunks, batch.words] as const
    const [records, data] = await this.#get(`tiles ${batch.index}`, tileBatchBytes(batch), words, async (a, b) => {
      await fillWords(this.#device, a, this.#relativeRecords(batch))
      await this.#device.fill(b, batch.words, (bytes, at) => this.#readData(4 * batch.firstWord + at, bytes))
    })
    return { records, data }
  }

  /** Gives everything back to the device. */
  release(): void {
    for (const name of [...this.#held.keys()]) this.#drop(name)
  }

  async #get(
    name: string,
    bytes: number,
    words: readonly [number, number],
    fill: (a: DeviceBuffer, b: DeviceBuffer) => Promise<void>,
  ): Promise<readonly [DeviceBuffer, DeviceBuffer]> {
    const held = this.#held.get(name)
    if (held !== undefined) return held.buffers
    const startMs = performance.now()
    this.#makeRoom(bytes)
    const buffers = await this.#trace.span('copy in', name, async () => {
      const first = await this.#device.allocate(`${name}, index`, words[0])
      const second = await this.#device.allocate(name, words[1])
      await fill(first, second)
      return [first, second] as const
    })
    this.#held.set(name, { buffers, bytes })
    this.#usedBytes += bytes
    this.#loads++
    this.#readMs += performance.now() - startMs
    return buffers
  }

  #makeRoom(bytes: number): void {
    for (const name of [...this.#held.keys()].reverse()) {
      if (this.#usedBytes + bytes <= this.#budgetBytes) return
      this.#drop(name)
    }
  }

  #drop(name: string): void {
    const { buffers, bytes } = this.#held.get(name)!
    for (const buffer of buffers) this.#device.release(buffer)
    this.#held.delete(name)
    this.#usedBytes -= bytes
  }

  /** Through memory that is fast to read back: `bytes` may be mapped for a device. */
  #readTargets(firstArc: number, bytes: Uint8Array): void {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    for (let done = 0; done < words.length; done += SCRATCH_WORDS) {
      const part = this.#scratch.subarray(0, Math.min(SCRATCH_WORDS, words.length - done))
      const from = firstArc + done
      words.set(this.#graph.readTargets(from, from + part.length, part), done)
    }
  }

  #relativeOffsets(batch: ListBatch, bytes: Uint8Array, at: number): void {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    const first = batch.first + at / 4
    for (let i = 0; i < words.length; i++) words[i] = this.#listOffsets[first + i]! - batch.firstArc
  }

  #relativeRecords({ firstChunk, chunks }: TileBatch): Uint32Array {
    const own = this.#records.slice(CHUNK_RECORD_WORDS * firstChunk, CHUNK_RECORD_WORDS * (firstChunk + chunks))
    let word = 0
    for (let at = 0; at < own.length; at += CHUNK_RECORD_WORDS) {
      own[at] = word
      word += chunkWords(own[at + 1]!)
    }
    return own
  }
}

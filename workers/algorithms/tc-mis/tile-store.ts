import type { Device, DeviceBuffer } from '../../device/device.ts'
import { type TileFile, CHUNK_TILES, CHUNK_WORDS, chunksOf } from '../../graph/tiles/tile-file.ts'
import type { Trace } from '../../base/trace.ts'
import type { TilePlan } from './plan-tiles.ts'

/** A batch of tiles on a device. */
interface TileBatch {
  readonly tiles: DeviceBuffer
  readonly count: number
}

/** Brings batches of tiles to a device: the first ones stay, as many as the plan has room for; the others take turns in one buffer. */
export class TileStore {
  /** Milliseconds spent on reading and moving so far. */
  readMs = 0
  /** Batches brought to the device so far, repeats included. */
  loads = 0
  readonly #device: Device
  readonly #file: TileFile
  readonly #plan: TilePlan
  readonly #trace: Trace
  readonly #kept = new Map<number, DeviceBuffer>()
  #turning: DeviceBuffer | undefined
  #inTurn = -1

  constructor(device: Device, file: TileFile, plan: TilePlan, trace: Trace) {
    this.#device = device
    this.#file = file
    this.#plan = plan
    this.#trace = trace
  }

  async batch(index: number): Promise<TileBatch> {
    const { batchChunks } = this.#plan
    const { tiles } = this.#file.header
    const first = index * batchChunks
    const chunks = Math.min(batchChunks, chunksOf(tiles) - first)
    const count = Math.min(tiles - first * CHUNK_TILES, chunks * CHUNK_TILES)
    return { tiles: await this.#buffer(index, first, chunks), count }
  }

  release(): void {
    for (const buffer of this.#kept.values()) this.#device.release(buffer)
    if (this.#turning !== undefined) this.#device.release(this.#turning)
  }

  async #buffer(index: number, firstChunk: number, chunks: number): Promise<DeviceBuffer> {
    const kept = index === this.#inTurn ? this.#turning : this.#kept.get(index)
    if (kept !== undefined) return kept
    const words = chunks * CHUNK_WORDS
    const firstByte = 4 * CHUNK_WORDS * firstChunk
    this.loads++
    return this.moving(`tiles ${index}`, async () => {
      const place = await this.#place(index, words)
      await this.#device.fill(place, words, (bytes, at) => this.#file.read(firstByte + at, bytes))
      return place
    })
  }

  /** Does work that moves something to the device. */
  async moving<T>(name: string, work: () => Promise<T>): Promise<T> {
    const startMs = performance.now()
    try {
      return await this.#trace.span('copy in', name, work)
    } finally {
      this.readMs += performance.now() - startMs
    }
  }

  async #place(index: number, words: number): Promise<DeviceBuffer> {
    const { keptBatches, batchChunks } = this.#plan
    if (index < keptBatches) {
      const buffer = await this.#device.allocate(`tiles ${index}`, words)
      this.#kept.set(index, buffer)
      return buffer
    }
    this.#turning ??= await this.#device.allocate('tiles in turn', batchChunks * CHUNK_WORDS)
    this.#inTurn = index
    return this.#turning
  }
}

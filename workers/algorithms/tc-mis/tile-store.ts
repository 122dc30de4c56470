import type { Device, DeviceBuffer } from '../../device/device.ts'
import { type TileFile, CHUNK_TILES, CHUNK_WORDS, chunksOf } from '../../graph/tiles/tile-file.ts'
import type { Trace } from '../../base/trace.ts'

/** How tiles are brought to the device. */
export interface TileBatches {
  readonly batchChunks: number
  /** The first ones, which stay on the device. */
  readonly keptBatches: number
}

/** A batch of tiles on a device. */
interface TileBatch {
  readonly tiles: DeviceBuffer
  readonly count: number
}

/** Brings batches of tiles to a device: the first ones stay, as many as the plan has room for; of the others, one at a time. */
export class TileStore {
  /** Milliseconds spent on reading and moving so far. */
  readMs = 0
  /** Batches brought to the device so far, repeats included. */
  loads = 0
  readonly #device: Device
  readonly #file: TileFile
  readonly #plan: TileBatches
  readonly #trace: Trace
  readonly #held = new Map<number, DeviceBuffer>()

  constructor(device: Device, file: TileFile, plan: TileBatches, trace: Trace) {
    this.#device = device
    this.#file = file
    this.#plan = plan
    this.#trace = trace
  }

  async batch(index: number): Promise<TileBatch> {
    const { batchChunks, keptBatches } = this.#plan
    const { tiles } = this.#file.header
    const first = index * batchChunks
    const chunks = Math.min(batchChunks, chunksOf(tiles) - first)
    const count = Math.min(tiles - first * CHUNK_TILES, chunks * CHUNK_TILES)
    const held = this.#held.get(index)
    if (held !== undefined) return { tiles: held, count }
    // The batch that is not among those that stay.
    for (const [other, buffer] of this.#held) if (other >= keptBatches) this.#release(other, buffer)
    this.loads++
    const words = chunks * CHUNK_WORDS
    const bring = async (): Promise<DeviceBuffer> => {
      const buffer = await this.#device.allocate(`tiles ${index}`, words)
      this.#held.set(index, buffer)
      await this.#device.fill(buffer, words, (bytes, at) => this.#file.read(4 * CHUNK_WORDS * first + at, bytes))
      return buffer
    }
    return { tiles: await this.moving(`tiles ${index}`, bring), count }
  }

  release(): void {
    for (const [index, buffer] of this.#held) this.#release(index, buffer)
  }

  #release(index: number, buffer: DeviceBuffer): void {
    this.#held.delete(index)
    this.#device.release(buffer)
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
}

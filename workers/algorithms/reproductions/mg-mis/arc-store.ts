import type { Device, DeviceBuffer } from '../../../device/device.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import type { Trace } from '../../../base/trace.ts'
import type { ArcBatch } from './arc-batches.ts'
import { arcBatchBytes } from './arc-batches.ts'

export interface LoadedArcs {
  readonly batch: ArcBatch
  /** count + 1 places in `targets`. */
  readonly offsets: DeviceBuffer
  readonly targets: DeviceBuffer
}

/**
 * Brings batches of the canonical graph to a device within a budget. What fits
 * stays; when the budget is full the batch used last makes room, as it is the one needed again latest.
 */
export class ArcStore {
  readonly #device: Device
  readonly #graph: GaloisGr
  readonly #budgetBytes: number
  readonly #trace: Trace
  readonly #loaded = new Map<number, LoadedArcs>()
  #usedBytes = 0
  readMs = 0
  bytesRead = 0

  constructor(device: Device, graph: GaloisGr, budgetBytes: number, trace: Trace) {
    this.#device = device
    this.#graph = graph
    this.#budgetBytes = budgetBytes
    this.#trace = trace
  }

  hasRoom(batch: ArcBatch): boolean {
    return this.#loaded.has(batch.index) || this.#usedBytes + arcBatchBytes(batch) <= this.#budgetBytes
  }

  async load(batch: ArcBatch): Promise<LoadedArcs> {
    const resident = this.#loaded.get(batch.index)
    if (resident !== undefined) return resident
    const startMs = performance.now()
    const bytes = arcBatchBytes(batch)
    for (const old of [...this.#loaded.values()].reverse()) {
      if (this.#usedBytes + bytes <= this.#budgetBytes) break
      this.#release(old)
    }
    const loaded = await this.#trace.span('copy in', `batch ${batch.index}`, () => this.#bring(batch))
    this.#loaded.set(batch.index, loaded)
    this.#usedBytes += bytes
    this.readMs += performance.now() - startMs
    return loaded
  }

  release(): void {
    for (const loaded of [...this.#loaded.values()]) this.#release(loaded)
  }

  #release({ batch, offsets, targets }: LoadedArcs): void {
    this.#device.release(offsets)
    this.#device.release(targets)
    this.#loaded.delete(batch.index)
    this.#usedBytes -= arcBatchBytes(batch)
  }

  async #bring(batch: ArcBatch): Promise<LoadedArcs> {
    const { first, count, firstArc, arcs } = batch
    const offsets = await this.#device.allocate('offsets', count + 1)
    const targets = await this.#device.allocate('targets', Math.max(1, arcs))
    const ends = this.#trace.span('disk read', 'offsets', () => this.#graph.readOffsets(first, first + count))
    await this.#device.fill(offsets, count + 1, (bytes, at) => {
      const words = wordsOf(bytes)
      for (let i = 0; i < words.length; i++) words[i] = ends[at / 4 + i]! - firstArc
    })
    if (arcs > 0)
      await this.#device.fill(targets, arcs, (bytes, at) => {
        const words = wordsOf(bytes)
        const from = firstArc + at / 4
        // Not straight into `words`: what is read is looked at, and memory that is mapped for a device is slow to read.
        words.set(this.#trace.span('disk read', 'targets', () => this.#graph.readTargets(from, from + words.length)))
      })
    this.bytesRead += 8 * (count + 1) + 4 * arcs
    return { batch, offsets, targets }
  }
}

const wordsOf = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)

import { type DeviceBuffer, fillWords } from '../device/device.ts'
import type { RangeWorker } from './range-task.ts'

type Owner = Pick<RangeWorker<unknown>, 'device' | 'low' | 'high'>

/**
 * A word for each vertex that all workers see: processors compute in the shared memory itself, a GPU has a copy. Each worker writes its own
 * range [low, high) alone.
 */
export class MirroredWords {
  readonly buffer: DeviceBuffer
  exchanged = 0
  readonly #owner: Owner
  readonly #shared: Uint32Array

  private constructor(owner: Owner, shared: Uint32Array, buffer: DeviceBuffer) {
    this.buffer = buffer
    this.#owner = owner
    this.#shared = shared
  }

  /** @param shared in shared memory where there are several workers */
  static async open(owner: Owner, label: string, shared: Uint32Array): Promise<MirroredWords> {
    return new MirroredWords(owner, shared, await owner.device.share(label, shared))
  }

  /** Writes the own range to shared memory. */
  async publish(): Promise<void> {
    const { device, low, high } = this.#owner
    if (device.sharesMemory || low === high) return
    await device.read(this.buffer, low, high - low, this.#shared.subarray(low, high))
  }

  /** Takes the ranges of the other workers from shared memory. */
  async take(): Promise<void> {
    const { device, low, high } = this.#owner
    if (device.sharesMemory) return
    await fillWords(device, this.buffer, this.#shared.subarray(0, low))
    await fillWords(device, this.buffer, this.#shared.subarray(high), high)
    this.exchanged += 4 * (this.#shared.length - (high - low))
  }

  release(): void {
    this.#owner.device.release(this.buffer)
  }
}

import { type Device, type DeviceBuffer, fillWords } from '../device/device.ts'

/**
 * A word for each vertex that all workers see: processors compute in the shared memory itself, a GPU has a copy. Each worker writes its own
 * range [low, high) alone.
 */
export class MirroredWords {
  readonly buffer: DeviceBuffer
  exchanged = 0
  readonly #device: Device
  readonly #shared: Uint32Array
  readonly #low: number
  readonly #high: number

  private constructor(
    device: Device,
    buffer: DeviceBuffer,
    shared: Uint32Array,
    { low, high }: { readonly low: number; readonly high: number },
  ) {
    this.#device = device
    this.buffer = buffer
    this.#shared = shared
    this.#low = low
    this.#high = high
  }

  /** @param shared in shared memory where there are several workers */
  static async open(
    device: Device,
    label: string,
    shared: Uint32Array,
    range: { readonly low: number; readonly high: number },
  ): Promise<MirroredWords> {
    return new MirroredWords(device, await device.share(label, shared), shared, range)
  }

  /** Writes the own range to shared memory. */
  async publish(): Promise<void> {
    const own = this.#high - this.#low
    if (this.#device.sharesMemory || own === 0) return
    await this.#device.read(this.buffer, this.#low, own, this.#shared.subarray(this.#low, this.#high))
  }

  /** Takes the ranges of the other workers from shared memory. */
  async take(): Promise<void> {
    if (this.#device.sharesMemory) return
    const [low, high] = [this.#low, this.#high]
    await fillWords(this.#device, this.buffer, this.#shared.subarray(0, low))
    await fillWords(this.#device, this.buffer, this.#shared.subarray(high), high)
    this.exchanged += 4 * (this.#shared.length - (high - low))
  }

  release(): void {
    this.#device.release(this.buffer)
  }
}

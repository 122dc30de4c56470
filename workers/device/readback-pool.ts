const LEAST_BYTES = 1 << 16
/** Larger buffers are made when they are wanted, and not kept. */
const KEPT_BYTES = 256 << 20
/** What a pass reads at a time: its counters and the states of its batches. */
const KEPT = 6

/**
 * Mapped buffers through which the host reads a device, kept from one read to the next: making and pinning one takes many times
 * as long as the copy.
 */
export class ReadbackPool {
  readonly #device: GPUDevice
  readonly #idle: GPUBuffer[] = []

  constructor(device: GPUDevice) {
    this.#device = device
  }

  get #idleBytes(): number {
    return this.#idle.reduce((sum, { size }) => sum + size, 0)
  }

  /** A buffer of at least so many bytes, not mapped. It is the caller's until it is given back. */
  take(bytes: number): GPUBuffer {
    const at = this.#idle.findIndex(({ size }) => size >= bytes)
    if (at >= 0) return this.#idle.splice(at, 1)[0]!
    return this.#device.createBuffer({
      label: 'readback',
      size: Math.max(LEAST_BYTES, bytes <= KEPT_BYTES ? 2 ** Math.ceil(Math.log2(bytes)) : bytes),
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    })
  }

  /** Takes a buffer back that is mapped or not. Of those that wait the smallest makes way. */
  give(buffer: GPUBuffer): void {
    if (buffer.size > KEPT_BYTES) return buffer.destroy()
    if (buffer.mapState !== 'unmapped') buffer.unmap()
    this.#idle.push(buffer)
    this.#idle.sort((a, b) => a.size - b.size)
    if (this.#idle.length > KEPT || this.#idleBytes > KEPT_BYTES) this.#idle.shift()?.destroy()
  }
}

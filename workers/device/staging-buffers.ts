import { setFlagsFromString } from 'node:v8'
import { settleAll } from '../base/job.ts'
import type { Read } from './device.ts'

/** Pinning them takes 9 ms each: more cost what they gain. */
const SLOTS = 4
const SLOT_BYTES = 16 << 20

interface Slot {
  readonly buffer: GPUBuffer
  /** The device has copied it. */
  mapped: Promise<undefined>
}

/** `queue.writeBuffer` would copy twice and reaches a thirtieth of the speed. */
export class StagingRing {
  readonly #device: GPUDevice
  readonly #slots: Slot[] = []
  #next = 0

  constructor(device: GPUDevice) {
    this.#device = device
    // V8 collects garbage whenever mapped buffers have grown by 64 MiB: a fifth of the time of a thread that feeds a GPU. Not set before: what is
    // loaded afterwards is compiled anew (docs/decisions/0035-garbage-beside-gpus.md).
    setFlagsFromString('--external-memory-accounted-in-global-limit')
  }

  /**
   * Copies bytes, multiples of 4. Slots are read side by side; settles when the last copy is queued, or none of them is read any more. @param flush submits earlier launches, which
   * may read what the copies replace
   */
  async upload(target: GPUBuffer, bytes: number, read: Read, flush: () => void, first = 0): Promise<void> {
    const queued: Promise<void>[] = []
    for (let at = 0; at < bytes; at += SLOT_BYTES) {
      const slot = this.#slot()
      const length = Math.min(SLOT_BYTES, bytes - at)
      const copied = slot.mapped.then(async () => {
        await read(new Uint8Array(slot.buffer.getMappedRange(0, length)), at)
        slot.buffer.unmap()
        flush()
        this.#copy(slot, target, first + at, length)
      })
      // A range of a buffer that stays mapped is given once.
      const free = (): void => slot.buffer.unmap()
      slot.mapped = copied.catch(free).then(() => slot.buffer.mapAsync(GPUMapMode.WRITE))
      slot.mapped.catch(() => {})
      queued.push(copied)
    }
    await settleAll(queued)
  }

  #copy({ buffer }: Slot, target: GPUBuffer, at: number, bytes: number): void {
    const encoder = this.#device.createCommandEncoder()
    encoder.copyBufferToBuffer(buffer, 0, target, at, bytes)
    this.#device.queue.submit([encoder.finish()])
  }

  #slot(): Slot {
    const index = this.#next++ % SLOTS
    let slot = this.#slots[index]
    if (slot === undefined) {
      const buffer = this.#device.createBuffer({
        label: `staging ${index}`,
        size: SLOT_BYTES,
        usage: GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC,
      })
      slot = { buffer, mapped: buffer.mapAsync(GPUMapMode.WRITE) }
      this.#slots[index] = slot
    }
    return slot
  }
}

const LEAST_BYTES = 1 << 16
const KEPT_BYTES = 256 << 20
/** How many buffers are kept: those of one pass. */
const KEPT = 6

/** Making and pinning one takes many times as long as the copy. */
export class ReadbackPool {
  readonly #device: GPUDevice
  readonly #idle: GPUBuffer[] = []

  constructor(device: GPUDevice) {
    this.#device = device
  }

  get #idleBytes(): number {
    return this.#idle.reduce((sum, { size }) => sum + size, 0)
  }

  take(bytes: number): GPUBuffer {
    const at = this.#idle.findIndex(({ size }) => size >= bytes)
    if (at >= 0) return this.#idle.splice(at, 1)[0]!
    return this.#device.createBuffer({
      label: 'readback',
      size: Math.max(LEAST_BYTES, bytes <= KEPT_BYTES ? 2 ** Math.ceil(Math.log2(bytes)) : bytes),
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    })
  }

  /** The smallest idle one makes way. */
  give(buffer: GPUBuffer): void {
    if (buffer.size > KEPT_BYTES) return buffer.destroy()
    if (buffer.mapState !== 'unmapped') buffer.unmap()
    this.#idle.push(buffer)
    this.#idle.sort((a, b) => a.size - b.size)
    if (this.#idle.length > KEPT || this.#idleBytes > KEPT_BYTES) this.#idle.shift()?.destroy()
  }
}

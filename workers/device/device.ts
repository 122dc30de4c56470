import type { Kernel } from '../../kernels/kernel.ts'
import type { DeviceFacts } from '../contract/jobs.ts'

/** In 32-bit words. */
export interface DeviceBuffer {
  readonly label: string
  readonly words: number
}

/** Of a device, open or not. */
export type DeviceLimits = Pick<Device, 'facts' | 'maxBufferBytes'>

/** Fills `bytes`, the part of a buffer from byte `at` on. Called with consecutive parts. */
export type Fill = (bytes: Uint8Array, at: number) => void

/** Likewise; parts may be asked for side by side. */
export type Read = (bytes: Uint8Array, at: number) => Promise<void>

/**
 * Holds buffers and runs kernels on them: typed arrays and twins on `cpu:N`, WebGPU on `gpu:N`. Launches run in order; each sees
 * what the ones before it wrote. `read` is the only call that waits for the device.
 */
export interface Device {
  readonly facts: DeviceFacts
  /** That a kernel can see. */
  readonly maxBufferBytes: number
  /** Whether `share` makes a buffer of the host's own memory. */
  readonly sharesMemory: boolean
  /** A buffer with the contents of `words`. */
  share(label: string, words: Uint32Array): Promise<DeviceBuffer>
  /** @throws Failure (device) when the device has not that much memory */
  allocate(label: string, words: number): Promise<DeviceBuffer>
  /** Copies `words` words into a buffer, from its word `first` on, through memory that `fill` writes to. */
  fill(buffer: DeviceBuffer, words: number, fill: Fill, first?: number): Promise<void>
  /**
   * Has `bytes` bytes of a buffer, from its byte `first` on, read into memory that it copies from, several parts at a time.
   * Launches after the promise has settled see them; launches before the call do not.
   */
  upload(buffer: DeviceBuffer, bytes: number, read: Read, first?: number): Promise<void>
  /** To zero, in order with the launches. */
  clear(buffer: DeviceBuffer, first: number, words: number): void
  launch<P extends string, B extends string>(
    kernel: Kernel<P, B>,
    threads: number,
    params: Record<P, number>,
    buffers: Record<B, DeviceBuffer>,
  ): void
  /**
   * Runs what is queued, waits for it, and returns a copy of `words` words from word `first` on, in `into` where that is given.
   * What is queued after the call does not delay it.
   */
  read(buffer: DeviceBuffer, first: number, words: number, into?: Uint32Array): Promise<Uint32Array>
  prepare(kernels: readonly Kernel[]): Promise<void>
  /** Time of kernels since the last call, by the device's own clock where it has one. */
  takeKernelMs(): Promise<number>
  /** What the next launches count for in takePhaseMs. */
  phase(name: string): void
  /** Likewise by phase; nothing where only the host's clock could tell phases apart. */
  takePhaseMs(): Promise<Readonly<Record<string, number>>>
  /** Bytes since it was opened. */
  readonly copied: { readonly toDevice: number; readonly fromDevice: number }
  release(buffer: DeviceBuffer): void
  close(): void
}

/** Copies words from `from` on. */
export function copyOf(words: Uint32Array, from = 0): Fill {
  return (bytes, at) => bytes.set(new Uint8Array(words.buffer, words.byteOffset + 4 * from + at, bytes.length))
}

/** Copies words to a buffer, from its word `first` on. */
export async function fillWords(device: Device, buffer: DeviceBuffer, words: Uint32Array, first = 0): Promise<void> {
  if (words.length > 0) await device.fill(buffer, words.length, copyOf(words), first)
}

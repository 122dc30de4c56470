import type { Kernel } from '../../kernels/kernel.ts'
import type { DeviceFacts } from '../contract/jobs.ts'

/** Memory on a device, in 32-bit words. */
export interface DeviceBuffer {
  readonly label: string
  readonly words: number
}

/** What a plan must know of a device, open or not. */
export type DeviceLimits = Pick<Device, 'facts' | 'maxBufferBytes'>

/** Fills `bytes`, which is the part of a buffer from byte `at` on. Called with consecutive parts. */
export type Fill = (bytes: Uint8Array, at: number) => void

/** Fills `bytes`, which begin at byte `at` of what is uploaded; parts may be asked for side by side. */
export type Read = (bytes: Uint8Array, at: number) => Promise<void>

/**
 * A device that holds buffers and runs kernels on them: typed arrays and twins on `cpu:N`, WebGPU on `gpu:N`. Launches are
 * queued and run in order; each sees what the ones before it wrote. `read` is the only call that waits for the device.
 */
export interface Device {
  readonly facts: DeviceFacts
  /** The largest buffer that a kernel can see. */
  readonly maxBufferBytes: number
  /** Whether buffers made by `share` are the host's own memory, so that nothing need be copied. */
  readonly sharesMemory: boolean
  /** A buffer with the contents of `words`; the very same memory where `sharesMemory`. */
  share(label: string, words: Uint32Array): Promise<DeviceBuffer>
  /** @throws Failure (device) when the device has not that much memory. */
  allocate(label: string, words: number): Promise<DeviceBuffer>
  /**
   * Copies `words` words into a buffer, from its word `first` on, in parts as the device likes them, through memory that `fill` writes
   * to directly.
   */
  fill(buffer: DeviceBuffer, words: number, fill: Fill, first?: number): Promise<void>
  /**
   * Has `bytes` bytes of a buffer, from its byte `first` on, read straight into memory that it copies from, several parts at a time. What is launched after
   * the promise has settled sees them; what was launched before the call sees what was there before.
   */
  upload(buffer: DeviceBuffer, bytes: number, read: Read, first?: number): Promise<void>
  /** Sets `words` words from word `first` on to zero, in order with the launches. */
  clear(buffer: DeviceBuffer, first: number, words: number): void
  launch<P extends string, B extends string>(
    kernel: Kernel<P, B>,
    threads: number,
    params: Record<P, number>,
    buffers: Record<B, DeviceBuffer>,
  ): void
  /**
   * Runs what is queued, waits for it, and returns a copy of `words` words from word `first` on: in `into` where that is given, of so
   * many words. What is queued after the call does not hold it up.
   */
  read(buffer: DeviceBuffer, first: number, words: number, into?: Uint32Array): Promise<Uint32Array>
  /** Compiles kernels ahead of their first launch. */
  prepare(kernels: readonly Kernel[]): Promise<void>
  /** Milliseconds that kernels ran since the last call, by the device's own clock where it has one. */
  takeKernelMs(): Promise<number>
  /** What the launches that follow count for, until the next call; see takePhaseMs. */
  phase(name: string): void
  /**
   * Milliseconds that kernels ran in each phase since the last call, by the device's own clock. Nothing for a phase that only
   * a host's clock could tell from the others.
   */
  takePhaseMs(): Promise<Readonly<Record<string, number>>>
  /** Bytes copied to and from the device since it was opened. */
  readonly copied: { readonly toDevice: number; readonly fromDevice: number }
  release(buffer: DeviceBuffer): void
  close(): void
}

/** Copies words from `from` on to wherever a device asks for their bytes. */
export function copyOf(words: Uint32Array, from = 0): Fill {
  return (bytes, at) => bytes.set(new Uint8Array(words.buffer, words.byteOffset + 4 * from + at, bytes.length))
}

/** Copies words to a buffer, to its word `first` and those behind it. */
export async function fillWords(device: Device, buffer: DeviceBuffer, words: Uint32Array, first = 0): Promise<void> {
  if (words.length > 0) await device.fill(buffer, words.length, copyOf(words), first)
}

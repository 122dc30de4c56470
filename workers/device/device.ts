import type { AnyKernel } from '../../kernels/kernel.ts'
import type { DeviceFacts } from '../contract/jobs.ts'

/** Memory of a device, in 32-bit words. */
export interface DeviceBuffer {
  readonly label: string
  readonly words: number
}

/** What plans ask of a device, open or not. */
export type DeviceLimits = Pick<Device, 'facts' | 'maxBufferBytes'>

/** The share of free memory that is used: the rest is for the driver, the desktop and other programs. */
const SHARE_OF_FREE = 0.8

/** null where memory is not known. */
export function defaultBudgetBytes({ memoryBytes, memoryFreeBytes }: DeviceFacts): number | null {
  const free = memoryFreeBytes ?? memoryBytes
  return free === null ? null : Math.floor(SHARE_OF_FREE * free)
}

/** The largest buffer in whole words: NVIDIA's limit is 2 GiB - 1. */
export function largestBuffer(bindingBytes: number, bufferBytes: number): number {
  return Math.floor(Math.min(bindingBytes, bufferBytes) / 4) * 4
}

export function limitsOf(facts: DeviceFacts): DeviceLimits {
  const { maxBindingBytes, maxBufferBytes } = facts
  return { facts, maxBufferBytes: largestBuffer(maxBindingBytes ?? Infinity, maxBufferBytes ?? Infinity) }
}

/** Fills bytes from byte `at` on, in consecutive parts. */
export type Fill = (bytes: Uint8Array, at: number) => void

/** Parts may be asked for side by side. */
export type Read = (bytes: Uint8Array, at: number) => Promise<void>

/** Typed arrays and twins on `cpu:N`, WebGPU on `gpu:N`. Launches run in order. Only `read` and `submit` wait for the device. */
export interface Device {
  readonly facts: DeviceFacts
  /** The largest buffer that a kernel can see. */
  readonly maxBufferBytes: number
  /** Whether `share` makes a buffer of the host's own memory. */
  readonly sharesMemory: boolean
  /** @param memory that they are in, of WebAssembly */
  share(label: string, words: Uint32Array, memory?: WebAssembly.Memory): Promise<DeviceBuffer>
  /** @throws Failure (device) without the memory */
  allocate(label: string, words: number): Promise<DeviceBuffer>
  /** Writes words from word `first` on. */
  fill(buffer: DeviceBuffer, words: number, fill: Fill, first?: number): Promise<void>
  /**
   * Copies bytes; reads several parts at a time. Launches after the promise has settled see them; launches before the
   * call do not.
   */
  upload(buffer: DeviceBuffer, bytes: number, read: Read, first?: number): Promise<void>
  /** Zeroes words, in order with the launches. */
  clear(buffer: DeviceBuffer, first: number, words: number): void
  launch<P extends string, B extends string>(
    kernel: AnyKernel<P, B>,
    threads: number,
    params: Record<P, number>,
    buffers: Record<B, DeviceBuffer>,
  ): void
  /** Has the device begin what is queued; settles when that is done. @throws Failure (device), (lost) */
  submit(): Promise<void>
  /** Runs what is queued and waits for it. What is queued after the call does not delay it. */
  read(buffer: DeviceBuffer, first: number, words: number, into?: Uint32Array): Promise<Uint32Array>
  prepare(kernels: readonly AnyKernel[]): Promise<void>
  /** Has so many threads of a processor, the calling one among them, run each launch of kernels that are in WebAssembly. */
  useThreads?(count: number): void
  /** The time of kernels since the last call, by the device's own clock if it has one. */
  takeKernelMs(): Promise<number>
  /** Names what follows for takePhaseMs. */
  phase(name: string): void
  /** Empty where only the host's clock could tell. */
  takePhaseMs(): Promise<Readonly<Record<string, number>>>
  readonly copied: { readonly toDevice: number; readonly fromDevice: number }
  release(buffer: DeviceBuffer): void
  close(): void
}

export const copiedSince = (
  { toDevice, fromDevice }: Device['copied'] = { toDevice: 0, fromDevice: 0 },
  { copied }: Device,
): Device['copied'] => ({ toDevice: copied.toDevice - toDevice, fromDevice: copied.fromDevice - fromDevice })

function copyOf(words: Uint32Array): Fill {
  return (bytes, at) => bytes.set(new Uint8Array(words.buffer, words.byteOffset + at, bytes.length))
}

export async function fillWords(device: Device, buffer: DeviceBuffer, words: Uint32Array, first = 0): Promise<void> {
  if (words.length > 0) await device.fill(buffer, words.length, copyOf(words), first)
}

/** Memory is pinned for parts: for all it takes longer than the copy. */
const READ_WORDS = 1 << 21
const READS = 3

/** Words of a buffer from the first on, which no launch may change meanwhile. */
export async function readParts(device: Device, buffer: DeviceBuffer, into: Uint32Array): Promise<void> {
  const parts: Promise<unknown>[] = []
  for (let first = 0; first < into.length; first += READ_WORDS) {
    const part = into.subarray(first, first + READ_WORDS)
    const read = device.read(buffer, first, part.length, part)
    // It may fail while an earlier one is awaited.
    read.catch(() => {})
    parts.push(read)
    if (parts.length >= READS) await parts[parts.length - READS]
  }
  await Promise.all(parts)
}

export type Buffers<Name extends string> = Readonly<Record<Name, DeviceBuffer>>

/** A kernel binds at least one vector of four words. */
const LEAST_WORDS = 4

/** Buffers of so many words each, or none. @throws Failure (device) where the device has not the memory */
export async function allocateBuffers<Name extends string>(
  device: Device,
  words: Readonly<Record<Name, number>>,
): Promise<Buffers<Name>> {
  const allocated = await Promise.allSettled(
    Object.entries<number>(words).map(([label, count]) => device.allocate(label, Math.max(LEAST_WORDS, count))),
  )
  const buffers = allocated.filter((each) => each.status === 'fulfilled').map(({ value }) => value)
  const failed = allocated.find((each) => each.status === 'rejected')
  if (failed !== undefined) {
    for (const buffer of buffers) device.release(buffer)
    throw failed.reason
  }
  return Object.fromEntries(buffers.map((buffer) => [buffer.label, buffer])) as Buffers<Name>
}

/** Bytes of buffers of so many words each, as {@link allocateBuffers} makes them. */
export const bytesOfBuffers = (words: Readonly<Record<string, number>>): number =>
  4 * Object.values(words).reduce((sum, count) => sum + Math.max(LEAST_WORDS, count), 0)

export function releaseBuffers(device: Device, buffers: Buffers<string>): void {
  for (const buffer of Object.values(buffers)) device.release(buffer)
}

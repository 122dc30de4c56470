/**
 * The processor as a Device, `cpu:N`: buffers are typed arrays, and a launch runs at once, as the kernel's twin on the calling thread, or, where
 * the kernel is in WebAssembly, on several threads that take chunks of it (launch-threads.ts). Nothing is copied where host memory can be
 * shared. It has the answers of a GPU, bit for bit; gpu-device.ts is its counterpart.
 */

import { cpus } from 'node:os'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { deviceFailure } from '../base/failure.ts'
import type { DeviceFacts } from '../contract/jobs.ts'
import type { Device, DeviceBuffer, Fill, Read } from './device.ts'
import { LaunchThreads, type Place, SharedSpace } from './launch-threads.ts'

const MAX_BUFFER_BYTES = 2 ** 32

interface CpuBuffer extends DeviceBuffer {
  readonly array: Uint32Array
  /** The array's place in WebAssembly memory, once kernels in WebAssembly were prepared. */
  readonly place?: Place
}

/** The processor as a device. */
export class CpuDevice implements Device {
  readonly facts: DeviceFacts
  readonly maxBufferBytes: number = MAX_BUFFER_BYTES
  readonly sharesMemory = true
  readonly copied = { toDevice: 0, fromDevice: 0 }
  readonly #space = new SharedSpace()
  readonly #threads = new LaunchThreads(this.#space)
  #isShared = false
  #kernelMs = 0
  #phase = ''
  #phases = new Map<string, number>()

  constructor(id: string) {
    this.facts = cpuFacts(id)
  }

  allocate(label: string, words: number): Promise<CpuBuffer> {
    try {
      const place = this.#isShared ? this.#space.allocate(words) : undefined
      return Promise.resolve({ label, words, array: place?.array ?? new Uint32Array(words), ...(place && { place }) })
    } catch {
      throw deviceFailure(this.facts.id, `no memory for ${4 * words} bytes (${label})`, 'Close other programs.', [
        { action: 'raise', option: 'batches' },
        { action: 'lower', option: 'memoryBytes' },
      ])
    }
  }

  share(label: string, array: Uint32Array, memory?: WebAssembly.Memory): Promise<CpuBuffer> {
    const place = memory && this.#space.adopt(memory, array)
    return Promise.resolve({ label, words: array.length, array, ...(place && { place }) })
  }

  fill(buffer: DeviceBuffer, words: number, fill: Fill, first = 0): Promise<void> {
    const { array } = own(buffer)
    fill(new Uint8Array(array.buffer, array.byteOffset + 4 * first, 4 * words), 0)
    return Promise.resolve()
  }

  upload(buffer: DeviceBuffer, bytes: number, read: Read, first = 0): Promise<void> {
    const { array } = own(buffer)
    return read(new Uint8Array(array.buffer, array.byteOffset + first, bytes), 0)
  }

  clear(buffer: DeviceBuffer, first: number, words: number): void {
    own(buffer).array.fill(0, first, first + words)
  }

  launch<P extends string, B extends string>(
    kernel: AnyKernel<P, B>,
    threads: number,
    params: Record<P, number>,
    buffers: Record<B, DeviceBuffer>,
  ): void {
    const startMs = performance.now()
    if ('twin' in kernel) {
      const arrays = {} as Record<B, Uint32Array>
      for (const { name } of kernel.buffers) arrays[name] = own(buffers[name]).array
      kernel.twin(params, arrays)
    } else {
      const places = kernel.buffers.map(({ name }) => placeOf(buffers[name]))
      const values = kernel.params.map((name) => params[name])
      this.#threads.run(kernel, threads, values, places)
    }
    const ms = performance.now() - startMs
    this.#kernelMs += ms
    if (this.#phase !== '') this.#phases.set(this.#phase, (this.#phases.get(this.#phase) ?? 0) + ms)
  }

  submit(): Promise<void> {
    return Promise.resolve()
  }

  read(buffer: DeviceBuffer, first: number, words: number, into?: Uint32Array): Promise<Uint32Array> {
    const { array } = own(buffer)
    if (into === undefined) return Promise.resolve(array.slice(first, first + words))
    into.set(array.subarray(first, first + words))
    return Promise.resolve(into)
  }

  /** Buffers that are allocated afterwards are in memory that kernels in WebAssembly see. */
  prepare(kernels: readonly AnyKernel[]): Promise<void> {
    for (const kernel of kernels) {
      if ('twin' in kernel) continue
      this.#isShared = true
      this.#threads.add(kernel)
    }
    return Promise.resolve()
  }

  useThreads(count: number): void {
    this.#threads.use(count)
  }

  takeKernelMs(): Promise<number> {
    const ms = this.#kernelMs
    this.#kernelMs = 0
    return Promise.resolve(ms)
  }

  phase(name: string): void {
    this.#phase = name
  }

  takePhaseMs(): Promise<Readonly<Record<string, number>>> {
    const phases = Object.fromEntries(this.#phases)
    this.#phases = new Map()
    return Promise.resolve(phases)
  }

  release(buffer: DeviceBuffer): void {
    const { place } = own(buffer)
    if (place !== undefined) this.#space.release(place)
  }

  close(): void {
    this.#threads.end()
  }
}

function placeOf(buffer: DeviceBuffer): Place {
  const { place, label } = own(buffer)
  if (place === undefined) throw new Error(`${label} is where kernels in WebAssembly do not see it`)
  return place
}

function own(buffer: DeviceBuffer): CpuBuffer {
  if (!('array' in buffer)) throw new Error(`${buffer.label} belongs to another device`)
  return buffer as CpuBuffer
}

let knownName: string | undefined

/** Looking takes half a millisecond. */
const processorName = (): string => (knownName ??= cpus()[0]?.model.trim() ?? 'processor')

export function cpuFacts(id: string): DeviceFacts {
  return {
    id,
    kind: 'cpu',
    name: processorName(),
    driver: `Node ${process.versions.node}`,
    software: true,
    memoryBytes: null,
    maxBindingBytes: MAX_BUFFER_BYTES,
    features: [],
  }
}

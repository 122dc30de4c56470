/**
 * A GPU as a Device, `gpu:N`: WebGPU through Dawn. Buffers are staged through a ring of mapped memory (staging-buffers.ts), launches are queued
 * into compute passes (launch-queue.ts), and only `read` and `submit` wait. Failures of the driver become values that say what to do. An unused
 * device stays open for the next run of the thread for a minute, as opening it takes longer than most runs. bind-gpu.ts chooses the adapter.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { Failure, type Fix, ON_PROCESSOR, REPEAT, deviceFailure, lostFailure, messageOf } from '../base/failure.ts'
import type { DeviceFacts } from '../contract/jobs.ts'
import { adapterFacts, bindGpu } from './bind-gpu.ts'
import { type Device, type DeviceBuffer, type Fill, fillWords, largestBuffer, type Read } from './device.ts'
import { LaunchQueue } from './launch-queue.ts'
import { liveMemory } from './machine.ts'
import { ReadbackPool, StagingRing } from './staging-buffers.ts'

interface GpuOwned extends DeviceBuffer {
  readonly gpu: GPUBuffer
}

/** The last one is Dawn's own. */
const wantedFeatures = ['timestamp-query', 'subgroups', 'chromium-experimental-subgroup-matrix'] as GPUFeatureName[]

/** How long an unused device stays open for the next run. */
const KEPT_MS = 60_000
const LOSS_MS = 1000
/** Opening takes longer than most runs. */
let kept: { readonly device: GpuDevice; readonly timer: NodeJS.Timeout } | undefined

function takeKept(): GpuDevice | undefined {
  clearTimeout(kept?.timer)
  const device = kept?.device
  kept = undefined
  return device
}

/** A GPU through WebGPU. */
export class GpuDevice implements Device {
  readonly maxBufferBytes: number
  readonly sharesMemory = false
  readonly copied = { toDevice: 0, fromDevice: 0 }
  #facts: DeviceFacts
  readonly #device: GPUDevice
  readonly #staging: StagingRing
  readonly #readbacks: ReadbackPool
  readonly #queue: LaunchQueue
  #buffers = 0
  #reads = 0
  #lost: string | undefined
  #error: string | undefined

  private constructor(id: string, adapter: GPUAdapter, device: GPUDevice) {
    this.#facts = adapterFacts(id, adapter)
    this.#device = device
    this.maxBufferBytes = largestBuffer(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize)
    this.#staging = new StagingRing(device)
    this.#readbacks = new ReadbackPool(device)
    this.#queue = new LaunchQueue(device)
    void device.lost.then((loss) => (this.#lost = loss.message || loss.reason))
    device.addEventListener('uncapturederror', (event) => (this.#error ??= event.error.message))
  }

  /** Opens a GPU, or gives the one used last. @throws Failure (device) */
  static async open(id: string): Promise<GpuDevice> {
    const last = takeKept()
    if (last?.facts.id === id && last.#isSound) {
      await last.#renew()
      return last
    }
    last?.destroy()
    const adapter = await bindGpu(id)
    const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits
    try {
      const device = await adapter.requestDevice({
        requiredFeatures: wantedFeatures.filter((name) => adapter.features.has(name)),
        requiredLimits: { maxBufferSize, maxStorageBufferBindingSize },
      })
      return new GpuDevice(id, adapter, device)
    } catch (error) {
      const remedy = 'Close other programs that use it, or update its driver.'
      throw deviceFailure(id, `the GPU gave no device: ${messageOf(error)}`, remedy, [ON_PROCESSOR])
    }
  }

  get facts(): DeviceFacts {
    return this.#facts
  }

  get #isSound(): boolean {
    return this.#buffers === 0 && this.#lost === undefined && this.#error === undefined
  }

  async #renew(): Promise<void> {
    const [memory] = liveMemory({ devices: [this.#facts] }).devices
    this.#facts = { ...this.#facts, ...memory }
    Object.assign(this.copied, { toDevice: 0, fromDevice: 0 })
    this.phase('')
    await this.takePhaseMs()
    await this.takeKernelMs()
  }

  async allocate(label: string, words: number): Promise<GpuOwned> {
    const bytes = 4 * words
    const most = this.maxBufferBytes
    if (bytes > most)
      throw this.#failure(`a kernel sees ${most} bytes at a time, and "${label}" takes ${bytes}`, '', [
        ON_PROCESSOR,
        { action: 'lower', option: 'memoryBytes' },
      ])
    this.#device.pushErrorScope('out-of-memory')
    this.#device.pushErrorScope('validation')
    const gpu = this.#device.createBuffer({
      label,
      size: Math.max(16, bytes),
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    })
    const errors = await Promise.all([this.#device.popErrorScope(), this.#device.popErrorScope()])
    const error = errors.find((each) => each !== null)
    if (error != null) {
      gpu.destroy()
      throw this.#failure(`no memory for ${bytes} bytes (${label})`, '', [
        { action: 'lower', option: 'memoryBytes' },
        { action: 'raise', option: 'batches' },
      ])
    }
    this.#buffers++
    return { label, words, gpu }
  }

  async share(label: string, words: Uint32Array): Promise<GpuOwned> {
    const buffer = await this.allocate(label, words.length)
    await fillWords(this, buffer, words)
    return buffer
  }

  async fill(buffer: DeviceBuffer, words: number, fill: Fill, first = 0): Promise<void> {
    await this.upload(buffer, 4 * words, (bytes, at) => Promise.resolve(fill(bytes, at)), 4 * first)
  }

  async upload(buffer: DeviceBuffer, bytes: number, read: Read, first = 0): Promise<void> {
    await this.#copied(
      this.#staging.upload(own(buffer).gpu, bytes, read, () => this.#queue.flush(), first),
      bytes,
    )
  }

  async #copied(copy: Promise<void>, bytes: number): Promise<void> {
    try {
      await copy
    } catch (error) {
      // A staging buffer that is not mapped means a lost device, announced later perhaps.
      if (!(error instanceof DOMException)) throw error
      await Promise.race([this.#device.lost, pause(LOSS_MS, undefined, { ref: false })])
      throw this.#asFailure(error)
    }
    this.copied.toDevice += bytes
    this.#check()
  }

  clear(buffer: DeviceBuffer, first: number, words: number): void {
    this.#queue.clear(own(buffer).gpu, 4 * first, 4 * words)
  }

  launch<P extends string, B extends string>(
    kernel: AnyKernel<P, B>,
    threads: number,
    params: Record<P, number>,
    buffers: Record<B, DeviceBuffer>,
  ): void {
    const words = kernel.params.map((name) => params[name])
    const bound = kernel.buffers.map(({ name }) => own(buffers[name]).gpu)
    this.#queue.launch(kernel, Math.ceil(threads / kernel.workgroup), words, bound)
  }

  async submit(): Promise<void> {
    this.#queue.flush()
    await this.#failing(this.#device.queue.onSubmittedWorkDone())
    this.#check()
  }

  async read(buffer: DeviceBuffer, first: number, words: number, into?: Uint32Array): Promise<Uint32Array> {
    const bytes = 4 * words
    const readback = this.#readbacks.take(bytes)
    this.#reads++
    try {
      this.#queue.copy(own(buffer).gpu, 4 * first, readback, bytes)
      this.#queue.flush()
      await readback.mapAsync(GPUMapMode.READ, 0, Math.max(4, bytes))
      const mapped = readback.getMappedRange(0, bytes)
      const result = into ?? new Uint32Array(mapped.slice(0))
      if (into !== undefined) into.set(new Uint32Array(mapped))
      this.copied.fromDevice += bytes
      this.#queue.clock.done(this.#reads > 1)
      this.#check()
      this.#readbacks.give(readback)
      return result
    } catch (error) {
      readback.destroy()
      throw this.#asFailure(error)
    } finally {
      this.#reads--
    }
  }

  async prepare(kernels: readonly AnyKernel[]): Promise<void> {
    await this.#failing(Promise.all(kernels.map((kernel) => this.#queue.prepare(kernel))))
  }

  takeKernelMs(): Promise<number> {
    return this.#failing(this.#queue.clock.take())
  }

  phase(name: string): void {
    this.#queue.phase(name)
  }

  takePhaseMs(): Promise<Readonly<Record<string, number>>> {
    return this.#failing(this.#queue.clock.takePhases())
  }

  release(buffer: DeviceBuffer): void {
    // Recorded launches may use it; the device keeps it alive until they are done.
    this.#queue.flush()
    own(buffer).gpu.destroy()
    this.#queue.forget()
    this.#buffers--
  }

  close(): void {
    if (!this.#isSound) return this.destroy()
    takeKept()?.destroy()
    kept = { device: this, timer: setTimeout(() => takeKept()?.destroy(), KEPT_MS).unref() }
  }

  destroy(): void {
    this.#device.destroy()
  }

  #check(): void {
    if (this.#lost !== undefined) throw this.#lossFailure(this.#lost)
    if (this.#error !== undefined) throw this.#failure(this.#error, 'This is a fault of Anticlique: please report it.')
  }

  async #failing<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      throw this.#asFailure(error)
    }
  }

  #asFailure(error: unknown): unknown {
    if (error instanceof Failure) return error
    if (this.#lost !== undefined) return this.#lossFailure(this.#lost)
    const reason = messageOf(error)
    return this.#failure(reason, 'If it happens again, update its driver.', [REPEAT, ON_PROCESSOR])
  }

  #lossFailure(reason: string): Failure {
    const remedy = 'If it happens again, update its driver.'
    return lostFailure(this.facts.id, `the GPU was lost: ${reason}`, remedy, [REPEAT, ON_PROCESSOR])
  }

  #failure(what: string, remedy: string, fixes?: readonly Fix[]): Failure {
    return deviceFailure(this.facts.id, what, remedy, fixes)
  }
}

function own(buffer: DeviceBuffer): GpuOwned {
  if (!('gpu' in buffer)) throw new Error(`${buffer.label} belongs to another device`)
  return buffer as GpuOwned
}

/**
 * Launches of a GPU on their way: consecutive ones share a compute pass, whose dispatches WebGPU orders, with their parameters side by side in
 * one uniform buffer; pipelines are compiled once and kept. Large launches go in two dimensions. The time of kernels is taken by timestamps of
 * the GPU where it has them, else by the host's clock. gpu-device.ts queues and submits.
 */

import type { Shader } from '../../kernels/kernel.ts'

/** The stride of parameters that every adapter takes. */
const PARAMS_STRIDE_BYTES = 256
const PARAMS_SLOTS = 256
const MAX_GROUPS_PER_DIMENSION = 65535

interface Compiled {
  readonly pipeline: GPUComputePipeline
  readonly layout: GPUBindGroupLayout
  /** Mostly the next one has the same. */
  last?: { readonly buffers: readonly GPUBuffer[]; readonly group: GPUBindGroup } | undefined
}

/** Consecutive launches share a compute pass, whose dispatches WebGPU orders. */
export class LaunchQueue {
  readonly clock: KernelClock
  readonly #device: GPUDevice
  readonly #params: GPUBuffer
  readonly #words = new Uint32Array((PARAMS_SLOTS * PARAMS_STRIDE_BYTES) / 4)
  readonly #compiled = new Map<string, Compiled>()
  readonly #preparing = new Map<string, Promise<void>>()
  #bindGroups = new Map<string, GPUBindGroup>()
  #bufferIds = new WeakMap<GPUBuffer, number>()
  #nextBufferId = 0
  #encoder: GPUCommandEncoder | undefined
  #pass: GPUComputePassEncoder | undefined
  #slots = 0

  constructor(device: GPUDevice) {
    this.clock = new KernelClock(device)
    this.#device = device
    this.#params = device.createBuffer({
      label: 'params',
      size: PARAMS_SLOTS * PARAMS_STRIDE_BYTES,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    })
  }

  /** Compiles a kernel once; reports shader errors. */
  prepare(kernel: Shader): Promise<void> {
    let preparing = this.#preparing.get(kernel.name)
    if (preparing === undefined) {
      preparing = this.#compile(kernel)
      this.#preparing.set(kernel.name, preparing)
    }
    return preparing
  }

  launch(kernel: Shader, groups: number, params: readonly number[], buffers: readonly GPUBuffer[]): void {
    const compiled = this.#compiled.get(kernel.name)
    if (compiled === undefined) throw new Error(`kernel ${kernel.name} was launched before it was prepared`)
    if (groups === 0) return
    if (this.#slots === PARAMS_SLOTS) this.flush()
    const offset = this.#slots++ * PARAMS_STRIDE_BYTES
    this.#words.set(params, offset / 4)
    const pass = this.#computePass()
    pass.setPipeline(compiled.pipeline)
    pass.setBindGroup(0, this.#bindGroup(kernel, compiled, buffers), [offset])
    const rows = Math.ceil(groups / MAX_GROUPS_PER_DIMENSION)
    pass.dispatchWorkgroups(Math.ceil(groups / rows), rows)
  }

  /** Begins a phase, whose launches are in passes of their own. */
  phase(name: string): void {
    this.#pass?.end()
    this.#pass = undefined
    this.clock.enter(name)
  }

  clear(buffer: GPUBuffer, at: number, bytes: number): void {
    this.#outsidePass().clearBuffer(buffer, at, bytes)
  }

  copy(source: GPUBuffer, at: number, target: GPUBuffer, bytes: number): void {
    this.#outsidePass().copyBufferToBuffer(source, at, target, 0, bytes)
  }

  flush(): void {
    if (this.#encoder === undefined) return
    const encoder = this.#outsidePass()
    this.clock.beforeSubmit(encoder)
    if (this.#slots > 0)
      this.#device.queue.writeBuffer(this.#params, 0, this.#words, 0, (this.#slots * PARAMS_STRIDE_BYTES) / 4)
    this.#device.queue.submit([encoder.finish()])
    this.#encoder = undefined
    this.#slots = 0
  }

  /** They keep released buffers alive. */
  forget(): void {
    for (const compiled of this.#compiled.values()) compiled.last = undefined
    this.#bindGroups = new Map()
  }

  async #compile(kernel: Shader): Promise<void> {
    const device = this.#device
    const layout = device.createBindGroupLayout({
      label: kernel.name,
      entries: [
        { binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'uniform', hasDynamicOffset: true } },
        ...kernel.buffers.map(({ access }, i): GPUBindGroupLayoutEntry => ({
          binding: i + 1,
          visibility: GPUShaderStage.COMPUTE,
          buffer: { type: access === 'read' ? 'read-only-storage' : 'storage' },
        })),
      ],
    })
    const pipeline = await device.createComputePipelineAsync({
      label: kernel.name,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module: device.createShaderModule({ label: kernel.name, code: kernel.wgsl }), entryPoint: 'main' },
    })
    this.#compiled.set(kernel.name, { pipeline, layout })
  }

  #computePass(): GPUComputePassEncoder {
    this.#encoder ??= this.#device.createCommandEncoder()
    if (this.#pass === undefined) {
      const timestampWrites = this.clock.nextPass()
      this.#pass = this.#encoder.beginComputePass(timestampWrites === undefined ? {} : { timestampWrites })
    }
    return this.#pass
  }

  #outsidePass(): GPUCommandEncoder {
    this.#encoder ??= this.#device.createCommandEncoder()
    this.#pass?.end()
    this.#pass = undefined
    return this.#encoder
  }

  #bindGroup(kernel: Shader, compiled: Compiled, buffers: readonly GPUBuffer[]): GPUBindGroup {
    const { layout, last } = compiled
    if (last?.buffers.every((buffer, i) => buffer === buffers[i]) === true) return last.group
    const key = `${kernel.name} ${buffers.map((buffer) => this.#bufferId(buffer)).join(' ')}`
    let group = this.#bindGroups.get(key)
    if (group === undefined) {
      group = this.#device.createBindGroup({
        layout,
        entries: [
          { binding: 0, resource: { buffer: this.#params, size: PARAMS_STRIDE_BYTES } },
          ...buffers.map((buffer, i) => ({ binding: i + 1, resource: { buffer } })),
        ],
      })
      this.#bindGroups.set(key, group)
    }
    compiled.last = { buffers, group }
    return group
  }

  #bufferId(buffer: GPUBuffer): number {
    let id = this.#bufferIds.get(buffer)
    if (id === undefined) {
      id = this.#nextBufferId++
      this.#bufferIds.set(buffer, id)
    }
    return id
  }
}

/** The most passes between two calls of `take`. */
const MAX_PASSES = 1024
/** Passes after which timestamps are where WebGPU lets them be resolved to: at a multiple of 256 bytes. */
const PASSES_ALIGNED = 16

/** The time of kernels by the GPU's timestamps; else as the host sees submission and completion. */
class KernelClock {
  readonly #queries: GPUQuerySet | undefined
  readonly #resolved: GPUBuffer | undefined
  readonly #readback: GPUBuffer | undefined
  #passes = 0
  /** Resolved by earlier submissions. */
  #known = 0
  #phase = ''
  #phaseOfPass: string[] = []
  #phases = new Map<string, number>()
  #submittedMs: number | undefined
  #totalMs = 0

  constructor(device: GPUDevice) {
    if (!device.features.has('timestamp-query')) return
    const bytes = 16 * MAX_PASSES
    this.#queries = device.createQuerySet({ type: 'timestamp', count: 2 * MAX_PASSES })
    this.#resolved = device.createBuffer({ size: bytes, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC })
    this.#readback = device.createBuffer({ size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })
  }

  enter(phase: string): void {
    this.#phase = phase
  }

  nextPass(): GPUComputePassTimestampWrites | undefined {
    if (this.#queries === undefined || this.#passes >= MAX_PASSES) return undefined
    this.#phaseOfPass[this.#passes] = this.#phase
    const index = 2 * this.#passes++
    return { querySet: this.#queries, beginningOfPassWriteIndex: index, endOfPassWriteIndex: index + 1 }
  }

  beforeSubmit(encoder: GPUCommandEncoder): void {
    this.#submittedMs ??= performance.now()
    if (this.#queries === undefined || this.#resolved === undefined || this.#readback === undefined) return
    if (this.#passes === this.#known) return
    const from = this.#known - (this.#known % PASSES_ALIGNED)
    const count = this.#passes - from
    encoder.resolveQuerySet(this.#queries, 2 * from, 2 * count, this.#resolved, 16 * from)
    encoder.copyBufferToBuffer(this.#resolved, 16 * from, this.#readback, 16 * from, 16 * count)
    this.#known = this.#passes
  }

  /** Timestamps stay on the device, as reading them waits. @param isBusy whether more was submitted since */
  done(isBusy: boolean): void {
    if (this.#submittedMs === undefined) return
    const nowMs = performance.now()
    if (this.#queries === undefined) this.#totalMs += nowMs - this.#submittedMs
    this.#submittedMs = isBusy ? nowMs : undefined
  }

  async take(): Promise<number> {
    await this.#readStamps()
    const ms = this.#totalMs
    this.#totalMs = 0
    return ms
  }

  async takePhases(): Promise<Readonly<Record<string, number>>> {
    await this.#readStamps()
    const phases = Object.fromEntries(this.#phases)
    this.#phases = new Map()
    return phases
  }

  async #readStamps(): Promise<void> {
    if (this.#readback !== undefined && this.#passes > 0) {
      await this.#readback.mapAsync(GPUMapMode.READ)
      const stamps = new BigUint64Array(this.#readback.getMappedRange(0, 16 * this.#passes).slice(0))
      this.#readback.unmap()
      for (let pass = 0; pass < this.#passes; pass++) {
        const ms = Number(stamps[2 * pass + 1]! - stamps[2 * pass]!) / 1e6
        const phase = this.#phaseOfPass[pass]!
        this.#totalMs += ms
        if (phase !== '') this.#phases.set(phase, (this.#phases.get(phase) ?? 0) + ms)
      }
      this.#passes = this.#known = 0
    }
  }
}

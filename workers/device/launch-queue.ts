import type { Shader } from '../../kernels/kernel.ts'
import type { KernelClock } from './kernel-clock.ts'

/** On every adapter. */
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
  readonly #device: GPUDevice
  readonly #clock: KernelClock
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

  constructor(device: GPUDevice, clock: KernelClock) {
    this.#device = device
    this.#clock = clock
    this.#params = device.createBuffer({
      label: 'params',
      size: PARAMS_SLOTS * PARAMS_STRIDE_BYTES,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    })
  }

  /** Once; reports shader errors. */
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

  /** In passes of their own. */
  phase(name: string): void {
    this.#pass?.end()
    this.#pass = undefined
    this.#clock.enter(name)
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
    this.#clock.beforeSubmit(encoder)
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
      const timestampWrites = this.#clock.nextPass()
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

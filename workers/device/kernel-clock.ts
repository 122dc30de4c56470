/** Between two calls of `take`. */
const MAX_PASSES = 1024
/** Of which timestamps begin where WebGPU lets them be resolved to: at a multiple of 256 bytes. */
const PASSES_ALIGNED = 16

/** By the GPU's timestamps; else as the host sees submission and completion. */
export class KernelClock {
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

/**
 * A compute kernel in its two forms: WGSL for GPUs, and a twin of the same name, arguments and result on typed arrays for
 * the CPU device. Binding 0 of the WGSL is a uniform struct of u32 parameters in the order of `params`; the storage buffers
 * follow in the order of `buffers`. A test compares these lists with the shader.
 */
export interface Kernel<Param extends string = string, Buffer extends string = string> {
  readonly name: string
  readonly wgsl: string
  /** Invocations a workgroup; the host rounds the number of threads up to a whole workgroup. */
  readonly workgroup: number
  /** WebGPU features that the device must have been opened with. */
  readonly features?: readonly string[] | undefined
  readonly params: readonly Param[]
  readonly buffers: readonly { readonly name: Buffer; readonly access: 'read' | 'read_write' }[]
  twin(params: Record<Param, number>, buffers: Record<Buffer, Uint32Array>): void
  /** A small case that goes through every loop. A device that compiles while it runs is warmed up with it. */
  sample?(): { params: Record<Param, number>; buffers: Record<Buffer, Uint32Array> }
}

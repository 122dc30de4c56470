/** WGSL. Binding 0 is a uniform struct of u32 `params`, the storage `buffers` follow; a test compares both lists with the shader. */
export interface Shader<Param extends string = string, Buffer extends string = string> {
  readonly name: string
  readonly wgsl: string
  /** The host rounds up to whole workgroups. */
  readonly workgroup: number
  readonly features?: readonly string[] | undefined
  readonly params: readonly Param[]
  readonly buffers: readonly { readonly name: Buffer; readonly access: 'read' | 'read_write' }[]
}

/** With a twin that has the same arguments and result on typed arrays. */
export interface Kernel<Param extends string = string, Buffer extends string = string> extends Shader<Param, Buffer> {
  twin(params: Record<Param, number>, buffers: Record<Buffer, Uint32Array>): void
}

/**
 * With a twin in WebAssembly, which threads run side by side: it imports a memory of `host` for each buffer by its name, and `own`, and exports
 * run(from, to, threads, own, ...params, ...places) for [from, to) of the threads of a launch. Places are bytes; at `own` a thread has OWN_BYTES.
 */
export interface ModuleKernel<Param extends string = string, Buffer extends string = string> extends Shader<
  Param,
  Buffer
> {
  /** In base64. */
  readonly module: string
  /** Threads of a launch that are taken at a time. */
  readonly chunk: number
}

export type AnyKernel<Param extends string = string, Buffer extends string = string> =
  Kernel<Param, Buffer> | ModuleKernel<Param, Buffer>

export const OWN_BYTES = 8192

/** Workgroup and access are those that the shader declares. */
function shader<const Param extends string, const Buffer extends string>(
  name: string,
  wgsl: string,
  params: readonly Param[],
  buffers: readonly Buffer[],
): Shader<Param, Buffer> {
  const workgroup = Number(/@workgroup_size\((\d+)\)/.exec(wgsl)?.[1])
  const isWritten = (buffer: Buffer): boolean => wgsl.includes(`var<storage, read_write> ${buffer}:`)
  const bound = buffers.map((buffer) => ({ name: buffer, access: isWritten(buffer) ? 'read_write' : 'read' }) as const)
  return { name, wgsl, workgroup, params, buffers: bound }
}

export function kernel<const Param extends string, const Buffer extends string>(
  name: string,
  wgsl: string,
  params: readonly Param[],
  buffers: readonly Buffer[],
  twin: Kernel<Param, Buffer>['twin'],
): Kernel<Param, Buffer> {
  return { ...shader(name, wgsl, params, buffers), twin }
}

export function moduleKernel<const Param extends string, const Buffer extends string>(
  name: string,
  wgsl: string,
  params: readonly Param[],
  buffers: readonly Buffer[],
  module: string,
  chunk: number,
): ModuleKernel<Param, Buffer> {
  return { ...shader(name, wgsl, params, buffers), module, chunk }
}

/**
 * WGSL, and a twin with the same arguments and result on typed arrays. Binding 0 is a uniform struct of u32 `params`,
 * the storage `buffers` follow; a test compares both lists with the shader.
 */
export interface Kernel<Param extends string = string, Buffer extends string = string> {
  readonly name: string
  readonly wgsl: string
  /** The host rounds up to whole workgroups. */
  readonly workgroup: number
  readonly features?: readonly string[] | undefined
  readonly params: readonly Param[]
  readonly buffers: readonly { readonly name: Buffer; readonly access: 'read' | 'read_write' }[]
  twin(params: Record<Param, number>, buffers: Record<Buffer, Uint32Array>): void
}

/** Workgroup and access are those that the shader declares. */
export function kernel<const Param extends string, const Buffer extends string>(
  name: string,
  wgsl: string,
  params: readonly Param[],
  buffers: readonly Buffer[],
  twin: Kernel<Param, Buffer>['twin'],
): Kernel<Param, Buffer> {
  const workgroup = Number(/@workgroup_size\((\d+)\)/.exec(wgsl)?.[1])
  const isWritten = (buffer: Buffer): boolean => wgsl.includes(`var<storage, read_write> ${buffer}:`)
  const bound = buffers.map((buffer) => ({ name: buffer, access: isWritten(buffer) ? 'read_write' : 'read' }) as const)
  return { name, wgsl, workgroup, params, buffers: bound, twin }
}

/** WGSL. Binding 0 is a uniform struct of u32 `params`, the storage `buffers` follow; a test compares both with the shader. */
export interface Shader<Param extends string = string, Buffer extends string = string> {
  readonly name: string
  readonly wgsl: string
  /** The host rounds up to whole workgroups. */
  readonly workgroup: number
  readonly features?: readonly string[] | undefined
  readonly params: readonly Param[]
  readonly buffers: readonly { readonly name: Buffer; readonly access: 'read' | 'read_write' }[]
}

/** A kernel with a twin that has the same arguments and result on typed arrays. */
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
  /** The WebAssembly of the kernel, in base64. */
  readonly module: string
  /** Threads of a launch that are taken at a time. */
  readonly chunk: number
}

export type AnyKernel<Param extends string = string, Buffer extends string = string> =
  Kernel<Param, Buffer> | ModuleKernel<Param, Buffer>

export const OWN_BYTES = 8192

/** Pages of a memory of WebAssembly. */
export const PAGE_BYTES = 1 << 16
export const MOST_PAGES = 1 << 16

/** How a shader uses an array of words, or of vectors of words: what it writes it may read, too. */
type Access = 'read' | 'write' | 'atomic' | 'read vec2' | 'read vec4' | 'write vec4'

/** The text of a shader, with the parts that it names behind it. */
type Code = string | readonly string[]

/** Unsigned constants of a shader that the host has, too. */
export const constants = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `const ${name} = ${value}u;`)
    .join('\n')

/** The buffers of a shader by name, in the order of their bindings. */
type BufferList<Buffer extends string> = Readonly<Record<Buffer, Access>>

const spaceOf = (use: Access): 'read' | 'read_write' => (use.startsWith('read') ? 'read' : 'read_write')

function declared(params: readonly string[], buffers: BufferList<string>): string {
  const variables = Object.entries(buffers).map(([name, use], i) => {
    const [access, vector] = use.split(' ')
    const words = vector === undefined ? 'u32' : `${vector}<u32>`
    const element = access === 'atomic' ? 'atomic<u32>' : words
    return `@group(0) @binding(${i + 1}) var<storage, ${spaceOf(use)}> ${name}: array<${element}>;\n`
  })
  const fields = params.map((name) => `${name}: u32`).join(', ')
  return `struct Params { ${fields} }\n@group(0) @binding(0) var<uniform> params: Params;\n${variables.join('')}`
}

/** The entry of a shader that defines each(i, lane): an invocation for each number from 0 on, in whole workgroups; those too many are its own to leave. */
const MAIN = `const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  each((group.y * groups.x + group.x) * WORKGROUP + lane, lane);
}`

/** The workgroup is that of the shader; parameters and buffers are declared in it. */
function shader<const Param extends string, const Buffer extends string>(
  name: string,
  code: Code,
  params: readonly Param[],
  buffers: BufferList<Buffer>,
): Shader<Param, Buffer> {
  const own = [code].flat().join('\n')
  const main = own.includes('\nfn each(') ? [MAIN] : []
  // Behind the code, which `enable` must open.
  const wgsl = [own, ...main, declared(params, buffers)].join('\n')
  const workgroup = Number(/@workgroup_size\((\d+)\)/.exec(wgsl)?.[1])
  const bound = Object.entries<Access>(buffers).map(
    ([buffer, use]) => ({ name: buffer as Buffer, access: spaceOf(use) }) as const,
  )
  return { name, wgsl, workgroup, params, buffers: bound }
}

export function kernel<const Param extends string, const Buffer extends string>(
  name: string,
  code: Code,
  params: readonly Param[],
  buffers: BufferList<Buffer>,
  twin: Kernel<Param, Buffer>['twin'],
): Kernel<Param, Buffer> {
  return { ...shader(name, code, params, buffers), twin }
}

export function moduleKernel<const Param extends string, const Buffer extends string>(
  name: string,
  code: Code,
  params: readonly Param[],
  buffers: BufferList<Buffer>,
  module: string,
  chunk: number,
): ModuleKernel<Param, Buffer> {
  return { ...shader(name, code, params, buffers), module, chunk }
}

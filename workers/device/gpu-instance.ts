import { create, globals } from 'webgpu'
import { Failure } from '../failure.ts'
import type { DeviceFacts } from '../jobs.ts'

/**
 * Dawn's instance and adapter. Both stay referenced for the life of the thread: once the garbage collector takes them,
 * later calls crash the process.
 */
let instance: GPU | undefined

const DAWN_OPTIONS = ['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization']

function gpuInstance(): GPU {
  if (instance === undefined) {
    Object.assign(globalThis, globals)
    instance = create(DAWN_OPTIONS)
  }
  return instance
}

const adapters: GPUAdapter[] = []

/** The adapter that Dawn prefers, or undefined where there is none. */
export async function findAdapter(): Promise<GPUAdapter | undefined> {
  const adapter = await gpuInstance().requestAdapter({ powerPreference: 'high-performance' })
  if (adapter !== null) adapters.push(adapter)
  return adapter ?? undefined
}

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|software/i

export function adapterFacts(id: string, adapter: GPUAdapter): DeviceFacts {
  const { vendor, architecture, device, description } = adapter.info
  const name = [device, description].find((text) => text !== '') ?? `${vendor} ${architecture}`.trim()
  return {
    id,
    kind: 'gpu',
    name,
    driver: [vendor, architecture, description].filter((text) => text !== '').join(' '),
    software: SOFTWARE.test(`${vendor} ${architecture} ${device} ${description}`),
    memoryBytes: null,
    maxBindingBytes: adapter.limits.maxStorageBufferBindingSize,
    features: [...adapter.features].sort(),
  }
}

/** Every adapter that can be told apart, with the reason when there is none. */
export async function listGpus(): Promise<{ gpus: DeviceFacts[]; noGpu: string | null }> {
  try {
    const adapter = await findAdapter()
    if (adapter !== undefined) return { gpus: [adapterFacts('gpu:0', adapter)], noGpu: null }
    return { gpus: [], noGpu: noAdapterSentence() }
  } catch (error) {
    return { gpus: [], noGpu: `WebGPU could not be started: ${error instanceof Error ? error.message : String(error)}` }
  }
}

export function noAdapterSentence(): string {
  return process.platform === 'linux'
    ? 'no WebGPU adapter was found: install a Vulkan driver for the GPU and the Vulkan loader (libvulkan1)'
    : 'no WebGPU adapter was found: update the graphics driver'
}

export function noAdapter(id: string): Failure {
  return new Failure({
    code: 'device',
    where: id,
    what: noAdapterSentence(),
    remedy: 'Or run on the processor with --devices cpu:0.',
  })
}

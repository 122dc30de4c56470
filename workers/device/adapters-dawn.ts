import { create, globals } from 'webgpu'
import { Failure, ON_PROCESSOR } from '../base/failure.ts'
import type { DeviceFacts, SubgroupMatrix } from '../contract/jobs.ts'
import { explainAbsence } from './adapters-absent.ts'
import { thisMachine } from './adapters-machine.ts'
import type { PciGpu } from './adapters-pci.ts'
import { isSoftware, parseListedAdapters } from './adapters-slots.ts'
import type { GpuSlot, ListedAdapter } from './adapters-slots.ts'

/**
 * Dawn's instances and adapters. All stay referenced for the life of the thread: once the garbage collector takes them,
 * later calls crash the process.
 */
const kept: (GPU | GPUAdapter)[] = []
const slots = new WeakMap<GPUAdapter, GpuSlot>()

const DAWN_OPTIONS = ['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization']
/** No adapter has this name, so that Dawn answers with the names that there are. */
const NO_NAME = 'adapter=(none of these)'

function makeInstance(options: readonly string[]): GPU {
  Object.assign(globalThis, globals)
  const instance = create([...DAWN_OPTIONS, ...options])
  kept.push(instance)
  return instance
}

let listed: readonly ListedAdapter[] | undefined

/** Every adapter that Dawn sees, identical ones once each. Asked once a thread; call it with the environment locked. */
export async function listAdapters(): Promise<readonly ListedAdapter[]> {
  if (listed !== undefined) return listed
  try {
    await makeInstance([NO_NAME]).requestAdapter()
    return (listed = [])
  } catch (error) {
    return (listed = parseListedAdapters(error instanceof Error ? error.message : String(error)))
  }
}

/** The adapter of a slot, from an instance of its own; undefined when there is none. Call it with the environment locked. */
export async function requestAdapter(slot: GpuSlot): Promise<GPUAdapter | undefined> {
  const options = slot.choice.by === 'name' ? [`adapter=${slot.choice.name}`] : []
  const adapter = await makeInstance(options).requestAdapter({ powerPreference: 'high-performance' })
  if (adapter === null) return undefined
  kept.push(adapter)
  slots.set(adapter, slot)
  return adapter
}

/** What is known of an adapter, from Dawn and from the slot that it was bound for. */
export function adapterFacts(id: string, adapter: GPUAdapter): DeviceFacts {
  const slot = slots.get(adapter)
  const { vendor, architecture, device, description } = adapter.info
  const name = slot?.name ?? [device, description].find((text) => text !== '') ?? `${vendor} ${architecture}`.trim()
  const { limits } = adapter
  return {
    id,
    kind: 'gpu',
    name,
    driver: [vendor, architecture, description].filter((text) => text !== '').join(' '),
    software: isSoftware(`${name} ${vendor} ${architecture} ${device} ${description}`),
    ...memoryOf(slot?.pci ?? null),
    maxBindingBytes: limits.maxStorageBufferBindingSize,
    maxBufferBytes: limits.maxBufferSize,
    workgroupStorageBytes: limits.maxComputeWorkgroupStorageSize,
    features: [...adapter.features].sort(),
    subgroupMatrices: subgroupMatrices(adapter.info),
  }
}

/** What the bus tells of a GPU. */
export type GpuMemory = Pick<DeviceFacts, 'memoryBytes' | 'memoryFreeBytes' | 'pciAddress'>

export function memoryOf(pci: PciGpu | null): GpuMemory {
  return {
    memoryBytes: pci?.memoryBytes ?? null,
    memoryFreeBytes: pci?.memoryFreeBytes ?? null,
    pciAddress: pci?.address ?? null,
  }
}

/** Dawn's experimental list, which WebGPU's own types do not know yet. */
interface MatrixInfo {
  readonly subgroupMatrixConfigs?: readonly {
    readonly componentType: string
    readonly resultComponentType: string
    readonly M: number
    readonly N: number
    readonly K: number
  }[]
}

function subgroupMatrices(info: GPUAdapterInfo): readonly SubgroupMatrix[] {
  const configs = (info as MatrixInfo).subgroupMatrixConfigs ?? []
  return [...configs].map(({ componentType, resultComponentType, M, N, K }) => ({
    component: componentType,
    result: resultComponentType,
    m: M,
    n: N,
    k: K,
  }))
}

/** @param found what was found instead; absent: what this machine has */
export function noAdapter(id: string, found: string = explainAbsence(thisMachine)): Failure {
  return new Failure({
    code: 'device',
    where: id,
    what: found,
    remedy: '',
    fixes: [ON_PROCESSOR],
  })
}

/**
 * Which GPU is `gpu:N`, and how Dawn comes to open that one: identical GPUs are told apart by the environment in which a Vulkan instance starts
 * (Mesa's device-select layer), so slots follow the order of the PCI bus. Adapters, their facts and live memory are read here, and
 * `proveBindings` shows by allocating which GPU a slot opens. Environment is changed under a lock (vulkan-loader.ts); gpu-slots.ts pairs names
 * with the bus, machine.ts reads the system.
 */

import { create, globals } from 'webgpu'
import { type Failure, ON_PROCESSOR, deviceFailure, messageOf } from '../base/failure.ts'
import type { BindingProof, DeviceFacts, SubgroupMatrix } from '../contract/jobs.ts'
import {
  type Choice,
  type GpuSlot,
  type GpuSlots,
  isSoftware,
  type ListedAdapter,
  parseListedAdapters,
  planSlots,
} from './gpu-slots.ts'
import { askNvidiaAhead, type PciGpu, readPciGpus, thisMachine } from './machine.ts'
import { environmentIsReal, explainAbsence, layerObstacle, type Variables, withEnvironment } from './vulkan-loader.ts'

/** How long a list is fresh: to look again takes an instance of the driver. */
const FRESH_MS = 2000
let found: { readonly slots: GpuSlots; readonly atMs: number } | undefined
/** Listed and not taken, by id. */
const spare = new Map<string, { readonly adapter: GPUAdapter; readonly atMs: number }>()
const isFresh = (at: { readonly atMs: number } | undefined): boolean =>
  at !== undefined && performance.now() - at.atMs < FRESH_MS

/**
 * Starts the graphics driver for the process: the first list of adapters takes an eighth of a second, later ones milliseconds.
 */
export async function startDriver(): Promise<void> {
  await withEnvironment({}, listAdapters)
}

/** Free memory is two seconds old at most. */
async function findSlots(): Promise<GpuSlots> {
  if (!isFresh(found)) found = { slots: await readSlots(), atMs: performance.now() }
  return found!.slots
}

async function readSlots(): Promise<GpuSlots> {
  const asking = askNvidiaAhead(thisMachine)
  const listed = await withEnvironment({}, listAdapters)
  if (listed.length === 0) return { slots: [], note: null }
  return planSlots(listed, readPciGpus(await asking), await bindingObstacle(listed))
}

/** null where there is no choice. */
async function bindingObstacle(listed: readonly ListedAdapter[]): Promise<string | null> {
  if (listed.filter(({ name }) => !isSoftware(name)).length < 2) return null
  const obstacle = layerObstacle(thisMachine)
  if (obstacle !== null) return obstacle
  return (await environmentIsReal()) ? null : 'this thread has only a copy of the environment that drivers read'
}

/**
 * Mesa's device-select layer tells identical GPUs apart by the environment in which an instance starts. @throws
 * Failure (device) when there is no such GPU or it cannot be told apart
 */
export async function bindGpu(id: string): Promise<GPUAdapter> {
  const { slots, note } = await findSlots()
  const slot = slots.find((each) => each.id === id)
  if (slot === undefined) throw slots.length === 0 ? noAdapter(id) : noSlot(id, slots, note)
  const listed = spare.get(id)
  spare.delete(id)
  const adapter = listed !== undefined && isFresh(listed) ? listed.adapter : await bindSlot(slot)
  if (adapter === undefined) throw noAdapter(id, `${slot.name ?? 'the GPU'} is listed, but gives no adapter`)
  return adapter
}

function bindSlot(slot: GpuSlot): Promise<GPUAdapter | undefined> {
  return withEnvironment(variablesFor(slot.choice), () => requestAdapter(slot))
}

/** A choice of the user would come before DRI_PRIME. */
export function variablesFor(choice: Choice): Variables {
  if (choice.by !== 'address') return {}
  return {
    DRI_PRIME: `pci-${choice.address.replace(/[:.]/g, '_')}`,
    MESA_VK_DEVICE_SELECT: undefined,
    MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE: '1',
  }
}

function noSlot(id: string, slots: readonly GpuSlot[], note: string | null): Failure {
  const offered = slots.map((slot) => slot.id).join(', ')
  const what = note ?? `this machine offers ${offered} only`
  return deviceFailure(id, what, `Use ${offered}, or cpu:0.`, [{ action: 'show', page: 'devices' }])
}

export async function readMemory(): Promise<ReadonlyMap<string, GpuMemory>> {
  const { slots } = await findSlots()
  return new Map(slots.filter(({ pci }) => pci !== null).map(({ id, pci }) => [id, memoryOf(pci)]))
}

/** @returns with the reason where there is none, and a note where some are left out */
export async function listGpus(): Promise<{ gpus: DeviceFacts[]; noGpu: string | null; note: string | null }> {
  try {
    const { slots, note } = await findSlots()
    const gpus: DeviceFacts[] = []
    for (const slot of slots) {
      const adapter = await bindSlot(slot)
      if (adapter === undefined) continue
      spare.set(slot.id, { adapter, atMs: performance.now() })
      gpus.push(adapterFacts(slot.id, adapter))
    }
    return { gpus, noGpu: gpus.length === 0 ? explainAbsence(thisMachine) : null, note }
  } catch (error) {
    const reason = messageOf(error)
    return { gpus: [], noGpu: `WebGPU could not be started: ${reason}`, note: null }
  }
}

/** Instances and adapters that are kept: once they are collected, later calls crash the process. */
const kept: (GPU | GPUAdapter)[] = []
const slots = new WeakMap<GPUAdapter, GpuSlot>()

const DAWN_OPTIONS = ['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization']
/** Dawn answers with those that there are. */
const NO_NAME = 'adapter=(none of these)'

function makeInstance(options: readonly string[]): GPU {
  Object.assign(globalThis, globals)
  const instance = create([...DAWN_OPTIONS, ...options])
  kept.push(instance)
  return instance
}

let listed: readonly ListedAdapter[] | undefined

/** Asked once a thread. Call it with the environment locked. */
async function listAdapters(): Promise<readonly ListedAdapter[]> {
  if (listed !== undefined) return listed
  try {
    await makeInstance([NO_NAME]).requestAdapter()
    return (listed = [])
  } catch (error) {
    return (listed = parseListedAdapters(messageOf(error)))
  }
}

/** The slot's adapter, from an instance of its own; undefined for none. Call it with the environment locked. */
export async function requestAdapter(slot: GpuSlot): Promise<GPUAdapter | undefined> {
  const options = slot.choice.by === 'name' ? [`adapter=${slot.choice.name}`] : []
  const adapter = await makeInstance(options).requestAdapter({ powerPreference: 'high-performance' })
  if (adapter === null) return undefined
  kept.push(adapter)
  slots.set(adapter, slot)
  return adapter
}

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

export type GpuMemory = Pick<DeviceFacts, 'memoryBytes' | 'memoryFreeBytes' | 'pciAddress'>

export function memoryOf(pci: PciGpu | null): GpuMemory {
  return {
    memoryBytes: pci?.memoryBytes ?? null,
    memoryFreeBytes: pci?.memoryFreeBytes ?? null,
    pciAddress: pci?.address ?? null,
  }
}

/** Experimental, not in WebGPU's types. */
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

/** @param found absent: what this machine has */
const noAdapter = (id: string, found: string = explainAbsence(thisMachine)): Failure =>
  deviceFailure(id, found, '', [ON_PROCESSOR])

const PROOF_BYTES = 256 << 20

/** Which GPU each slot opens: the device of the PCI bus that then has less memory free, but for what opening takes. */
export async function proveBindings(): Promise<BindingProof[]> {
  const { slots } = await findSlots()
  const proofs: BindingProof[] = []
  for (const slot of slots) proofs.push(await proveSlot(slot))
  return proofs
}

async function proveSlot(slot: GpuSlot): Promise<BindingProof> {
  const adapter = await bindSlot(slot)
  const name = slot.name ?? adapter?.info.description ?? slot.id
  if (adapter === undefined) return judge(slot, name, 0, [], [], 'it gave no adapter')
  const bytes = Math.min(PROOF_BYTES, adapter.limits.maxBufferSize)
  const device = await adapter.requestDevice({ requiredLimits: { maxBufferSize: adapter.limits.maxBufferSize } })
  try {
    await device.queue.onSubmittedWorkDone()
    const before = freeMemory()
    device.pushErrorScope('out-of-memory')
    const buffer = device.createBuffer({ size: bytes, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC })
    const error = await device.popErrorScope()
    if (error !== null) return judge(slot, name, 0, [], [], `it has no memory for ${bytes} bytes`)
    const encoder = device.createCommandEncoder()
    encoder.clearBuffer(buffer)
    device.queue.submit([encoder.finish()])
    await device.queue.onSubmittedWorkDone()
    const after = freeMemory()
    buffer.destroy()
    return judge(slot, name, bytes, before, after)
  } finally {
    device.destroy()
  }
}

type FreeMemory = readonly (readonly [pciAddress: string, freeBytes: number])[]

function freeMemory(): FreeMemory {
  return readPciGpus(thisMachine).flatMap(({ address, memoryFreeBytes }) =>
    memoryFreeBytes === null ? [] : [[address, memoryFreeBytes] as const],
  )
}

export function judge(
  { id, pci }: GpuSlot,
  name: string,
  allocatedBytes: number,
  before: FreeMemory,
  after: FreeMemory,
  problem: string | null = null,
): BindingProof {
  const now = new Map(after)
  const grew = before
    .map(([pciAddress, free]) => ({ pciAddress, bytes: free - (now.get(pciAddress) ?? free) }))
    .filter(({ bytes }) => allocatedBytes > 0 && bytes >= allocatedBytes / 2)
  const expected = pci?.address ?? null
  const reason = problem ?? unknowable(expected, before)
  const proven = reason === null ? grew.length === 1 && grew[0]!.pciAddress === expected : null
  return { id, name, pciAddress: expected, allocatedBytes, grew, proven, reason }
}

function unknowable(expected: string | null, before: FreeMemory): string | null {
  if (expected === null) return 'its PCI address is not known'
  return before.some(([address]) => address === expected) ? null : 'its driver does not tell how much memory is free'
}

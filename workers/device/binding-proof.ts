import type { BindingProof } from '../contract/jobs.ts'
import { bindSlot, findSlots } from './bind-gpu.ts'
import type { GpuSlot } from './gpu-slots.ts'
import { type Machine, thisMachine } from './machine.ts'
import { readPciGpus } from './pci-gpus.ts'

const PROOF_BYTES = 256 << 20

/** By the device of the PCI bus that has less memory free; without what opening takes. */
export async function proveBindings(machine: Machine = thisMachine): Promise<BindingProof[]> {
  const { slots } = await findSlots()
  const proofs: BindingProof[] = []
  for (const slot of slots) proofs.push(await proveSlot(slot, machine))
  return proofs
}

async function proveSlot(slot: GpuSlot, machine: Machine): Promise<BindingProof> {
  const adapter = await bindSlot(slot)
  const name = slot.name ?? adapter?.info.description ?? slot.id
  if (adapter === undefined) return judge(slot, name, 0, [], [], 'it gave no adapter')
  const bytes = Math.min(PROOF_BYTES, adapter.limits.maxBufferSize)
  const device = await adapter.requestDevice({ requiredLimits: { maxBufferSize: adapter.limits.maxBufferSize } })
  try {
    await device.queue.onSubmittedWorkDone()
    const before = freeMemory(machine)
    device.pushErrorScope('out-of-memory')
    const buffer = device.createBuffer({ size: bytes, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC })
    const error = await device.popErrorScope()
    if (error !== null) return judge(slot, name, 0, [], [], `it has no memory for ${bytes} bytes`)
    const encoder = device.createCommandEncoder()
    encoder.clearBuffer(buffer)
    device.queue.submit([encoder.finish()])
    await device.queue.onSubmittedWorkDone()
    const after = freeMemory(machine)
    buffer.destroy()
    return judge(slot, name, bytes, before, after)
  } finally {
    device.destroy()
  }
}

type FreeMemory = readonly (readonly [pciAddress: string, freeBytes: number])[]

function freeMemory(machine: Machine): FreeMemory {
  return readPciGpus(machine).flatMap(({ address, memoryFreeBytes }) =>
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

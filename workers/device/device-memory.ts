import { hostMemory } from '../base/host-resources.ts'
import type { DeviceFacts, DeviceMemory, DeviceMemoryArgs } from '../contract/jobs.ts'
import type { DeviceLimits } from './device.ts'
import { type Machine, thisMachine } from './machine.ts'
import { readPciGpus } from './pci-gpus.ts'

/** For the driver, the desktop and other programs. */
const SHARE_OF_FREE = 0.8

/** null where memory is not known. */
export function defaultBudgetBytes({ memoryBytes, memoryFreeBytes }: DeviceFacts): number | null {
  const free = memoryFreeBytes ?? memoryBytes
  return free === null ? null : Math.floor(SHARE_OF_FREE * free)
}

/** In whole words: NVIDIA's limit is 2 GiB - 1. */
export function largestBuffer(bindingBytes: number, bufferBytes: number): number {
  return Math.floor(Math.min(bindingBytes, bufferBytes) / 4) * 4
}

export function limitsOf(facts: DeviceFacts): DeviceLimits {
  const { maxBindingBytes, maxBufferBytes } = facts
  return { facts, maxBufferBytes: largestBuffer(maxBindingBytes ?? Infinity, maxBufferBytes ?? Infinity) }
}

/** Opens no device. */
export function liveMemory({ devices }: DeviceMemoryArgs, machine: Machine = thisMachine): DeviceMemory {
  const gpus = devices.some(({ pciAddress }) => (pciAddress ?? null) !== null) ? readPciGpus(machine) : []
  return {
    devices: devices.map(({ id, kind, software, pciAddress, memoryBytes }) => {
      if (kind === 'cpu' || software) return { id, ...hostMemory() }
      const gpu = gpus.find(({ address }) => address === pciAddress)
      return { id, memoryBytes: gpu?.memoryBytes ?? memoryBytes, memoryFreeBytes: gpu?.memoryFreeBytes ?? null }
    }),
  }
}

import type { DeviceMemory, DeviceMemoryArgs } from '../contract/jobs.ts'
import type { Machine } from './adapters-machine.ts'
import { thisMachine } from './adapters-machine.ts'
import { readPciGpus } from './adapters-pci.ts'
import { hostMemory } from '../base/host-resources.ts'

/** What is free now, from what drivers tell about their GPUs; no device is opened for it. */
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

import { cpuFacts } from '../../workers/device/cpu-device.ts'
import type { DeviceFacts } from '../../workers/contract/jobs.ts'

/** What would be known of `gpu:N` with so much free memory; half of it is in use. */
export const gpuFacts = (n: number, freeMib: number): DeviceFacts => ({
  ...cpuFacts(`gpu:${n}`),
  kind: 'gpu',
  software: false,
  memoryBytes: 2 * freeMib * 2 ** 20,
  memoryFreeBytes: freeMib * 2 ** 20,
})

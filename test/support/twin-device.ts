import type { DeviceFacts } from '../../workers/contract/jobs.ts'
import { CpuDevice, cpuFacts } from '../../workers/device/cpu-device.ts'

/** The twins of kernels in place of a GPU. */
export class TwinDevice extends CpuDevice {
  override readonly facts: DeviceFacts = { ...cpuFacts('gpu:0'), kind: 'gpu' }
}

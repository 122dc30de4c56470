import { CpuDevice, cpuFacts } from '../../workers/device/cpu-device.ts'
import type { DeviceBuffer } from '../../workers/device/device.ts'
import type { DeviceFacts } from '../../workers/contract/jobs.ts'

/** A device of twins that counts the bytes that it holds, and knows the most of them. */
export class MeasuredDevice extends CpuDevice {
  override readonly facts: DeviceFacts
  mostBytes = 0
  #bytes = 0

  /** @param kind what a plan takes it for */
  constructor(kind: DeviceFacts['kind'] = 'cpu') {
    super(`${kind}:0`)
    this.facts = { ...cpuFacts(`${kind}:0`), kind }
  }

  override allocate(...asked: Parameters<CpuDevice['allocate']>): ReturnType<CpuDevice['allocate']> {
    this.#bytes += 4 * asked[1]
    this.mostBytes = Math.max(this.mostBytes, this.#bytes)
    return super.allocate(...asked)
  }

  override release(buffer: DeviceBuffer): void {
    this.#bytes -= 4 * buffer.words
    super.release(buffer)
  }
}

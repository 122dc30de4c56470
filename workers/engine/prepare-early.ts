import { availableParallelism } from 'node:os'
import type { Device } from '../device/device.ts'
import { openEarly } from '../device/open-device.ts'
import { warmThreads } from '../threads/thread-pool.ts'

/** A large graph has more of them started. */
const MOST_THREADS = 15

const isHost = (id: string): boolean => /^cpu:\d+$/.test(id)

/** Threads and devices of the first run, named by --devices: each GPU after the first is opened in a thread of its own. */
export function prepareEarly(devices: string): void {
  const [lead, ...others] = devices.split(',')
  const warm = (): void => {
    warmThreads(Math.min(MOST_THREADS, availableParallelism() - 1), 'scan-set')
  }
  if ([lead!, ...others].some(isHost)) warm()
  prepareDevice(lead!)
    .then(({ facts }) => {
      if (devices === 'auto' && isHost(facts.id)) warm()
    })
    .catch(() => {})
  for (const device of others) if (!isHost(device)) warmThreads(1, 'scan-set-on-device', device)
}

/** For the next call that opens it, in this thread. @throws as `openDevice`; so does that call */
export async function prepareDevice(id: string): Promise<Device> {
  const device = await openEarly(id)
  if (isHost(device.facts.id)) return device
  const { setKernels } = await import('../algorithms/ecl-mis/device-scan.ts')
  const { pieceSums } = await import('../../kernels/memory/piece-sums.ts')
  await device.prepare([...setKernels, pieceSums])
  return device
}

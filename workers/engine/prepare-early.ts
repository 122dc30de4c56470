import { availableParallelism } from 'node:os'
import { openEarly } from '../device/open-device.ts'
import { warmThreads } from '../threads/thread-pool.ts'

/** A large graph has more of them started. */
const MOST_THREADS = 15

export function prepareEarly(devices: string): void {
  const isHost = (id: string): boolean => /^cpu:\d+$/.test(id)
  const warm = (): void => warmThreads(Math.min(MOST_THREADS, availableParallelism() - 1), 'scan-set')
  const named = devices.split(',')
  if (named.some(isHost)) warm()
  const opening = openEarly(named[0]!)
  opening
    .then(async (device) => {
      if (devices === 'auto' && isHost(device.facts.id)) warm()
      if (isHost(device.facts.id)) return
      const { setKernels } = await import('../algorithms/ecl-mis/device-scan.ts')
      const { pieceSums } = await import('../../kernels/memory/piece-sums.ts')
      await device.prepare([...setKernels, pieceSums])
    })
    .catch(() => {})
}

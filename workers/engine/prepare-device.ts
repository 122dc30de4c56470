import type { Device } from '../device/device.ts'

/** Opens a device for the next call that opens it, in this thread, and compiles the kernels of sets, which most runs launch. @throws as `openDevice`; so does that call */
export async function prepareDevice(id: string): Promise<Device> {
  const { openEarly } = await import('../device/open-device.ts')
  const device = await openEarly(id)
  if (device.facts.kind === 'cpu') return device
  const { setKernels } = await import('../algorithms/ecl-mis/device-scan.ts')
  const { pieceSums } = await import('../../kernels/memory/piece-sums.ts')
  await device.prepare([...setKernels, pieceSums])
  return device
}

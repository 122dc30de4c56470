import { Failure } from '../failure.ts'
import type { DevicesOutcome } from '../jobs.ts'
import { CpuDevice, cpuFacts } from './cpu-device.ts'
import type { Device } from './device.ts'

/** The device ids that this machine offers. GPU code is loaded only when it is asked for. */
export async function listDevices(): Promise<DevicesOutcome> {
  const { listGpus } = await import('./gpu-instance.ts')
  const { gpus, noGpu } = await listGpus()
  return { devices: [cpuFacts('cpu:0'), ...gpus], noGpu }
}

/** `auto`: the first GPU that is one, else the processor. A software adapter is slower than the processor itself. */
async function resolveAuto(): Promise<string> {
  const { devices } = await listDevices()
  return devices.find(({ kind, software }) => kind === 'gpu' && !software)?.id ?? 'cpu:0'
}

/** Opens "cpu:N", "gpu:N" or "auto". @throws Failure (usage) for other names, (device) when it cannot be opened. */
export async function openDevice(wanted: string): Promise<Device> {
  const id = wanted === 'auto' ? await resolveAuto() : wanted
  if (/^cpu:\d+$/.test(id)) return new CpuDevice(id)
  if (/^gpu:\d+$/.test(id)) {
    const { GpuDevice } = await import('./gpu-device.ts')
    return GpuDevice.open(id)
  }
  throw new Failure({
    code: 'usage',
    what: `there is no device ${JSON.stringify(wanted)}`,
    remedy: 'Name cpu:0, gpu:0 or auto.',
  })
}

import type { DeviceFacts } from './devices.ts'

/** The first hardware GPU, else the processor: software adapters are slower. */
export function autoDevice(devices: readonly Pick<DeviceFacts, 'id' | 'kind' | 'software'>[]): string {
  return devices.find(({ kind, software }) => kind === 'gpu' && !software)?.id ?? 'cpu:0'
}

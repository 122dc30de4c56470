import { Failure, REPEAT } from '../base/failure.ts'
import { isFaultDue, isFaulty, throwOutside } from '../base/fault-injection.ts'
import type { Device } from './device.ts'

/** The device itself, or one that is lost, short of memory, or takes its thread along when its time has come. */
export function withFaults(device: Device): Device {
  if (!isFaulty) return device
  return new Proxy(device, {
    get(target, name) {
      if (name === 'launch' && isFaultDue('device-lost')) lose(target)
      if (name === 'launch' && isFaultDue('thread')) throwOutside()
      // More than any machine has, so that the device itself says no.
      if (name === 'allocate' && isFaultDue('device-memory'))
        return (label: string) => target.allocate(label, Math.floor(Number.MAX_SAFE_INTEGER / 8))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** A GPU is lost for good once its device is destroyed; typed arrays only say so. */
function lose(device: Device): void {
  device.close()
  if (device.facts.kind === 'gpu') return
  throw new Failure({
    code: 'lost',
    where: device.facts.id,
    what: 'the device was lost: injected fault',
    remedy: '',
    fixes: [REPEAT],
  })
}

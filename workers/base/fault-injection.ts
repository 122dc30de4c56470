import type { Device } from '../device/device.ts'
import { Failure } from './failure.ts'

/**
 * Faults on demand, so that tests can see what follows from them: ANTICLIQUE_FAULT=NAME@N lets the N-th passage of a point (the
 * first where @N is left out), counted in each thread, go wrong. Only the engine process reads it, when it starts.
 */
const faultNames = ['thread', 'part-thread', 'endless', 'device-lost', 'device-memory', 'disk-read'] as const
export type FaultName = (typeof faultNames)[number]

interface Wanted {
  readonly name: FaultName
  readonly at: number
}

/** Undefined for nothing, and for what is none of the names. */
function parseFault(text: string | undefined): Wanted | undefined {
  const [, name, at = '1'] = /^([a-z-]+)(?:@([1-9]\d*))?$/.exec(text ?? '') ?? []
  const known = faultNames.find((each) => each === name)
  return known === undefined ? undefined : { name: known, at: Number(at) }
}

const wanted = parseFault(process.env['ANTICLIQUE_FAULT'])
let passages = 0

/** Whether the point that this is called at goes wrong now. */
export function isFaultDue(name: FaultName): boolean {
  return wanted?.name === name && ++passages === wanted.at
}

/** What a bug in a callback does: nobody catches it, and the thread ends. */
export function throwOutside(): void {
  queueMicrotask(() => {
    throw new Error('an injected fault ended this thread')
  })
}

/** What a loop without an end does: it looks at no signal, and its thread gives no other work a turn. */
export function spin(): never {
  for (;;) passages++
}

/** What the operating system says of a disk that cannot be read. */
export function readError(): Error {
  return Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
}

/** The device itself, or one that is lost, short of memory, or takes its thread along when its time has come. */
export function withFaults(device: Device): Device {
  if (wanted === undefined) return device
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
    remedy: 'Run it again.',
  })
}

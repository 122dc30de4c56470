import { hostMemory, processorsHere } from '../base/host-resources.ts'
import { defaultBudgetBytes } from '../device/device-memory.ts'
import type { DeviceFacts, RunArgs } from '../contract/jobs.ts'

/** Of the host beside the device's memory: offsets, the result, and states that are read back. */
export function runHostBytes(vertices: number): number {
  return 4 * (vertices + 1) + Math.ceil(vertices / 4) * 2
}

/** Of each of `sharers` workers: what was asked for, else the default of device-memory.ts. Infinity where it is not known: allocating shows it. */
export function deviceBudget(facts: DeviceFacts, askedBytes: number | undefined, sharers = 1): number {
  const known = facts.kind === 'cpu' ? { ...facts, ...hostMemory() } : facts
  return Math.floor((askedBytes ?? defaultBudgetBytes(known) ?? Infinity) / sharers)
}

/** Of each worker: those on one device share its memory, and so do all processors where none was given its own. */
export function budgetsOf(devices: readonly DeviceFacts[], askedBytes: number | undefined): number[] {
  const placeOf = ({ id, kind }: DeviceFacts): string => (askedBytes === undefined && kind === 'cpu' ? 'cpu' : id)
  const places = devices.map(placeOf)
  return devices.map((facts, worker) => {
    const sharers = places.filter((place) => place === places[worker]).length
    return deviceBudget(facts, askedBytes, sharers)
  })
}

/** Of each worker, where all have equal partitions. */
export const commonBudget = (devices: readonly DeviceFacts[], askedBytes: number | undefined): number =>
  Math.min(...budgetsOf(devices, askedBytes))

/** The device of each worker: the named ones in turn. */
export function workersOf({ device, partitions }: Pick<RunArgs, 'device' | 'partitions'>): string[] {
  const devices = device.split(',')
  return Array.from({ length: partitions ?? devices.length }, (_, worker) => devices[worker % devices.length]!)
}

/** Another thread takes longer to start than these take to visit. */
const ARCS_A_THREAD = 1 << 19
const MOST_THREADS = 64

/** Of each of so many processors that compute side by side. */
export function threadsOf({ arcs }: { readonly arcs: number }, processors: number): number {
  const most = Math.max(1, Math.floor(processorsHere() / Math.max(1, processors)))
  return Math.max(1, Math.min(MOST_THREADS, most, Math.ceil(arcs / ARCS_A_THREAD)))
}

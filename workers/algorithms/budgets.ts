import { hostMemory } from '../base/host-resources.ts'
import { defaultBudgetBytes } from '../device/device-memory.ts'
import type { DeviceFacts, RunArgs } from '../contract/jobs.ts'

/** What a run keeps on the host beside the device's memory: tail offsets, the result, and the states once they are read back. */
export function runHostBytes(vertices: number): number {
  return 4 * (vertices + 1) + Math.ceil(vertices / 4) * 2
}

/**
 * Memory that each of the workers on a device may use: what was asked for the device, else the default of device-memory.ts, which
 * the workers that take theirs from the same memory divide. Infinity where it is not known: then the device's own limits show when
 * memory is allocated.
 */
export function deviceBudget(facts: DeviceFacts, askedBytes: number | undefined, sharers = 1): number {
  const known = facts.kind === 'cpu' ? { ...facts, ...hostMemory() } : facts
  return Math.floor((askedBytes ?? defaultBudgetBytes(known) ?? Infinity) / sharers)
}

/**
 * Memory that each of some workers may use, one on each of the devices: those on one device divide what it has, and so do all processors where
 * each was not given its own.
 */
export function budgetsOf(devices: readonly DeviceFacts[], askedBytes: number | undefined): number[] {
  const placeOf = ({ id, kind }: DeviceFacts): string => (askedBytes === undefined && kind === 'cpu' ? 'cpu' : id)
  const places = devices.map(placeOf)
  return devices.map((facts, worker) => {
    const sharers = places.filter((place) => place === places[worker]).length
    return deviceBudget(facts, askedBytes, sharers)
  })
}

/** What each of them uses at most, where all have equal shares: the one with the least decides how these are cut. */
export const commonBudget = (devices: readonly DeviceFacts[], askedBytes: number | undefined): number =>
  Math.min(...budgetsOf(devices, askedBytes))

/** The device of each worker: the named ones in turn. */
export function workersOf({ device, partitions }: Pick<RunArgs, 'device' | 'partitions'>): string[] {
  const devices = device.split(',')
  return Array.from({ length: partitions ?? devices.length }, (_, worker) => devices[worker % devices.length]!)
}

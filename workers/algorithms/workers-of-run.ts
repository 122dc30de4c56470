import type { RunArgs } from '../contract/jobs.ts'

/** The device of each worker: the named ones in turn. */
export function workersOf({ device, partitions }: Pick<RunArgs, 'device' | 'partitions'>): string[] {
  const devices = device.split(',')
  return Array.from({ length: partitions ?? devices.length }, (_, worker) => devices[worker % devices.length]!)
}

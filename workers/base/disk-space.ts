import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from './failure.ts'

/** Bytes that a person may still write on the disk where `path` lies or will lie. */
export function freeDiskBytes(path: string): number {
  let place = path
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  const disk = statfsSync(place)
  return disk.bavail * disk.bsize
}

/** @throws Failure (storage) when so much does not fit on the disk. */
export function requireDisk(path: string, neededBytes: number): void {
  const availableBytes = freeDiskBytes(path)
  if (neededBytes <= availableBytes) return
  const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
  throw new Failure({
    code: 'storage',
    where: path,
    what: `cutting the graph into tiles takes up to ${mib(neededBytes)} of disk, and ${mib(availableBytes)} are left`,
    remedy: 'Free some space, or use an algorithm that needs no tiles: ecl-mis.',
  })
}

import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Bytes that a person may still write on the disk where `path` lies or will lie. */
export function freeDiskBytes(path: string): number {
  let place = path
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  const disk = statfsSync(place)
  return disk.bavail * disk.bsize
}

import { existsSync, statfsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Host memory that preparing may take by default: a quarter of the machine's. */
export const preparingBytes = (): number => Math.floor(totalmem() / 4)

/** Memory of `cpu:N`, which all of them share: this process's limit where it has one. */
export function hostMemory(): { memoryBytes: number; memoryFreeBytes: number } {
  const limit = process.constrainedMemory()
  const total = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return { memoryBytes: total, memoryFreeBytes: Math.min(process.availableMemory(), total) }
}

/** Bytes that a person may still write on the disk where `path` lies or will lie. */
export function freeDiskBytes(path: string): number {
  let place = path
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  const disk = statfsSync(place)
  return disk.bavail * disk.bsize
}

/** Frees what is not held any more. Shared memory is freed once all threads have let go of it, and one that waits would not look for it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

import { statfsSync } from 'node:fs'
import { Failure } from '../../base/failure.ts'

/** Disk that an import needs. */
export interface DiskNeed {
  /** Most that lies on the disk at any time, the new dataset included. */
  readonly peakBytes: number
  /** Of the dataset. */
  readonly datasetBytes: number
}

/**
 * What an import of so many entries needs on disk, when its graph is not made in memory: the entries and, later, both directions of
 * them in buckets; then the buckets and the graph. Nothing is taken off for loops and duplicates.
 */
export function diskNeed(entries: number, weighted: boolean, vertices = entries): DiskNeed {
  const record = weighted ? 12 : 8
  const datasetBytes = 2 * entries * (weighted ? 8 : 4) + 8 * vertices
  const weights = weighted ? 8 * entries : 0
  const peakBytes = Math.max(3 * entries * record, 2 * entries * record + datasetBytes + weights)
  return { peakBytes, datasetBytes }
}

/** @throws Failure (storage) when the disk has less space left than an import of so many entries needs. */
export function requireDisk(folder: string, peakBytes: number, entries: number): void {
  const disk = statfsSync(folder)
  const availableBytes = disk.bavail * disk.bsize
  if (peakBytes <= availableBytes) return
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`
  throw new Failure({
    code: 'storage',
    where: folder,
    what: `importing about ${Math.round(entries)} entries needs ${mib(peakBytes)} of scratch space, and the disk has ${mib(availableBytes)} left`,
    remedy: 'Free some space, or choose a library on another disk with --library; nothing was kept.',
  })
}

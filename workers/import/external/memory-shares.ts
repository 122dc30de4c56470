import { totalmem } from 'node:os'
import type { EntryBlock } from '../../graph/entries.ts'
import { requireSpace } from '../write-dataset.ts'

export interface MemoryShares {
  readonly inMemoryBytes: number
  readonly bitmapBytes: number
  /** In each thread. */
  readonly dictionaryBytes: number
  readonly textBytes: number
  /** Putting it together takes three times as much. */
  readonly lineBytes: number
  readonly pieceBytes: number
  readonly partitionBytes: number
  readonly mergeBytes: number
  readonly bucketBytes: number
}

const MIB = 2 ** 20
const MEMORY_SHARE = 1 / 4

export function importMemory({ memoryBytes }: { readonly memoryBytes?: number | undefined }): number {
  return memoryBytes ?? totalmem() * MEMORY_SHARE
}

/** More is of no use: buckets should stay near the caches. */
const MOST = { inMemory: 192 * MIB, bitmap: 256 * MIB, dictionary: 256 * MIB, text: 1024 * MIB, bucket: 48 * MIB }

/** Stages follow one another. */
export function memoryShares(memoryBytes: number, threads: number): MemoryShares {
  const part = (share: number, most = Infinity) => Math.floor(Math.min(most, memoryBytes * share))
  return {
    inMemoryBytes: part(1 / 4, MOST.inMemory),
    bitmapBytes: part(1 / 16, MOST.bitmap),
    dictionaryBytes: part(1 / 4 / (threads + 1), MOST.dictionary),
    textBytes: part(1 / 4, MOST.text),
    lineBytes: Math.max(4 * MIB, part(1 / 8)),
    pieceBytes: Math.max(1 << 16, part(1 / 64 / threads, MIB)),
    partitionBytes: part(1 / 4 / threads, 64 * MIB),
    mergeBytes: part(1 / 4, 256 * MIB),
    bucketBytes: part(1 / 2 / threads, MOST.bucket),
  }
}

/** At most, beside the entries. */
export function memoryToBuild(entries: number, vertices: number): number {
  return 16 * vertices + 32 * entries
}

/** Sorted without a pause. */
const BUCKET_BYTES = 8 * MIB

/** For one thread. */
export function sharesInMemory(shares: MemoryShares, entries: number): MemoryShares {
  return { ...shares, bucketBytes: Math.min(shares.bucketBytes, BUCKET_BYTES, 1024 + 80 * entries) }
}

/** Labels an end from which on a bitmap is too sparse. */
const MOST_GAPS = 64

/** A bitmap for labels without large gaps, else a dictionary. */
export function sharesForCodes(shares: MemoryShares, blocks: readonly EntryBlock[], entries: number): MemoryShares {
  let largest = 0
  for (const { from, to, fromHigh, toHigh, count } of blocks) {
    if (fromHigh !== null || toHigh !== null) largest = Infinity
    for (let i = 0; i < count; i++) {
      if (from[i]! > largest) largest = from[i]!
      if (to[i]! > largest) largest = to[i]!
    }
  }
  const hasBitmap = largest <= MOST_GAPS * 2 * entries + 2 ** 20
  return {
    ...shares,
    bitmapBytes: hasBitmap ? largest / 8 + 4 : 0,
    dictionaryBytes: hasBitmap ? 0 : Math.min(shares.dictionaryBytes, 48 * MIB, 48 * entries),
  }
}

interface DiskNeed {
  readonly peakBytes: number
  readonly datasetBytes: number
}

/** An upper bound: loops and duplicates count. */
export function diskNeed(entries: number, weighted: boolean, vertices = entries): DiskNeed {
  const record = weighted ? 12 : 8
  const datasetBytes = 2 * entries * (weighted ? 8 : 4) + 8 * vertices
  const weights = weighted ? 8 * entries : 0
  const peakBytes = Math.max(3 * entries * record, 2 * entries * record + datasetBytes + weights)
  return { peakBytes, datasetBytes }
}

/** @throws Failure (storage) */
export function requireDisk(folder: string, peakBytes: number, entries: number): void {
  const about = `importing about ${Math.round(entries)} entries`
  requireSpace(folder, peakBytes, (mib) => `${about} needs ${mib} of scratch space`, 'kept')
}

import { availableParallelism } from 'node:os'
import type { ImportArgs } from '../../contract/jobs.ts'

export interface ImportTuning {
  /** Bytes of the stored file read at a time. */
  readonly chunkBytes?: number
  /** Longest line, of the text unpacked. */
  readonly lineBytes?: number
  /** Smaller binary files are not checked for being canonical. */
  readonly copiedFromArcs?: number
  /** Binary adjacency files go through their reader. */
  readonly readsLists?: boolean
  readonly lines?: LinesTuning
  /** Called before a file is copied or read. @param mayCopy false where it cannot be copied, which takes more of the disk */
  readonly requireRoom?: (mayCopy: boolean) => void
}

export interface LinesTuning {
  readonly fromBytes?: number
  /** At most {@link RANGE_BYTES}. */
  readonly rangeBytes?: number
  readonly bucketRecords?: number
  readonly partBytes?: number
}

/** Canonical bytes that are worth a thread's start. */
export const CHECKED_BYTES_EACH = 32 << 20
/** Text, likewise. */
export const PARSED_BYTES_EACH = 4 << 20
/** Sooner done than the SHA-256 of the source, which one thread computes: it keeps a core of its own. */
export const COPYING_THREADS = 4
/** The least arcs of a binary file that is checked and copied by threads. */
export const COPIED_FROM_ARCS = 1 << 20

const LAST_STAGE = ['attributes', 'write']
/** Phases by stage, of the ways that an import may take. */
export const importStages = {
  lines: [['parse'], ['build'], ['write']],
  external: [['parse', 'read'], ['labels'], ['partition'], ['build'], LAST_STAGE],
  copy: [['read', 'copy'], LAST_STAGE],
}

export interface MemoryShares {
  readonly bitmapBytes: number
  /** Bytes of a dictionary in each thread. */
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

/** All that an import reads. */
export const filesOf = ({ source, sources = [], vertices }: ImportArgs): string[] => [
  source,
  ...sources,
  ...(vertices === undefined ? [] : [vertices]),
]

/** @param bytes of the input */
export function importThreads({ threads }: { readonly threads?: number | undefined }, bytes: number): number {
  return Math.max(1, threads ?? Math.min(availableParallelism(), Math.ceil(bytes / PARSED_BYTES_EACH)))
}

/** More is of no use: buckets should stay near the caches, and a single thread sorts one without a pause. */
const MOST = { bitmap: 256 * MIB, dictionary: 256 * MIB, text: 1024 * MIB, bucket: 48 * MIB, onlyBucket: 8 * MIB }
/** For an input of a few bytes, and for each of its bytes: tables that stay empty take time. */
const LEAST_USED = 32 * MIB
const USED_A_BYTE = 64

/** Bytes of a line that an import keeps. */
export const longestLine = (memoryBytes: number): number => Math.max(4 * MIB, Math.floor(memoryBytes / 8))

/** Stages follow one another. */
export function memoryShares(memoryBytes: number, threads: number, inputBytes = Infinity): MemoryShares {
  const used = Math.min(memoryBytes, LEAST_USED + USED_A_BYTE * inputBytes)
  const part = (share: number, most = Infinity) => Math.floor(Math.min(most, used * share))
  return {
    bitmapBytes: part(1 / 16, MOST.bitmap),
    dictionaryBytes: part(1 / 4 / (threads + 1), MOST.dictionary),
    textBytes: part(1 / 4, MOST.text),
    lineBytes: longestLine(memoryBytes),
    pieceBytes: Math.max(1 << 16, part(1 / 64 / threads, MIB)),
    partitionBytes: part(1 / 4 / threads, 64 * MIB),
    mergeBytes: part(1 / 4, 256 * MIB),
    bucketBytes: part(1 / 2 / threads, threads === 1 ? MOST.onlyBucket : MOST.bucket),
  }
}

export const entryBytes = (weighted: boolean): number => (weighted ? 12 : 8)

/** At any time, an upper bound: loops and duplicates count. */
export function diskNeed(entries: number, weighted: boolean, vertices = entries): number {
  const record = entryBytes(weighted)
  const datasetBytes = 2 * entries * (weighted ? 8 : 4) + 8 * vertices
  const weights = weighted ? 8 * entries : 0
  return Math.max(3 * entries * record, 2 * entries * record + datasetBytes + weights)
}

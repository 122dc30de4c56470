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

const LAST_STAGE = ['attributes', 'write']
/** Phases by stage, of the ways that an import may take. */
export const importStages = {
  lines: [['parse'], ['build'], ['write']],
  external: [['parse', 'read'], ['labels'], ['partition'], ['build'], LAST_STAGE],
  copy: [['read', 'copy'], LAST_STAGE],
}

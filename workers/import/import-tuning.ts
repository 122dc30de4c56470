export interface ImportTuning {
  /** Bytes of the stored file read at a time. */
  readonly chunkBytes?: number
  /** Longest line, of the text unpacked. */
  readonly lineBytes?: number
  /** Binary files of fewer arcs are not looked at as canonical ones. */
  readonly copiedFromArcs?: number
  /** Binary adjacency files that do not fit in memory go through their reader, entry by entry. */
  readonly readsLists?: boolean
  /** Of imports of plain lines (lines/import-lines.ts). */
  readonly lines?: LinesTuning
  /**
   * Called before a file is copied, read or gone through entry by entry.
   * @param mayCopy false where it turned out that it cannot be copied, which takes more of the disk
   */
  readonly requireRoom?: (mayCopy: boolean) => void
}

export interface LinesTuning {
  /** Smaller files go the general way. */
  readonly fromBytes?: number
  /** Text for which a thread more is worth it. */
  readonly threadBytes?: number
  /** Text parsed at a time, at most {@link RANGE_BYTES}. */
  readonly rangeBytes?: number
  readonly bucketRecords?: number
  /** Compressed text for which inflating beside others is worth it. */
  readonly partBytes?: number
}

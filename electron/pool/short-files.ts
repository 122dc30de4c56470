/** Names of files that may be canonical: these are linked, and run beside their check. */
export const LINKABLE = /\.e?gr$/i
/** Names of files whose content is larger. */
const PACKED = /\.(?:gz|bgz|bz2|xz|zip|tar|tgz|zst|parquet)$/i
const SHORT_BYTES = 1 << 20

/** Whether one thread has imported such a file before an engine has started. */
export const isShortFile = (path: string, bytes: number): boolean =>
  bytes <= SHORT_BYTES && !LINKABLE.test(path) && !PACKED.test(path)

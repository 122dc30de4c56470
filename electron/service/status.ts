import { statfsSync } from 'node:fs'
import type { Dataset } from '../contract/dataset.ts'
import type { LibraryStatus } from '../contract/library.ts'
import type { Library } from '../library/library.ts'
import { inLibrary } from '../library/storage-failure.ts'
import { versions } from './versions.ts'

export function libraryStatus(
  library: Library,
  datasets: readonly Dataset[],
  host: LibraryStatus['host'],
): LibraryStatus {
  const { bavail, bsize } = inLibrary(library.folder, () => statfsSync(library.folder))
  return {
    folder: library.folder,
    version: library.version,
    freeBytes: bavail * bsize,
    usedBytes: datasets.reduce((sum, { diskBytes }) => sum + diskBytes, 0),
    datasets: datasets.length,
    runs: library.runs.list().length,
    software: { ...versions(), platform: `${process.platform}-${process.arch}` },
    host,
  }
}

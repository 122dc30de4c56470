import { Failure } from '../../base/failure.ts'
import type { ReaderContext } from '../graph-reader.ts'

/** Part of an import's memory that what a reader keeps may take. */
export const READER_SHARE = 1 / 2

/**
 * @param what needs so many bytes at once, in words
 * @param instead what helps beside more memory
 * @throws Failure (usage) where the import may not use so many
 */
export function requireMemoryFor(
  { source, memoryBytes }: Pick<ReaderContext, 'source' | 'memoryBytes'>,
  bytes: number,
  what: string,
  instead = 'write the graph as an edge list',
): void {
  if (bytes <= READER_SHARE * memoryBytes) return
  const mib = (size: number) => Math.ceil(size / 2 ** 20)
  throw new Failure({
    code: 'usage',
    where: source,
    what: `${what} takes ${mib(bytes)} MiB at once, and an import with ${mib(memoryBytes)} MiB keeps half of that`,
    remedy: `Give it more with --memory ${mib(bytes / READER_SHARE)}MiB, or ${instead}.`,
  })
}

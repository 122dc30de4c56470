import { statSync } from 'node:fs'
import { OUTPUT_UMASK } from '../../workers/base/output-file.ts'

/** What this process makes has the library's permissions. @returns what ends it */
export function keepAsPrivateAs(folder: string): () => void {
  if (process.platform === 'win32') return () => {}
  const own = process.umask()
  process.umask(own | (~statSync(folder).mode & 0o077))
  process.env[OUTPUT_UMASK] = String(own)
  return () => {
    process.umask(own)
    delete process.env[OUTPUT_UMASK]
  }
}

/** For files that people name. */
export function withOwnMask<T>(work: () => T): T {
  const own = process.env[OUTPUT_UMASK]
  if (own === undefined) return work()
  const library = process.umask(Number(own))
  try {
    return work()
  } finally {
    process.umask(library)
  }
}

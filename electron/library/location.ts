import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { statSync } from 'node:fs'
import { OUTPUT_UMASK } from '../../workers/base/job.ts'

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
}

/** The folder of Node's compiled code. On Linux all users share the folder for temporary files, and one could leave code there for another. */
export function compiledCodeLocation(temporary: string, { env, platform, home } = here()): string {
  if (platform !== 'linux') return join(temporary, 'node-compile-cache')
  return join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'anticlique')
}

const here = (): Surroundings => ({ env: process.env, platform: process.platform, home: homedir() })

export function libraryLocation(named: string | undefined, { env, platform, home } = here()): string {
  const chosen = named ?? env['ANTICLIQUE_LIBRARY']
  if (chosen !== undefined && chosen !== '') return resolve(chosen)
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Anticlique')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Anticlique')
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'anticlique')
}

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

/** Works with the mask for files that people name. */
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

import Database from 'better-sqlite3'
import { Failure, OTHER_LIBRARY } from '../../workers/base/failure.ts'
import { migrations } from './migrations.ts'
import type { Migration } from './migrations.ts'
import { inLibrary } from './storage-failure.ts'

const BUSY_TIMEOUT_MS = 5000

export interface DatabaseOptions {
  readonly steps?: readonly Migration[] | undefined
  readonly busyTimeoutMs?: number | undefined
}

/** @throws Failure (storage) for another program's file, a newer version, a locked or read-only one */
export function openDatabase(file: string, options: DatabaseOptions = {}): Database.Database {
  return inLibrary(file, () => {
    const database = new Database(file, { timeout: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS })
    try {
      database.pragma('journal_mode = WAL')
      database.pragma('foreign_keys = ON')
      migrate(database, file, options.steps ?? migrations)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** In one transaction. */
export function migrate(database: Database.Database, file: string, steps: readonly Migration[]): void {
  const newest = steps.at(-1)?.version ?? 0
  if (versionOf(database) === newest) return
  database
    .transaction(() => {
      // Another process may have migrated meanwhile.
      const version = versionOf(database)
      if (version > newest) throw newerFailure(file, version, newest)
      if (version === 0 && hasTables(database)) throw foreignFailure(file)
      for (const step of steps.filter((candidate) => candidate.version > version)) {
        database.exec(step.sql)
        database.pragma(`user_version = ${step.version}`)
      }
    })
    .immediate()
}

function versionOf(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }))
}

function hasTables(database: Database.Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table'").get() !== undefined
}

function newerFailure(file: string, version: number, newest: number): Failure {
  return new Failure({
    code: 'storage',
    where: file,
    what: `the library has format ${version}, but this Anticlique knows formats up to ${newest}`,
    remedy: 'Install the newest Anticlique.',
    fixes: [OTHER_LIBRARY],
  })
}

function foreignFailure(file: string): Failure {
  return new Failure({
    code: 'storage',
    where: file,
    what: 'this database belongs to another program',
    remedy: '',
    fixes: [OTHER_LIBRARY],
  })
}

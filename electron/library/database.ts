import Database from 'better-sqlite3'
import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { Failure, OTHER_LIBRARY } from '../../workers/base/failure.ts'
import { migrations, type Migration } from './migrations.ts'
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
      const steps = options.steps ?? migrations
      keepBefore(database, file, steps.at(-1)?.version ?? 0)
      migrate(database, file, steps)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** A copy beside it, before an older library is migrated: the version that made it still opens that. */
function keepBefore(database: Database.Database, file: string, newest: number): void {
  const version = versionOf(database)
  const copy = `${file}.format-${version}`
  if (version === 0 || version >= newest || existsSync(copy)) return
  const partial = `${copy}.partial-${process.pid}`
  try {
    database.prepare('VACUUM INTO ?').run(partial)
    chmodSync(partial, statSync(file).mode)
    // Another process may have migrated meanwhile; it kept its own.
    if (versionOf(database) === version) renameSync(partial, copy)
  } finally {
    rmSync(partial, { force: true })
  }
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

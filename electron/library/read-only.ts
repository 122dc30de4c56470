import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { openDatabase } from './database.ts'
import { inLibrary } from './storage-failure.ts'

/** False where a library is there, and its folder or database is on a read-only disk or another person's. */
export function canBeWritten(folder: string, database: string): boolean {
  if (!existsSync(database)) return true
  try {
    for (const path of [folder, database]) accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * A copy of a database, in no place that lasts. SQLite opens one with a write-ahead log only where it can write beside it, so the file and its log are copied to a
 * folder for temporary files, which goes at once: the open file stays. @throws Failure (storage)
 */
export function openCopy(file: string): Database.Database {
  return inLibrary(file, () => {
    const folder = mkdtempSync(join(tmpdir(), 'anticlique-library-'))
    try {
      const copy = join(folder, 'library.sqlite')
      for (const ending of ['', '-wal']) if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending)
      return openDatabase(copy)
    } finally {
      if (process.platform !== 'win32') rmSync(folder, { recursive: true, force: true })
      else process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    }
  })
}

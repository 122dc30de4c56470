/**
 * The library's SQLite database: opened for one writer at a time with others waiting, migrated forward in one transaction, after a copy for the
 * version that made it; refused with words when it is another program's, newer, locked or damaged. What is searched or compared has a column;
 * the rest is JSON. table.ts has rows and statements, library.ts the folder around it.
 */

import Database from 'better-sqlite3'
import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { inLibrary, storageFailure } from './storage-failure.ts'

/** `version` is then in `user_version`. */
interface Migration {
  readonly version: number
  readonly sql: string
}

/**
 * Forward only, never edited once released. What is searched or compared has a column of its own; the rest is JSON.
 */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE datasets (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        name        TEXT    NOT NULL UNIQUE,
        folder      TEXT    NOT NULL UNIQUE,
        vertices    INTEGER NOT NULL CHECK (vertices >= 0),
        arcs        INTEGER NOT NULL CHECK (arcs >= 0),
        max_degree  INTEGER NOT NULL,
        mean_degree REAL    NOT NULL,
        weighted    INTEGER NOT NULL CHECK (weighted IN (0, 1)),
        bytes       INTEGER NOT NULL,
        checksum    TEXT    NOT NULL,
        source      TEXT    NOT NULL,
        report      TEXT    NOT NULL CHECK (json_valid(report)),
        created_at  TEXT    NOT NULL
      ) STRICT;
    `,
  },
  {
    version: 2,
    sql: `
      CREATE TABLE runs (
        id          TEXT    PRIMARY KEY,
        dataset_id  INTEGER REFERENCES datasets (id) ON DELETE SET NULL,
        name        TEXT,
        state       TEXT    NOT NULL CHECK (state IN
          ('queued', 'planning', 'running', 'verifying', 'done', 'failed', 'cancelled', 'interrupted')),
        algorithm   TEXT    NOT NULL,
        request     TEXT    NOT NULL CHECK (json_valid(request)),
        record      TEXT    CHECK (record IS NULL OR json_valid(record)),
        failure     TEXT    CHECK (failure IS NULL OR json_valid(failure)),
        size        INTEGER,
        hash        TEXT,
        owner_pid   INTEGER NOT NULL,
        owner_start TEXT,
        created_at  TEXT    NOT NULL,
        started_at  TEXT,
        finished_at TEXT
      ) STRICT;
      CREATE INDEX runs_by_dataset ON runs (dataset_id);
      CREATE INDEX runs_by_state ON runs (state);
    `,
  },
  {
    version: 3,
    // `turn` numbers runs as they came: the clock may be set back, rowids may change.
    sql: `
      ALTER TABLE runs ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE runs ADD COLUMN queue_priority INTEGER NOT NULL DEFAULT 5 CHECK (queue_priority BETWEEN 0 AND 9);
      ALTER TABLE runs ADD COLUMN retries INTEGER NOT NULL DEFAULT 0 CHECK (retries >= 0);
      ALTER TABLE runs ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE runs ADD COLUMN devices TEXT;
      UPDATE runs SET turn = (SELECT count(*) FROM runs AS earlier
        WHERE (earlier.created_at, earlier.rowid) <= (runs.created_at, runs.rowid));
      CREATE UNIQUE INDEX runs_by_turn ON runs (turn);
    `,
  },
  {
    version: 4,
    sql: `
      ALTER TABLE datasets ADD COLUMN tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags));
      CREATE TABLE settings (
        name  TEXT PRIMARY KEY,
        value TEXT NOT NULL CHECK (json_valid(value))
      ) STRICT;
    `,
  },
  {
    version: 5,
    sql: `
      CREATE TABLE claims (
        what        TEXT    PRIMARY KEY,
        owner_pid   INTEGER NOT NULL,
        owner_start TEXT
      ) STRICT;
    `,
  },
  {
    version: 6,
    sql: `
      ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT '';
      ALTER TABLE runs ADD COLUMN starred INTEGER NOT NULL DEFAULT 0 CHECK (starred IN (0, 1));
    `,
  },
]

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
      const steps = options.steps ?? migrations
      // Nothing is changed in a file that is not ours.
      requireOurs(database, file, steps.at(-1)?.version ?? 0)
      database.pragma('journal_mode = WAL')
      database.pragma('foreign_keys = ON')
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

/** Migrates in one transaction. */
export function migrate(database: Database.Database, file: string, steps: readonly Migration[]): void {
  const newest = steps.at(-1)?.version ?? 0
  if (versionOf(database) === newest) return
  database
    .transaction(() => {
      // Another process may have migrated meanwhile.
      const version = requireOurs(database, file, newest)
      for (const step of steps.filter((candidate) => candidate.version > version)) {
        database.exec(step.sql)
        database.pragma(`user_version = ${step.version}`)
      }
    })
    .immediate()
}

/** @returns the version of its format */
function requireOurs(database: Database.Database, file: string, newest: number): number {
  const version = versionOf(database)
  if (version > newest) {
    const what = `the library has format ${version}, but this Anticlique knows formats up to ${newest}`
    throw storageFailure(file, what, 'Install the newest Anticlique.')
  }
  if (version === 0 && hasTables(database)) throw storageFailure(file, 'this database belongs to another program')
  return version
}

function versionOf(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }))
}

function hasTables(database: Database.Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table'").get() !== undefined
}

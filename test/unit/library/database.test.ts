import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { migrate, openDatabase, migrations } from '../../../electron/library/database.ts'
import { inLibrary } from '../../../electron/library/storage-failure.ts'
import { temporaryFolder } from './fixtures.ts'

const newest = migrations.at(-1)!.version
const tables = (database: Database.Database): unknown[] =>
  database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    .pluck()
    .all()

interface OldRun {
  readonly id: string
  readonly createdAt: string
  readonly turn: number
}

/** A run as earlier versions wrote it; only later ones gave it a turn. */
function insertRun(database: Database.Database, { id, createdAt, turn }: OldRun, hasTurn: boolean): void {
  database
    .prepare(
      `INSERT INTO runs (id, dataset_id, state, algorithm, request, owner_pid, created_at${hasTurn ? ', turn' : ''})
       VALUES (?, 7, 'done', 'ecl-mis', '{}', 1, ?${hasTurn ? ', ?' : ''})`,
    )
    .run(id, createdAt, ...(hasTurn ? [turn] : []))
}

describe('migrations', () => {
  test('are numbered 1, 2, 3, ...', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1))
  })

  test('a fresh library gets every table, WAL and foreign keys', () => {
    const database = openDatabase(join(temporaryFolder(), 'library.sqlite'))
    expect(tables(database)).toEqual(['claims', 'datasets', 'runs', 'settings'])
    expect(database.pragma('user_version', { simple: true })).toBe(newest)
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(database.pragma('foreign_keys', { simple: true })).toBe(1)
    database.close()
  })

  test.each(migrations.slice(0, -1).map(({ version }) => version))(
    'a library of version %i keeps its datasets and runs, and these their order',
    (version) => {
      const file = join(temporaryFolder(), 'library.sqlite')
      const old = openDatabase(file, { steps: migrations.filter((step) => step.version <= version) })
      old.exec(
        `INSERT INTO datasets (id, name, folder, vertices, arcs, max_degree, mean_degree, weighted, bytes, checksum, source,
           report, created_at)
         VALUES (7, 'path', 'path-1', 3, 4, 2, 1.5, 0, 72, 'c0ffee', 'path.txt', '{}', '2026-01-01')`,
      )
      // As they were started: two within one second, and before these one whose clock was ahead.
      const runs = [
        { id: 'late', createdAt: '2026-01-03', turn: 3 },
        { id: 'first', createdAt: '2026-01-01', turn: 1 },
        { id: 'second', createdAt: '2026-01-01', turn: 2 },
      ]
      if (version >= 2) for (const run of runs) insertRun(old, run, version >= 3)
      old.close()
      const database = openDatabase(file)
      expect(database.pragma('user_version', { simple: true })).toBe(newest)
      expect(database.prepare('SELECT id, name FROM datasets').all()).toEqual([{ id: 7, name: 'path' }])
      const kept = database.prepare('SELECT id, turn, dataset_id FROM runs ORDER BY turn').all()
      const inOrder = runs.toSorted((a, b) => a.turn - b.turn).map(({ id, turn }) => ({ id, turn, dataset_id: 7 }))
      expect(kept).toEqual(version >= 2 ? inOrder : [])
      database.close()
      // What it was is kept once, for the version that made it.
      const copy = `${file}.format-${version}`
      const before = openDatabase(copy, { steps: migrations.filter((step) => step.version <= version) })
      expect(before.pragma('user_version', { simple: true })).toBe(version)
      expect(before.prepare('SELECT id, name FROM datasets').all()).toEqual([{ id: 7, name: 'path' }])
      before.close()
      expect(statSync(copy).mode).toBe(statSync(file).mode)
      openDatabase(file).close()
      const names = readdirSync(dirname(file)).filter((name) => !/-(?:wal|shm)$/.test(name))
      expect(names).toEqual(['library.sqlite', basename(copy)])
    },
  )

  test('opening twice changes nothing', () => {
    const file = join(temporaryFolder(), 'library.sqlite')
    openDatabase(file).close()
    const database = openDatabase(file)
    expect(database.pragma('user_version', { simple: true })).toBe(newest)
    database.close()
  })

  test('a step that fails leaves the version as it was', () => {
    const database = new Database(':memory:')
    const steps = [...migrations, { version: newest + 1, sql: 'CREATE TABLE more (a); CREATE TABLE datasets (a)' }]
    expect(() => migrate(database, 'memory', steps)).toThrow(/already exists/)
    expect(database.pragma('user_version', { simple: true })).toBe(0)
    expect(tables(database)).toEqual([])
  })
})

describe('a database that cannot be used', () => {
  test('made by a newer version: both numbers and what to do', () => {
    const file = join(temporaryFolder(), 'library.sqlite')
    const database = openDatabase(file)
    database.pragma(`user_version = ${newest + 5}`)
    database.close()
    const bytes = readFileSync(file)
    expect(() => openDatabase(file)).toThrow(
      `${file}: the library has format ${newest + 5}, but this Anticlique knows formats up to ${newest}. Install the newest`,
    )
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  test('not a database at all', () => {
    const file = join(temporaryFolder(), 'library.sqlite')
    writeFileSync(file, 'this is a shopping list, and a long one: '.repeat(100))
    expect(() => openDatabase(file)).toThrow(/not a library database/)
  })

  test("another program's database", () => {
    const file = join(temporaryFolder(), 'library.sqlite')
    const other = new Database(file)
    other.exec('CREATE TABLE recipes (name)')
    other.close()
    const before = readFileSync(file)
    expect(() => openDatabase(file)).toThrow(/belongs to another program/)
    // It is not made a WAL database on the way.
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('on a disk that is full: a way out that needs no room', () => {
    const full = (): never => {
      throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
    }
    expect(() => inLibrary('library.sqlite', full)).toThrow(/Free some space: folders in its "datasets" may be deleted/)
  })

  test('locked by another writer', () => {
    const file = join(temporaryFolder(), 'library.sqlite')
    const other = new Database(file)
    other.exec('BEGIN EXCLUSIVE')
    expect(() => openDatabase(file, { busyTimeoutMs: 50 })).toThrow(/locked by another program/)
    other.close()
  })
})

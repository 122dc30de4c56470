import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { ClaimTable } from '../../../electron/library/owner.ts'
import { Library } from '../../../electron/library/library.ts'
import { pathFacts, request, temporaryFolder } from './fixtures.ts'

let library: Library
beforeEach(() => {
  library = Library.open(join(temporaryFolder(), 'library'))
  return () => library.close()
})

describe('claims', () => {
  test('of a living process hold others off until they are given back', () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    try {
      const theirs = new ClaimTable(new Database(join(library.folder, 'library.sqlite')), {
        pid: other.pid!,
        start: null,
      })
      expect(theirs.take('import a')).toBeNull()
      expect(library.claims.take('import a')).toEqual({ pid: other.pid, start: null })
      expect(library.claims.take('import b')).toBeNull()
      // Nor does this process take it twice.
      expect(library.claims.take('import b')).toMatchObject({ pid: process.pid })
      theirs.release('import a')
      expect(library.claims.take('import a')).toBeNull()
    } finally {
      other.kill()
    }
  })

  test('of a process that is gone hold nobody off', () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    const theirs = new ClaimTable(new Database(join(library.folder, 'library.sqlite')), { pid: dead, start: null })
    expect(theirs.take('import a')).toBeNull()
    expect(library.claims.holder('import a')).toBeNull()
    expect(library.claims.take('import a')).toBeNull()
  })
})

describe('a library whose rows are damaged', () => {
  const damage = (sql: string): void => {
    const database = new Database(join(library.folder, 'library.sqlite'))
    database.pragma('ignore_check_constraints = ON')
    database.exec(sql)
    database.close()
  }

  test.each([
    ['a request that is no JSON', `UPDATE runs SET request = '{"dataset'`, () => library.runs.list()],
    ['a record of another shape', `UPDATE runs SET record = '{"record":2}'`, () => library.runs.get('r1')],
    ['a report that is no JSON', `UPDATE datasets SET report = 'x'`, () => library.datasets.list()],
    ['tags that are none', `UPDATE datasets SET tags = '7'`, () => library.datasets.get('path')],
    ['a setting', `INSERT INTO settings VALUES ('theme', '{')`, () => library.settings.get()],
  ])('%s is a failure that names the row', (_words, sql, read) => {
    const { id } = library.datasets.insert({ name: 'path', folder: 'path-1', facts: pathFacts() })
    library.runs.insert({ id: 'r1', datasetId: id, request: request() })
    damage(sql)
    expect(read).toThrow(
      expect.objectContaining({
        code: 'storage',
        what: expect.stringMatching(/^what it says of (run r1|dataset "path"|setting theme) is damaged$/),
        remedy: expect.stringContaining('from a copy'),
      }),
    )
  })
})

// One flipped bit of the header does that, or of the text of a table's columns.
test.each([
  ['an older number of its format', 'PRAGMA user_version = 1'],
  ['a column of another name', 'ALTER TABLE runs RENAME COLUMN turn TO tuzn'],
])('a database with %s is damaged, and no fault of ours', (_words, sql) => {
  library.close()
  const database = new Database(join(library.folder, 'library.sqlite'))
  database.exec(sql)
  database.close()
  const look = (): void => {
    library = Library.open(library.folder)
    library.runs.list()
    library.runs.waiting()
  }
  const refusal = { code: 'storage', what: expect.stringContaining('damaged') as string }
  expect(look).toThrow(expect.objectContaining(refusal))
})

test.skipIf(process.platform === 'win32')('a new library is for its owner alone; one that is shared stays so', () => {
  const folder = join(temporaryFolder(), 'deep', 'library')
  Library.open(folder).close()
  const modes = ['', 'datasets', 'runs', 'library.sqlite'].map((name) => statSync(join(folder, name)).mode & 0o777)
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o600])
  const shared = temporaryFolder()
  chmodSync(shared, 0o770)
  Library.open(shared).close()
  expect(statSync(shared).mode & 0o777).toBe(0o770)
})

test.runIf(process.platform === 'linux')('a place where there can be no folder is refused', () => {
  expect(() => Library.open('/proc/anticlique/library')).toThrow(expect.objectContaining({ code: 'input' }))
})

import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { ClaimTable } from '../../../electron/library/owner.ts'
import { migrate, openDatabase, migrations } from '../../../electron/library/database.ts'
import { DatasetTable } from '../../../electron/library/dataset-table.ts'
import { RunTable } from '../../../electron/library/run-table.ts'
import { SettingsTable } from '../../../electron/library/settings-table.ts'
import { pathFacts, request, temporaryFolder } from './fixtures.ts'

/** What is done to a library in transactions. */
type Change = 'migrate' | 'claim' | 'take' | 'move' | 'requeue' | 'orphans' | 'set' | 'remove' | 'restore'

test.each<Change>(['migrate', 'claim', 'take', 'move', 'requeue', 'orphans', 'set', 'remove', 'restore'])(
  'nobody else writes between what "%s" reads and what it writes',
  (change) => {
    const file = join(temporaryFolder(), 'library.sqlite')
    openDatabase(file, { steps: change === 'migrate' ? migrations.slice(0, 1) : migrations }).close()
    const other = new Database(file, { timeout: 0 })
    const tries: string[] = []
    let isWatched = false
    const database: Database.Database = new Database(file, {
      verbose: (statement) => {
        if (!isWatched || !database.inTransaction || String(statement).startsWith('COMMIT')) return
        try {
          other.exec('BEGIN IMMEDIATE; ROLLBACK')
          tries.push('wrote')
        } catch (error) {
          tries.push(String((error as { code?: unknown }).code))
        }
      },
    })
    const [runs, datasets] = [new RunTable(database), new DatasetTable(database)]
    const changes: Record<Change, () => unknown> = {
      migrate: () => migrate(database, file, migrations),
      claim: () => runs.claim('r1', ['cpu:0']),
      take: () => new ClaimTable(database).take('import a'),
      move: () => runs.move('r1', 'planning'),
      requeue: () => runs.requeue('r1'),
      orphans: () => runs.interruptOrphans(),
      set: () => new SettingsTable(database).set({ theme: 'dark' }),
      remove: () => datasets.remove(1),
      restore: () => datasets.restore(stored!, ['r1']),
    }
    const stored =
      change === 'migrate' ? undefined : datasets.insert({ name: 'path', folder: 'path-1', facts: pathFacts() })
    if (stored !== undefined) runs.insert({ id: 'r1', datasetId: stored.id, request: request() })
    if (change === 'requeue') runs.move('r1', 'failed')
    if (change === 'restore') datasets.remove(stored!.id)
    isWatched = true
    changes[change]()
    expect(tries.length).toBeGreaterThan(0)
    expect(new Set(tries)).toEqual(new Set(['SQLITE_BUSY']))
    database.close()
    other.close()
  },
)

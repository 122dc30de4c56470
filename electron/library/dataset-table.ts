import Database from 'better-sqlite3'
import { storedDatasetSchema, type StoredDataset } from '../contract/dataset.ts'
import { inputFailure, type Failure } from '../../workers/base/failure.ts'
import type { DatasetFacts } from '../../workers/contract/jobs.ts'
import { damagedRow, readRow } from './storage-failure.ts'
import { Table, type Row } from './table.ts'

const SELECT = `SELECT datasets.*, newest.id AS run_id, newest.algorithm AS run_algorithm, newest.state AS run_state,
    coalesce(newest.finished_at, newest.started_at, newest.created_at) AS run_at
  FROM datasets LEFT JOIN runs AS newest ON newest.turn =
    (SELECT max(turn) FROM runs WHERE dataset_id = datasets.id)`

/** `id` and `tags` of a dataset that is brought back. */
const INSERT = `INSERT INTO datasets (id, name, folder, vertices, arcs, max_degree, mean_degree, weighted, bytes, checksum,
    source, report, created_at, tags)
  VALUES (@id, @name, @folder, @vertices, @arcs, @maxDegree, @meanDegree, @weighted, @bytes, @checksum, @source, @report,
    @createdAt, @tags)`

export class DatasetTable extends Table {
  list(): StoredDataset[] {
    return this.all(`${SELECT} ORDER BY datasets.name`).map(fromRow)
  }

  find(name: string): StoredDataset | null {
    return this.#one('name', name)
  }

  byId(id: number): StoredDataset | null {
    return this.#one('id', id)
  }

  /** @throws Failure (input) */
  get(name: string): StoredDataset {
    const dataset = this.find(name)
    if (dataset !== null) return dataset
    const fixes = [{ action: 'show', page: 'library' }] as const
    throw inputFailure(undefined, `the library has no dataset called "${name}"`, '', fixes)
  }

  /** @throws Failure (input) when the name is taken */
  insert({ name, folder, facts }: { name: string; folder: string; facts: DatasetFacts }): StoredDataset {
    const { report, ...columns } = facts
    const fresh = { id: null, tags: [], createdAt: new Date().toISOString() }
    return this.#insert({ ...columns, ...fresh, name, folder, report, source: report.source })
  }

  /** @throws Failure (input) */
  rename(name: string, to: string): StoredDataset {
    const { id } = this.get(name)
    orNameTaken(to, () => this.run('UPDATE datasets SET name = ? WHERE id = ?', to, id))
    return this.#known(id)
  }

  /** @throws Failure (input) */
  tag(name: string, tags: readonly string[]): StoredDataset {
    const { id } = this.get(name)
    this.run('UPDATE datasets SET tags = ? WHERE id = ?', JSON.stringify(tags), id)
    return this.#known(id)
  }

  /** Its runs stay. Returns their ids, for {@link restore}. */
  remove(id: number): string[] {
    return this.inTransaction(() => {
      const runs = this.all('SELECT id FROM runs WHERE dataset_id = ?', id)
      this.run('DELETE FROM datasets WHERE id = ?', id)
      return runs.map((run) => String(run['id']))
    })
  }

  /** Restores a dataset under its old id. @throws Failure (input) when the name is taken */
  restore({ lastRun: _lastRun, ...dataset }: StoredDataset, runs: readonly string[]): StoredDataset {
    return this.inTransaction(() => {
      // Where rows are of a backup, another dataset may have its id.
      const { id } = this.#insert(this.byId(dataset.id) === null ? dataset : { ...dataset, id: null })
      for (const run of runs) this.run('UPDATE runs SET dataset_id = ? WHERE id = ?', id, run)
      return this.#known(id)
    })
  }

  #insert(dataset: Omit<StoredDataset, 'id' | 'lastRun'> & { readonly id: number | null }): StoredDataset {
    const { report, tags, weighted } = dataset
    const columns = { report: JSON.stringify(report), tags: JSON.stringify(tags), weighted: weighted ? 1 : 0 }
    const { lastInsertRowid } = orNameTaken(dataset.name, () => this.run(INSERT, { ...dataset, ...columns }))
    return this.#known(Number(lastInsertRowid))
  }

  #known(id: number): StoredDataset {
    const dataset = this.byId(id)
    if (dataset === null) throw damagedRow(`dataset ${id}`)
    return dataset
  }

  #one(column: 'name' | 'id', value: string | number): StoredDataset | null {
    const row = this.one(`${SELECT} WHERE datasets.${column} = ?`, value)
    return row === undefined ? null : fromRow(row)
  }
}

function orNameTaken<T>(name: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE') throw nameTaken(name)
    throw error
  }
}

export const nameTaken = (name: string): Failure =>
  inputFailure(undefined, `the library has a dataset called "${name}" already`, 'Remove the old one.', [
    { action: 'choose', option: 'name' },
  ])

const fromRow = (row: Row): StoredDataset =>
  readRow(`dataset "${String(row['name'])}"`, () =>
    storedDatasetSchema.parse({
      ...row,
      maxDegree: row['max_degree'],
      meanDegree: row['mean_degree'],
      weighted: row['weighted'] === 1,
      report: JSON.parse(String(row['report'])),
      createdAt: row['created_at'],
      tags: JSON.parse(String(row['tags'])),
      lastRun:
        row['run_id'] === null
          ? null
          : { run: row['run_id'], algorithm: row['run_algorithm'], state: row['run_state'], at: row['run_at'] },
    }),
  )

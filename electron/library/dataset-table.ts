import Database from 'better-sqlite3'
import { storedDatasetSchema, type StoredDataset } from '../contract/dataset.ts'
import { Failure } from '../../workers/base/failure.ts'
import type { DatasetFacts } from '../../workers/contract/jobs.ts'
import { damagedRow, inLibrary, readRow } from './storage-failure.ts'

export interface NewDataset {
  readonly name: string
  readonly folder: string
  readonly facts: DatasetFacts
}

type Row = Record<string, unknown>

const SELECT = `SELECT datasets.*, newest.id AS run_id, newest.algorithm AS run_algorithm, newest.state AS run_state,
    coalesce(newest.finished_at, newest.started_at, newest.created_at) AS run_at
  FROM datasets LEFT JOIN runs AS newest ON newest.turn =
    (SELECT max(turn) FROM runs WHERE dataset_id = datasets.id)`

export class DatasetTable {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  list(): StoredDataset[] {
    return this.#work(() => this.#database.prepare<[], Row>(`${SELECT} ORDER BY datasets.name`).all().map(fromRow))
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
    throw new Failure({
      code: 'input',
      what: `the library has no dataset called "${name}"`,
      remedy: '',
      fixes: [{ action: 'show', page: 'library' }],
    })
  }

  /** @throws Failure (input) when the name is taken */
  insert({ name, folder, facts }: NewDataset): StoredDataset {
    return this.#named(name, () => {
      const inserted = this.#database
        .prepare(
          `INSERT INTO datasets
             (name, folder, vertices, arcs, max_degree, mean_degree, weighted, bytes, checksum, source, report, created_at)
           VALUES (@name, @folder, @vertices, @arcs, @maxDegree, @meanDegree, @weighted, @bytes, @checksum, @source,
             @report, @createdAt)`,
        )
        .run({
          name,
          folder,
          vertices: facts.vertices,
          arcs: facts.arcs,
          maxDegree: facts.maxDegree,
          meanDegree: facts.meanDegree,
          weighted: facts.weighted ? 1 : 0,
          bytes: facts.bytes,
          checksum: facts.checksum,
          source: facts.report.source,
          report: JSON.stringify(facts.report),
          createdAt: new Date().toISOString(),
        })
      return this.#known(Number(inserted.lastInsertRowid))
    })
  }

  /** @throws Failure (input) */
  rename(name: string, to: string): StoredDataset {
    const { id } = this.get(name)
    return this.#named(to, () => {
      this.#database.prepare('UPDATE datasets SET name = ? WHERE id = ?').run(to, id)
      return this.#known(id)
    })
  }

  /** @throws Failure (input) */
  tag(name: string, tags: readonly string[]): StoredDataset {
    const { id } = this.get(name)
    return this.#work(() => {
      this.#database.prepare('UPDATE datasets SET tags = ? WHERE id = ?').run(JSON.stringify(tags), id)
      return this.#known(id)
    })
  }

  /** Its runs stay. Returns their ids, for {@link restore}. */
  remove(id: number): string[] {
    return this.#work(() =>
      this.#database
        .transaction(() => {
          const runs = this.#database.prepare<[number], Row>('SELECT id FROM runs WHERE dataset_id = ?').all(id)
          this.#database.prepare('DELETE FROM datasets WHERE id = ?').run(id)
          return runs.map((run) => String(run['id']))
        })
        .immediate(),
    )
  }

  /** Under its old id. @throws Failure (input) when the name is taken */
  restore(dataset: StoredDataset, runs: readonly string[]): StoredDataset {
    return this.#named(dataset.name, () =>
      this.#database
        .transaction(() => {
          const { report, tags, lastRun: _lastRun, weighted, ...columns } = dataset
          this.#database
            .prepare(
              `INSERT INTO datasets
                 (id, name, folder, vertices, arcs, max_degree, mean_degree, weighted, bytes, checksum, source, report,
                  created_at, tags)
               VALUES (@id, @name, @folder, @vertices, @arcs, @maxDegree, @meanDegree, @weighted, @bytes, @checksum,
                 @source, @report, @createdAt, @tags)`,
            )
            .run({
              ...columns,
              weighted: weighted ? 1 : 0,
              report: JSON.stringify(report),
              tags: JSON.stringify(tags),
            })
          const link = this.#database.prepare('UPDATE runs SET dataset_id = ? WHERE id = ?')
          for (const run of runs) link.run(dataset.id, run)
          return this.#known(dataset.id)
        })
        .immediate(),
    )
  }

  #known(id: number): StoredDataset {
    const dataset = this.byId(id)
    if (dataset === null) throw damagedRow(`dataset ${id}`)
    return dataset
  }

  #one(column: 'name' | 'id', value: string | number): StoredDataset | null {
    return this.#work(() => {
      const row = this.#database.prepare<[string | number], Row>(`${SELECT} WHERE datasets.${column} = ?`).get(value)
      return row === undefined ? null : fromRow(row)
    })
  }

  #named<T>(name: string, work: () => T): T {
    return this.#work(() => {
      try {
        return work()
      } catch (error) {
        if (error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE') throw nameTaken(name)
        throw error
      }
    })
  }

  #work<T>(work: () => T): T {
    return inLibrary(this.#database.name, work)
  }
}

export function nameTaken(name: string): Failure {
  return new Failure({
    code: 'input',
    what: `the library has a dataset called "${name}" already`,
    remedy: 'Remove the old one.',
    fixes: [{ action: 'choose', option: 'name' }],
  })
}

function fromRow(row: Row): StoredDataset {
  return readRow(`dataset "${String(row['name'])}"`, () => read(row))
}

function read(row: Row): StoredDataset {
  return storedDatasetSchema.parse({
    id: row['id'],
    name: row['name'],
    folder: row['folder'],
    vertices: row['vertices'],
    arcs: row['arcs'],
    maxDegree: row['max_degree'],
    meanDegree: row['mean_degree'],
    weighted: row['weighted'] === 1,
    bytes: row['bytes'],
    checksum: row['checksum'],
    source: row['source'],
    report: JSON.parse(String(row['report'])),
    createdAt: row['created_at'],
    tags: JSON.parse(String(row['tags'])),
    lastRun:
      row['run_id'] === null
        ? null
        : { run: row['run_id'], algorithm: row['run_algorithm'], state: row['run_state'], at: row['run_at'] },
  })
}

import type Database from 'better-sqlite3'
import { isFinal, runSchema } from '../contract/run.ts'
import type { Run, RunRecord, RunRequest, RunState } from '../contract/run.ts'
import { Failure } from '../../workers/failure.ts'
import { sizeOf } from '../../workers/jobs.ts'
import type { FailureValue } from '../../workers/failure.ts'
import { isAlive, thisOwner } from './owner.ts'
import type { Owner } from './owner.ts'
import { activeStates, isLegal } from './run-state.ts'
import { inLibrary } from './storage-failure.ts'

export interface NewRun {
  readonly id: string
  readonly datasetId: number
  readonly name?: string | undefined
  readonly request: RunRequest
}

/** What a run gains with a new state. */
export interface RunChange {
  readonly record?: RunRecord | undefined
  readonly failure?: FailureValue | undefined
}

type Row = Record<string, unknown>

const SELECT = `SELECT runs.*, datasets.name AS dataset_name FROM runs
  LEFT JOIN datasets ON datasets.id = runs.dataset_id`

/** The runs of a library: a state machine in a table. */
export class RunTable {
  readonly #database: Database.Database
  readonly #owner: Owner

  constructor(database: Database.Database, owner: Owner = thisOwner()) {
    this.#database = database
    this.#owner = owner
  }

  /** All runs, the newest first. */
  list(): Run[] {
    return this.#work(() =>
      this.#database.prepare<[], Row>(`${SELECT} ORDER BY runs.created_at DESC, runs.rowid DESC`).all().map(fromRow),
    )
  }

  find(id: string): Run | null {
    return this.#work(() => {
      const row = this.#database.prepare<[string], Row>(`${SELECT} WHERE runs.id = ?`).get(id)
      return row === undefined ? null : fromRow(row)
    })
  }

  /**
   * A run by its id, the unique beginning of its id, its name (the newest of that name), or "latest".
   * @throws Failure (input) when there is none, or several begin so.
   */
  get(text: string): Run {
    const runs = this.list()
    const exact = runs.find((run) => run.id === text) ?? runs.find((run) => run.name === text)
    const newest = text === 'latest' ? runs[0] : undefined
    const beginning = text === '' ? [] : runs.filter((run) => run.id.startsWith(text))
    if (exact !== undefined) return exact
    if (newest !== undefined) return newest
    if (beginning.length === 1) return beginning[0]!
    throw new Failure({
      code: 'input',
      what:
        beginning.length === 0 ? `the library has no run "${text}"` : `${beginning.length} runs begin with "${text}"`,
      remedy: 'See "anticlique runs" for those it has.',
    })
  }

  /** A new run, queued and owned by this process. */
  insert({ id, datasetId, name, request }: NewRun): Run {
    return this.#work(() => {
      this.#database
        .prepare(
          `INSERT INTO runs (id, dataset_id, name, state, algorithm, request, owner_pid, owner_start, created_at)
           VALUES (?, ?, ?, 'queued', ?, ?, ?, ?, ?)`,
        )
        .run(id, datasetId, name ?? null, request.algorithm, JSON.stringify(request), ...this.#ownerColumns(), now())
      return this.#known(id)
    })
  }

  /** Moves a run to another state, with what it gains, in one transaction. @throws Error on a transition that is not legal. */
  move(id: string, to: RunState, change: RunChange = {}): Run {
    return this.#work(() =>
      this.#database
        .transaction(() => {
          const { state } = this.#known(id)
          if (!isLegal(state, to)) throw new Error(`run ${id} cannot go from ${state} to ${to}`)
          this.#write(id, to, change)
          return this.#known(id)
        })
        .immediate(),
    )
  }

  /** Queues a run that ended without a result once more; it belongs to this process now. */
  requeue(id: string): Run {
    return this.#work(() =>
      this.#database
        .transaction(() => {
          const { state } = this.#known(id)
          if (!isLegal(state, 'queued')) throw new Error(`run ${id} cannot go from ${state} to queued`)
          this.#database
            .prepare(
              `UPDATE runs SET state = 'queued', failure = NULL, record = NULL, finished_at = NULL,
                 owner_pid = ?, owner_start = ? WHERE id = ?`,
            )
            .run(...this.#ownerColumns(), id)
          return this.#known(id)
        })
        .immediate(),
    )
  }

  /** Takes the row of a finished run away. */
  remove(id: string): void {
    this.#work(() => this.#database.prepare('DELETE FROM runs WHERE id = ?').run(id))
  }

  /** Marks the runs whose process is gone as interrupted, and returns their ids. Runs of living processes stay. */
  interruptOrphans(): string[] {
    return this.#work(() =>
      this.#database
        .transaction(() => {
          const marks = activeStates.map(() => '?').join(', ')
          const rows = this.#database
            .prepare<string[], Row>(`SELECT id, owner_pid, owner_start FROM runs WHERE state IN (${marks})`)
            .all(...activeStates)
          const orphans = rows.filter((row) => !isAlive(ownerOf(row))).map((row) => String(row['id']))
          for (const id of orphans) this.#write(id, 'interrupted', { failure: orphaned })
          return orphans
        })
        .immediate(),
    )
  }

  #write(id: string, to: RunState, { record, failure }: RunChange): void {
    this.#database
      .prepare(
        `UPDATE runs SET state = @to,
           record = coalesce(@record, record), failure = coalesce(@failure, failure),
           size = coalesce(@size, size), hash = coalesce(@hash, hash),
           started_at = CASE WHEN @to = 'planning' THEN @now ELSE started_at END,
           finished_at = CASE WHEN @final THEN @now ELSE finished_at END
         WHERE id = @id`,
      )
      .run({
        id,
        to,
        record: record === undefined ? null : JSON.stringify(record),
        failure: failure === undefined ? null : JSON.stringify(failure),
        size: record === undefined ? null : sizeOf(record.outcome.result),
        hash: record?.hash ?? null,
        final: isFinal(to) ? 1 : 0,
        now: now(),
      })
  }

  #known(id: string): Run {
    const run = this.find(id)
    if (run === null) throw new Error(`run ${id} vanished`)
    return run
  }

  #ownerColumns(): [number, string | null] {
    return [this.#owner.pid, this.#owner.start]
  }

  #work<T>(work: () => T): T {
    return inLibrary(this.#database.name, work)
  }
}

const orphaned: FailureValue = {
  code: 'engine',
  what: 'the program ended before the run did',
  remedy: 'Go on with "anticlique run --resume" and its id.',
}

const now = (): string => new Date().toISOString()

const ownerOf = (row: Row): Owner => ({
  pid: Number(row['owner_pid']),
  start: row['owner_start'] === null ? null : String(row['owner_start']),
})

const parsed = (column: unknown): unknown => (typeof column === 'string' ? JSON.parse(column) : null)

function fromRow(row: Row): Run {
  const request = runSchema.shape.request.parse(parsed(row['request']))
  return runSchema.parse({
    id: row['id'],
    datasetId: row['dataset_id'],
    dataset: row['dataset_name'] ?? request.dataset,
    name: row['name'],
    state: row['state'],
    algorithm: row['algorithm'],
    request,
    record: parsed(row['record']),
    failure: parsed(row['failure']),
    size: row['size'],
    hash: row['hash'],
    createdAt: row['created_at'],
    startedAt: row['started_at'],
    finishedAt: row['finished_at'],
  })
}

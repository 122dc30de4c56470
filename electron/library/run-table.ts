import type Database from 'better-sqlite3'
import type { CallArgs } from '../contract/calls.ts'
import {
  DEFAULT_QUEUE_PRIORITY,
  isFinal,
  type Run,
  type RunRecord,
  type RunRequest,
  type RunState,
} from '../contract/run.ts'
import { Failure, type FailureValue } from '../../workers/base/failure.ts'
import { sizeOf } from '../../workers/contract/jobs.ts'
import { isAlive, thisOwner, type Owner } from './owner.ts'
import { devicesOf, fromRow, ownerOf, type Row } from './run-row.ts'
import { activeStates, isLegal, ofRun, orphaned } from './run-state.ts'
import { damagedRow, inLibrary } from './storage-failure.ts'

export interface NewRun {
  readonly id: string
  /** null while it is made. */
  readonly datasetId: number | null
  readonly name?: string | undefined
  readonly request: RunRequest
  /** 0 to 9; absent: 5. */
  readonly priority?: number | undefined
  /** By itself; absent: never. */
  readonly retries?: number | undefined
}

export interface RunChange {
  readonly record?: RunRecord | undefined
  readonly failure?: FailureValue | undefined
}

/** `heldBy`: of a device that it needs. */
export type Claim = { readonly run: Run } | { readonly heldBy: string } | { readonly gone: true }

const SELECT = `SELECT runs.*, datasets.name AS dataset_name FROM runs
  LEFT JOIN datasets ON datasets.id = runs.dataset_id`

/** A state machine in a table. The clock may be set back: the order of runs is that of their turns. */
export class RunTable {
  readonly #database: Database.Database
  readonly #owner: Owner

  constructor(database: Database.Database, owner: Owner = thisOwner()) {
    this.#database = database
    this.#owner = owner
  }

  list(): Run[] {
    return this.#work(() => this.#database.prepare<[], Row>(`${SELECT} ORDER BY runs.turn DESC`).all().map(fromRow))
  }

  find(id: string): Run | null {
    return this.#newest('runs.id = ?', id)
  }

  /** By id, its unique beginning, name (the newest), or "latest". @throws Failure (input) for none, or several */
  get(text: string): Run {
    const known = this.find(text) ?? this.#newest('runs.name = ?', text)
    if (known !== null) return known
    const newest = text === 'latest' ? this.#newest('? IS NOT NULL', text) : null
    if (newest !== null) return newest
    const beginning = text === '' ? [] : this.#beginning(text)
    if (beginning.length === 1) return this.#known(beginning[0]!)
    throw new Failure({
      code: 'input',
      what:
        beginning.length === 0 ? `the library has no run "${text}"` : `${beginning.length} runs begin with "${text}"`,
      remedy: '',
      fixes: [{ action: 'show', page: 'runs' }],
    })
  }

  #newest(condition: string, value: string): Run | null {
    return this.#work(() => {
      const row = this.#database
        .prepare<[string], Row>(`${SELECT} WHERE ${condition} ORDER BY runs.turn DESC LIMIT 1`)
        .get(value)
      return row === undefined ? null : fromRow(row)
    })
  }

  #beginning(text: string): string[] {
    return this.#work(() =>
      this.#database
        .prepare<[number, string], string>('SELECT id FROM runs WHERE substr(id, 1, ?) = ?')
        .pluck()
        .all(text.length, text),
    )
  }

  /** Queued, owned by this process. */
  insert({ id, datasetId, name, request, priority = DEFAULT_QUEUE_PRIORITY, retries = 0 }: NewRun): Run {
    const row = { id, datasetId, name: name ?? null, algorithm: request.algorithm, request: JSON.stringify(request) }
    return this.#work(() => {
      this.#database
        .prepare(
          `INSERT INTO runs (id, dataset_id, name, state, algorithm, request, owner_pid, owner_start, created_at,
             turn, queue_priority, retries)
           VALUES (@id, @datasetId, @name, 'queued', @algorithm, @request, @pid, @start, @now,
             (SELECT coalesce(max(turn), 0) + 1 FROM runs), @priority, @retries)`,
        )
        .run({ ...row, ...this.#owner, now: now(), priority, retries })
      return this.#known(id)
    })
  }

  /** Of this process, in the order of starting. */
  waiting(): Run[] {
    return this.#work(() =>
      this.#database
        .prepare<Owner, Row>(
          `${SELECT} WHERE state = 'queued' AND owner_pid = @pid AND owner_start IS @start
           ORDER BY queue_priority DESC, turn`,
        )
        .all(this.#owner)
        .map(fromRow),
    )
  }

  stateOf(id: string): RunState {
    return this.#known(id).state
  }

  /** To `planning`, with its devices, unless a run of a living process has one of them. */
  claim(id: string, devices: readonly string[]): Claim {
    return this.#work(() =>
      this.#database
        .transaction((): Claim => {
          if (this.#known(id).state !== 'queued') return { gone: true }
          const holder = this.#atWork().find((row) => devicesOf(row).some((device) => devices.includes(device)))
          if (holder !== undefined) return { heldBy: String(holder['id']) }
          this.#database
            .prepare('UPDATE runs SET devices = ?, attempts = attempts + 1 WHERE id = ?')
            .run(devices.join(','), id)
          this.#write(id, 'planning', {})
          return { run: this.#known(id) }
        })
        .immediate(),
    )
  }

  #atWork(): Row[] {
    return this.#database
      .prepare<[], Row>(
        `SELECT id, devices, owner_pid, owner_start FROM runs WHERE state IN ('planning', 'running', 'verifying')`,
      )
      .all()
      .filter((row) => isAlive(ownerOf(row)))
  }

  /** @throws Failure (usage) once it waits no more */
  prioritise(id: string, priority: number): Run {
    return this.#work(() => {
      const { changes } = this.#database
        .prepare(`UPDATE runs SET queue_priority = ? WHERE id = ? AND state = 'queued'`)
        .run(priority, id)
      const run = this.#known(id)
      if (changes > 0) return run
      throw new Failure({
        code: 'usage',
        where: id,
        what: `this run is ${run.state}, it does not wait`,
        remedy: 'Only runs that are queued have a place to change.',
      })
    })
  }

  /** An empty name is none. */
  annotate(id: string, { name, note, starred }: Omit<CallArgs<'runs.annotate'>, 'run'>): Run {
    return this.#work(() => {
      this.#database
        .prepare(
          `UPDATE runs SET name = CASE WHEN @name IS NULL THEN name ELSE nullif(@name, '') END,
             note = coalesce(@note, note), starred = coalesce(@starred, starred) WHERE id = @id`,
        )
        .run({ id, name: name ?? null, note: note ?? null, starred: starred === undefined ? null : Number(starred) })
      return this.#known(id)
    })
  }

  /** In one transaction. @throws Error on a transition that is not legal */
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

  /** It belongs to this process now. @param anew counts attempts from the start */
  requeue(id: string, anew = true): Run {
    return this.#work(() =>
      this.#database
        .transaction(() => {
          const { state } = this.#known(id)
          if (!isLegal(state, 'queued')) throw new Error(`run ${id} cannot go from ${state} to queued`)
          this.#database
            .prepare(
              `UPDATE runs SET state = 'queued', failure = NULL, record = NULL, finished_at = NULL,
                 attempts = CASE WHEN @anew THEN 0 ELSE attempts END,
                 owner_pid = @pid, owner_start = @start WHERE id = @id`,
            )
            .run({ id, anew: anew ? 1 : 0, ...this.#owner })
          return this.#known(id)
        })
        .immediate(),
    )
  }

  setDataset(id: string, datasetId: number): Run {
    return this.#work(() => {
      this.#database.prepare('UPDATE runs SET dataset_id = ? WHERE id = ?').run(datasetId, id)
      return this.#known(id)
    })
  }

  remove(id: string): void {
    this.#work(() => this.#database.prepare('DELETE FROM runs WHERE id = ?').run(id))
  }

  /** Returns their ids. */
  interruptOrphans(): string[] {
    return this.#work(() =>
      this.#database
        .transaction(() => {
          const marks = activeStates.map(() => '?').join(', ')
          const rows = this.#database
            .prepare<string[], Row>(`SELECT id, dataset_id, owner_pid, owner_start FROM runs WHERE state IN (${marks})`)
            .all(...activeStates)
          const orphans = rows.filter((row) => !isAlive(ownerOf(row)))
          for (const row of orphans) {
            const id = String(row['id'])
            // Cannot be resumed.
            this.#write(id, 'interrupted', { failure: row['dataset_id'] === null ? orphaned : ofRun(orphaned, id) })
          }
          return orphans.map((row) => String(row['id']))
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
           started_at = CASE WHEN @to = 'planning' THEN max(@now, created_at) ELSE started_at END,
           finished_at = CASE WHEN @final THEN max(@now, coalesce(started_at, created_at)) ELSE finished_at END
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
    if (run === null) throw damagedRow(`run ${id}`)
    return run
  }

  #work<T>(work: () => T): T {
    return inLibrary(this.#database.name, work)
  }
}

const now = (): string => new Date().toISOString()

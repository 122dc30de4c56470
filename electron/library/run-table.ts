/**
 * Runs as rows: states that only move as the contract allows, each move in one transaction that compares owner and state first, so that two
 * processes never move the same run. Order is by a number of the table, as clocks may be set back. A run is found by id, its beginning, its name
 * or "latest". contract/run.ts has the states, service/run-queue.ts takes runs in order.
 */

import type { CallArgs } from '../contract/calls.ts'
import {
  DEFAULT_QUEUE_PRIORITY,
  isFinal,
  legalTransitions,
  runSchema,
  runStates,
  type Run,
  type RunRecord,
  type RunState,
} from '../contract/run.ts'
import { type FailureValue, REPEAT, inputFailure, usageFailure } from '../../workers/base/failure.ts'
import { sizeOf } from '../../workers/contract/result.ts'
import { isAlive, ownerOf, thisOwner } from './owner.ts'
import { damagedRow, readRow } from './storage-failure.ts'
import { Table, type Row } from './table.ts'

type NewRun = Pick<CallArgs<'runs.start'>, 'name' | 'request' | 'priority' | 'retries'> & {
  readonly id: string
  /** null while it is made. */
  readonly datasetId: number | null
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
export class RunTable extends Table {
  readonly #owner = thisOwner()

  list(): Run[] {
    return this.all(`${SELECT} ORDER BY runs.turn DESC`).map(fromRow)
  }

  find(id: string): Run | null {
    return this.#newest('runs.id = ?', id)
  }

  /** A run by id, its unique beginning, name (the newest), or "latest". @throws Failure (input) for none, or several */
  get(text: string): Run {
    const known = this.find(text) ?? this.#newest('runs.name = ?', text)
    if (known !== null) return known
    const newest = text === 'latest' ? this.#newest('? IS NOT NULL', text) : null
    if (newest !== null) return newest
    const beginning = text === '' ? [] : this.all('SELECT id FROM runs WHERE substr(id, 1, ?) = ?', text.length, text)
    if (beginning.length === 1) return this.#known(String(beginning[0]!['id']))
    const what =
      beginning.length === 0 ? `the library has no run "${text}"` : `${beginning.length} runs begin with "${text}"`
    throw inputFailure(undefined, what, '', [{ action: 'show', page: 'runs' }])
  }

  #newest(condition: string, value: string): Run | null {
    const row = this.one(`${SELECT} WHERE ${condition} ORDER BY runs.turn DESC LIMIT 1`, value)
    return row === undefined ? null : fromRow(row)
  }

  /** Queued, owned by this process. */
  insert({ id, datasetId, name, request, priority = DEFAULT_QUEUE_PRIORITY, retries = 0 }: NewRun): Run {
    const asked = { algorithm: request.algorithm, request: JSON.stringify(request), priority, retries }
    this.run(
      `INSERT INTO runs (id, dataset_id, name, state, algorithm, request, owner_pid, owner_start, created_at, turn,
         queue_priority, retries)
       VALUES (@id, @datasetId, @name, 'queued', @algorithm, @request, @pid, @start, @now,
         (SELECT coalesce(max(turn), 0) + 1 FROM runs), @priority, @retries)`,
      { id, datasetId, name: name ?? null, ...asked, ...this.#owner, now: now() },
    )
    return this.#known(id)
  }

  /** Runs of this process that wait, in the order of starting. */
  waiting(): Run[] {
    return this.all(
      `${SELECT} WHERE state = 'queued' AND owner_pid = @pid AND owner_start IS @start
       ORDER BY queue_priority DESC, turn`,
      this.#owner,
    ).map(fromRow)
  }

  stateOf(id: string): RunState {
    return this.#known(id).state
  }

  /** Moves a run to `planning`, with its devices, unless a run of a living process has one of them. */
  claim(id: string, devices: readonly string[]): Claim {
    return this.inTransaction((): Claim => {
      if (this.#known(id).state !== 'queued') return { gone: true }
      const atWork = this.all(
        `SELECT id, devices, owner_pid, owner_start FROM runs WHERE state IN ('planning', 'running', 'verifying')`,
      )
      const holder = atWork.find(
        (row) => isAlive(ownerOf(row)) && devicesOf(row).some((device) => devices.includes(device)),
      )
      if (holder !== undefined) return { heldBy: String(holder['id']) }
      this.run('UPDATE runs SET devices = ?, attempts = attempts + 1 WHERE id = ?', devices.join(','), id)
      this.#write(id, 'planning', {})
      return { run: this.#known(id) }
    })
  }

  /** @throws Failure (usage) once it waits no more */
  prioritise(id: string, priority: number): Run {
    const change = `UPDATE runs SET queue_priority = ? WHERE id = ? AND state = 'queued'`
    const { changes } = this.run(change, priority, id)
    const run = this.#known(id)
    if (changes > 0) return run
    const remedy = 'Only runs that are queued have a place to change.'
    throw usageFailure(id, `this run is ${run.state}, it does not wait`, remedy)
  }

  /** An empty name is none. */
  annotate(id: string, { name, note, starred }: Omit<CallArgs<'runs.annotate'>, 'run'>): Run {
    this.run(
      `UPDATE runs SET name = CASE WHEN @name IS NULL THEN name ELSE nullif(@name, '') END,
         note = coalesce(@note, note), starred = coalesce(@starred, starred) WHERE id = @id`,
      { id, name: name ?? null, note: note ?? null, starred: starred === undefined ? null : Number(starred) },
    )
    return this.#known(id)
  }

  /** Moves a run to another state in one transaction. @throws Error on a transition that is not legal */
  move(id: string, to: RunState, change: RunChange = {}): Run {
    return this.#legally(id, to, () => this.#write(id, to, change))
  }

  /** It belongs to this process now. @param anew counts attempts from the start */
  requeue(id: string, anew = true): Run {
    return this.#legally(id, 'queued', () =>
      this.run(
        `UPDATE runs SET state = 'queued', failure = NULL, record = NULL, finished_at = NULL,
           attempts = CASE WHEN @anew THEN 0 ELSE attempts END,
           owner_pid = @pid, owner_start = @start WHERE id = @id`,
        { id, anew: anew ? 1 : 0, ...this.#owner },
      ),
    )
  }

  #legally(id: string, to: RunState, write: () => unknown): Run {
    return this.inTransaction(() => {
      const { state } = this.#known(id)
      if (!legalTransitions[state].includes(to)) throw new Error(`run ${id} cannot go from ${state} to ${to}`)
      write()
      return this.#known(id)
    })
  }

  setDataset(id: string, datasetId: number): Run {
    this.run('UPDATE runs SET dataset_id = ? WHERE id = ?', datasetId, id)
    return this.#known(id)
  }

  remove(id: string): void {
    this.run('DELETE FROM runs WHERE id = ?', id)
  }

  /** Returns their ids. */
  interruptOrphans(): string[] {
    return this.inTransaction(() => {
      const activeStates = runStates.filter((state) => !isFinal(state))
      const marks = activeStates.map(() => '?').join(', ')
      const select = `SELECT id, dataset_id, owner_pid, owner_start FROM runs WHERE state IN (${marks})`
      const orphans = this.all(select, ...activeStates).filter((row) => !isAlive(ownerOf(row)))
      return orphans.map((row) => {
        const id = String(row['id'])
        // Cannot be resumed.
        this.#write(id, 'interrupted', { failure: row['dataset_id'] === null ? orphaned : ofRun(orphaned, id) })
        return id
      })
    })
  }

  #write(id: string, to: RunState, { record, failure }: RunChange): void {
    this.run(
      `UPDATE runs SET state = @to,
         record = coalesce(@record, record), failure = coalesce(@failure, failure),
         hash = coalesce(@hash, hash),
         started_at = CASE WHEN @to = 'planning' THEN max(@now, created_at) ELSE started_at END,
         finished_at = CASE WHEN @final THEN max(@now, coalesce(started_at, created_at)) ELSE finished_at END
       WHERE id = @id`,
      {
        ...{ id, to, final: isFinal(to) ? 1 : 0, now: now() },
        record: record === undefined ? null : JSON.stringify(record),
        failure: failure === undefined ? null : JSON.stringify(failure),
        hash: record?.hash ?? null,
      },
    )
  }

  #known(id: string): Run {
    const run = this.find(id)
    if (run === null) throw damagedRow(`run ${id}`)
    return run
  }
}

/** The failure of a run that is kept: to repeat it is to resume this run. */
export const ofRun = (failure: FailureValue, run: string): FailureValue => ({
  ...failure,
  fixes: failure.fixes?.map((fix) => (fix.action === 'repeat' ? { action: 'resume', run } : fix)),
})

const ended = 'the program ended before the run did'
const orphaned: FailureValue = { code: 'engine', what: ended, remedy: '', fixes: [REPEAT] }

const now = (): string => new Date().toISOString()

const parsed = (column: unknown): unknown => (typeof column === 'string' ? JSON.parse(column) : null)

const devicesOf = ({ devices }: Row): string[] => (typeof devices === 'string' ? devices.split(',') : [])

/** `dataset_name` is today's. */
const fromRow = (row: Row): Run =>
  readRow(`run ${String(row['id'])}`, () => {
    const request = runSchema.shape.request.parse(parsed(row['request']))
    const { queue_priority: priority, retries, attempts } = row
    const run = runSchema.parse({
      ...row,
      datasetId: row['dataset_id'],
      dataset: row['dataset_name'] ?? request.dataset,
      starred: row['starred'] === 1,
      request,
      queue: { priority, retries, attempts, devices: row['devices'] === null ? null : devicesOf(row) },
      record: parsed(row['record']),
      failure: parsed(row['failure']),
      createdAt: row['created_at'],
      startedAt: row['started_at'],
      finishedAt: row['finished_at'],
    })
    // The column takes whole numbers alone, and an energy may be none.
    return { ...run, size: run.record && sizeOf(run.record.outcome.result) }
  })

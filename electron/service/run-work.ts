/**
 * One attempt of a run: planning, computing by an engine, verifying, and the end with its result or failure; then its retries. Arguments are
 * made from the request and the dataset, and a resumed run takes its checkpoint. It reports every state, and sweeps what killed engines left.
 * run-queue.ts says when a run starts, runs.ts has the calls.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredDataset as Dataset } from '../contract/dataset.ts'
import { type Run, type RunState, isFinal } from '../contract/run.ts'
import { RUN_RECORD, sweepLeftovers } from '../library/leftovers.ts'
import type { Library } from '../library/library.ts'
import { ofRun, type RunChange } from '../library/run-table.ts'
import { patiently } from '../library/storage-failure.ts'
import { Failure, type FailureValue, valueOf } from '../../workers/base/failure.ts'
import { throwIfCancelled, type StopSignal, type Progress } from '../../workers/base/job.ts'
import { writeAside } from '../../workers/base/output-file.ts'
import { ALL_RANKS, type AcrossArgs, type RunArgs, type RunOutcome } from '../../workers/contract/jobs.ts'
import type { JobRunner } from '../pool/pool.ts'
import type { Listeners } from './listeners.ts'
import { ProgressLog, checkpointFile, progressFile, readSamples, recordOf, timelineFile } from './run-history.ts'
import type { ProgressSample } from '../contract/work.ts'
import type { RunFile } from './run-inputs.ts'

export interface ActiveRun {
  readonly id: string
  /** null until `file` has become it. */
  dataset: Dataset | null
  readonly file?: RunFile | undefined
  readonly signal: StopSignal
  resume: boolean
  readonly across?: AcrossArgs | undefined
}

/** All others are `failed`. */
const ends: Partial<Record<Failure['code'], RunState>> = {
  cancelled: 'cancelled',
  engine: 'interrupted',
  lost: 'interrupted',
}
const MEND_MS = 2000

export class RunWork {
  readonly #library: Library
  readonly #runner: JobRunner
  readonly #listeners: Listeners
  readonly #logs = new Map<string, ProgressLog>()
  /** The disk is full, or the library held for too long. */
  readonly #unwritten = new Map<string, { readonly run: Run; readonly change: RunChange }>()
  #mending: NodeJS.Timeout | undefined

  constructor(library: Library, runner: JobRunner, listeners: Listeners) {
    this.#library = library
    this.#runner = runner
    this.#listeners = listeners
  }

  /** Tries a run in state `planning`. @throws only bugs, or for a library that cannot be read */
  async attempt(run: Run, active: ActiveRun): Promise<Run> {
    try {
      throwIfCancelled(active.signal)
      const outcome = await this.#outcome(run, active)
      return await this.#finish(run.id, active.dataset!, outcome)
    } catch (error) {
      return await this.fail(run.id, error, active)
    } finally {
      this.#sweep(run.id)
    }
  }

  /** Removes what engines left that were killed. */
  #sweep(id: string): void {
    const folder = this.#library.runFolder(id)
    try {
      if (existsSync(folder)) sweepLeftovers(folder)
    } catch {
      // Swept at the next start.
    }
  }

  /** @throws the error again where it is a bug */
  async fail(id: string, error: unknown, active?: ActiveRun): Promise<Run> {
    if (error instanceof Failure) {
      const value = active?.across === undefined ? error.toValue() : amongRanks(error.toValue())
      // Cannot be resumed.
      const failure = active?.dataset === null ? value : ofRun(value, id)
      return this.#end(id, ends[value.code] ?? 'failed', { failure })
    }
    await this.#end(id, 'failed', { failure: valueOf(error, 'This is a bug; please report it.') })
    throw error
  }

  /** Events go out even where the library cannot take it yet. */
  async #end(id: string, to: RunState, change: RunChange): Promise<Run> {
    try {
      return await this.move(id, to, change)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'storage') throw error
      const end = { state: to, failure: change.failure ?? null, finishedAt: new Date().toISOString() }
      const run = { ...this.#library.runs.get(id), ...end }
      this.#unwritten.set(id, { run, change })
      this.#mending ??= setInterval(() => this.mend(), MEND_MS).unref()
      return this.tell(run)
    }
  }

  /** A run as it ended, even if the library does not know yet. */
  asEnded(run: Run): Run {
    return this.#unwritten.get(run.id)?.run ?? run
  }

  /** A run that ends with its program is marked at the next start. */
  mend(): void {
    for (const [id, { run, change }] of this.#unwritten)
      try {
        // The last writes of a transaction may fail behind its commit, and a run may be removed meanwhile.
        if (!isFinal(this.#library.runs.find(id)?.state ?? run.state)) this.#library.runs.move(id, run.state, change)
        this.#unwritten.delete(id)
      } catch {
        return
      }
    clearInterval(this.#mending)
    this.#mending = undefined
  }

  /** @throws Failure (storage) when another program holds the library for too long */
  move(id: string, to: RunState, change: RunChange = {}): Promise<Run> {
    return patiently(() => this.tell(this.#library.runs.move(id, to, change)))
  }

  /** @throws Failure (storage) */
  requeue(id: string): Promise<Run> {
    return patiently(() => this.tell(this.#library.runs.requeue(id, false)))
  }

  tell(run: Run): Run {
    this.#listeners.tell({ type: 'run-changed', run })
    return run
  }

  async #outcome(run: Run, active: ActiveRun): Promise<RunOutcome> {
    const { file } = active
    const early = file === undefined || file.isOver ? null : await this.#besideCheck(run, active, file)
    if (early !== null) return early
    if (active.dataset === null && file !== undefined) this.#enter(active, await file.dataset())
    return this.#compute(run, active, this.#library.place(active.dataset!))
  }

  /** null where the file is not canonical: the result means nothing. */
  async #besideCheck(run: Run, active: ActiveRun, file: RunFile): Promise<RunOutcome | null> {
    const { folder, dataset: linked } = file.begin()
    let isOver = false
    const signal: StopSignal = {
      get aborted() {
        return isOver || active.signal.aborted
      },
      get enough() {
        return active.signal.enough
      },
    }
    const place = { folder, checksum: '', unchecked: { source: file.source }, checkpointFile: undefined }
    const computing = this.#compute(run, { signal, resume: false }, place)
    // The check has the first word.
    computing.catch(() => {})
    try {
      const dataset = await linked
      if (dataset === null) return null
      this.#enter(active, dataset)
      return await computing
    } finally {
      isOver = true
      await computing.catch(() => {})
    }
  }

  #enter(active: ActiveRun, dataset: Dataset): void {
    active.dataset = dataset
    this.tell(this.#library.runs.setDataset(active.id, dataset.id))
  }

  async #compute(
    run: Run,
    { signal, resume, across }: Pick<ActiveRun, 'signal' | 'resume' | 'across'>,
    place: Pick<RunArgs, 'folder' | 'checksum' | 'unchecked' | 'checkpointFile'>,
  ): Promise<RunOutcome> {
    const { dataset: _name, ...options } = run.request
    const args: RunArgs = {
      ...options,
      // `auto` resolved.
      device: run.request.device === 'auto' ? (run.queue.devices ?? ['auto']).join(',') : run.request.device,
      resultFile: this.#library.resultFile(run),
      checkpointFile: checkpointFile(this.#library, run.id),
      ...place,
      timelineFile: timelineFile(this.#library, run.id),
      resume,
      across,
    }
    const log = new ProgressLog(progressFile(this.#library, run.id), resume)
    // Each try would stop this process for a while.
    let isHeld = false
    const progress = (step: Progress): void => {
      isHeld ||= !this.#follow(run.id, step)
      log.add(step)
      this.#listeners.tell({ type: 'progress', subject: 'run', of: run.id, progress: step })
    }
    this.#logs.set(run.id, log)
    try {
      const outcome = await this.#runner.run('run', args, { signal, progress, log: () => {} })
      return outcome.resumed === undefined ? outcome : { ...outcome, waited: log.waited() }
    } finally {
      this.#logs.delete(run.id)
      log.save()
    }
  }

  /** Progress so far, up to a few seconds ago for a run of another process. */
  progress(id: string): readonly ProgressSample[] {
    return this.#logs.get(id)?.samples ?? readSamples(progressFile(this.#library, id))
  }

  /** @returns false where the library cannot be written */
  #follow(id: string, { phase }: Progress): boolean {
    if (phase === 'plan') return true
    try {
      for (const state of this.#statesUpTo(id, phase === 'verify' ? 'verifying' : 'running'))
        this.tell(this.#library.runs.move(id, state))
      return true
    } catch (error) {
      if (error instanceof Failure && error.code === 'storage') return false
      throw error
    }
  }

  /** None where it is there or past it. */
  #statesUpTo(id: string, to: 'running' | 'verifying'): readonly RunState[] {
    const way: readonly RunState[] = ['planning', 'running', 'verifying']
    return way.slice(way.indexOf(this.#library.runs.stateOf(id)) + 1, way.indexOf(to) + 1)
  }

  async #finish(id: string, dataset: Dataset, outcome: RunOutcome): Promise<Run> {
    for (const state of this.#statesUpTo(id, outcome.verification === null ? 'running' : 'verifying'))
      await this.move(id, state)
    const record = recordOf(this.#library.runs.get(id), dataset, outcome, this.#library.runFolder(id))
    const file = join(this.#library.runFolder(id), RUN_RECORD)
    writeAside(file, [Buffer.from(`${JSON.stringify(record, finite, 2)}\n`)])
    if (outcome.verification?.verified !== false) return this.move(id, 'done', { record })
    const failure = {
      code: 'verification',
      where: id,
      what: outcome.verification.sentence,
      remedy: 'This result must not be used; please report the run with its record.',
    } as const
    return this.move(id, 'failed', { record, failure })
  }
}

/** JSON would have null in its place, and the run be read as damaged. */
function finite(name: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new Error(`"${name}" of the result is ${value}`)
}

/** Whether a person asked a launcher to end its job, or one of its processes had ended, the ranks know only together. */
const amongRanks = (value: FailureValue): FailureValue =>
  value.code === 'cancelled' && value.where !== ALL_RANKS
    ? { ...value, code: 'lost', what: 'the launcher ended this run before its ranks could agree to stop' }
    : value

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredDataset as Dataset } from '../contract/dataset.ts'
import type { Run, RunState } from '../contract/run.ts'
import { sweepLeftovers } from '../library/leftovers.ts'
import type { Library } from '../library/library.ts'
import { ofRun } from '../library/run-state.ts'
import type { RunChange } from '../library/run-table.ts'
import { inLibrary, isLocked } from '../library/storage-failure.ts'
import { writeWhole } from '../library/whole-file.ts'
import { Failure } from '../../workers/base/failure.ts'
import type { StopSignal, Progress } from '../../workers/base/job.ts'
import { throwIfCancelled } from '../../workers/base/job.ts'
import type { AcrossArgs, RunArgs, RunOutcome } from '../../workers/contract/jobs.ts'
import type { JobRunner } from './job-runner.ts'
import type { Listeners } from './listeners.ts'
import { ProgressLog } from './progress-log.ts'
import { resultFile } from './result-file.ts'
import { progressFile, timelineFile } from './run-history.ts'
import type { RunFile } from './run-file.ts'
import type { RunHistory } from './run-history.ts'
import { recordOf } from './run-record.ts'

/** A run of this process, from the moment that it is queued to its end. */
export interface ActiveRun {
  readonly id: string
  /** null until `file` has become it. */
  dataset: Dataset | null
  readonly file?: RunFile | undefined
  readonly signal: StopSignal
  /** Whether there may be a checkpoint to go on from. */
  resume: boolean
  readonly across?: AcrossArgs | undefined
}

/** The state that a failure ends a run with; all others are `failed`. What was interrupted can be gone on with. */
const ends: Partial<Record<Failure['code'], RunState>> = {
  cancelled: 'cancelled',
  engine: 'interrupted',
  lost: 'interrupted',
}
/** A library that another program holds is asked again this often, and given up after this long. */
const LOCKED_RETRY_MS = 250
const LOCKED_PATIENCE_MS = 60_000
/** How often to try to write the ends that did not get into the library. */
const MEND_MS = 2000

/** Takes claimed runs through their states in the library, while the engine computes. */
export class RunWork {
  readonly #library: Library
  readonly #runner: JobRunner
  readonly #listeners: Listeners
  readonly #history: RunHistory
  /** Ends that the library did not take: its disk is full, or it is held for too long. */
  readonly #unwritten = new Map<string, { readonly run: Run; readonly change: RunChange }>()
  #mending: NodeJS.Timeout | undefined

  constructor(library: Library, runner: JobRunner, listeners: Listeners, history: RunHistory) {
    this.#library = library
    this.#runner = runner
    this.#listeners = listeners
    this.#history = history
  }

  /** One attempt at a run that is in state `planning`. Returns the run in its final state. @throws only what is a bug, or a library that cannot even be read */
  async attempt(run: Run, active: ActiveRun): Promise<Run> {
    try {
      throwIfCancelled(active.signal)
      const outcome = await this.#outcome(run, active)
      return await this.#finish(run.id, active.dataset!, outcome)
    } catch (error) {
      return await this.fail(run.id, error, active.dataset !== null)
    } finally {
      this.#sweep(run.id)
    }
  }

  #checkpointFile(id: string): string {
    return join(this.#library.runFolder(id), 'states.checkpoint')
  }

  /** Takes away what engines that were killed, now or in an earlier attempt, had half written. */
  #sweep(id: string): void {
    const folder = this.#library.runFolder(id)
    try {
      if (existsSync(folder)) sweepLeftovers(folder)
    } catch {
      // The next start does it.
    }
  }

  /** Ends a run with a failure. @throws the error again where it is a bug, once the run has failed */
  async fail(id: string, error: unknown, hasDataset = true): Promise<Run> {
    if (error instanceof Failure) {
      const value = error.toValue()
      // Without a dataset there is nothing to resume.
      const failure = hasDataset ? ofRun(value, id) : value
      return this.#end(id, ends[error.code] ?? 'failed', { failure })
    }
    const what = error instanceof Error ? error.message : String(error)
    await this.#end(id, 'failed', { failure: { code: 'fault', what, remedy: 'This is a bug; please report it.' } })
    throw error
  }

  /** Ends a run. Where the library cannot take that, everybody hears of it all the same, and the library once it can. */
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

  /** A run of the library as it ended, also where the library does not know yet. */
  asEnded(run: Run): Run {
    return this.#unwritten.get(run.id)?.run ?? run
  }

  /** Writes the ends that the library did not take; a run that ends with its program is marked at the next start. */
  mend(): void {
    for (const [id, { run, change }] of this.#unwritten)
      try {
        this.#library.runs.move(id, run.state, change)
        this.#unwritten.delete(id)
      } catch {
        return
      }
    clearInterval(this.#mending)
    this.#mending = undefined
  }

  /** Moves a run. @throws Failure (storage) when another program holds the library for too long */
  move(id: string, to: RunState, change: RunChange = {}): Promise<Run> {
    return patiently(() => this.tell(this.#library.runs.move(id, to, change)))
  }

  /** Queues a run that was interrupted once more. @throws Failure (storage) as `move` does */
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

  /** Computes while the file is checked. null where it turns out not to be canonical: what was computed on it means nothing. */
  async #besideCheck(run: Run, active: ActiveRun, file: RunFile): Promise<RunOutcome | null> {
    const { folder, dataset: linked } = file.begin()
    const stop = new AbortController()
    const signal: StopSignal = {
      get aborted() {
        return active.signal.aborted || stop.signal.aborted
      },
    }
    const place = { folder, checksum: '', unchecked: { source: file.source }, checkpointFile: undefined }
    const computing = this.#compute(run, { signal, resume: false }, place)
    // It may fail while the check goes on, which has the first word.
    computing.catch(() => {})
    try {
      const dataset = await linked
      if (dataset === null) return null
      this.#enter(active, dataset)
      return await computing
    } finally {
      stop.abort()
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
      // The devices that the queue keeps for it, with `auto` resolved.
      device: run.request.device === 'auto' ? (run.queue.devices ?? ['auto']).join(',') : run.request.device,
      resultFile: resultFile(this.#library, run),
      checkpointFile: this.#checkpointFile(run.id),
      ...place,
      timelineFile: timelineFile(this.#library, run.id),
      resume,
      across,
    }
    const log = new ProgressLog(progressFile(this.#library, run.id), resume)
    // A library that cannot be written is not tried time and again: each time this process would stand still.
    let isHeld = false
    const progress = (step: Progress): void => {
      isHeld ||= !this.#follow(run.id, step)
      log.add(step)
      this.#listeners.tell({ type: 'progress', subject: 'run', of: run.id, progress: step })
    }
    return this.#history.keep(run.id, log, () => this.#runner.run('run', args, { signal, progress, log: () => {} }))
  }

  /** Moves a run to the state that its progress shows; false where the library cannot be written: the end of the run makes up for it. */
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

  /** The states between that of the run and this one; none where it is there already or past it. */
  #statesUpTo(id: string, to: 'running' | 'verifying'): readonly RunState[] {
    const way: readonly RunState[] = ['planning', 'running', 'verifying']
    return way.slice(way.indexOf(this.#library.runs.stateOf(id)) + 1, way.indexOf(to) + 1)
  }

  async #finish(id: string, dataset: Dataset, outcome: RunOutcome): Promise<Run> {
    for (const state of this.#statesUpTo(id, outcome.verification === null ? 'running' : 'verifying'))
      await this.move(id, state)
    const record = recordOf(this.#library.runs.get(id), dataset, outcome)
    const file = join(this.#library.runFolder(id), 'record.json')
    inLibrary(file, () => writeWhole(file, `${JSON.stringify(record, null, 2)}\n`))
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

/** Writes to the library, and waits for it while another program holds it. */
async function patiently<T>(write: () => T): Promise<T> {
  const startMs = performance.now()
  for (;;) {
    try {
      return write()
    } catch (error) {
      if (!isLocked(error) || performance.now() - startMs > LOCKED_PATIENCE_MS) throw error
      await new Promise((resolve) => setTimeout(resolve, LOCKED_RETRY_MS))
    }
  }
}

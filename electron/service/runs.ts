import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dataset } from '../contract/dataset.ts'
import { isFinal } from '../contract/run.ts'
import type { Run, RunRecord, RunRequest, RunState } from '../contract/run.ts'
import type { Library } from '../library/library.ts'
import type { RunChange } from '../library/run-table.ts'
import { inLibrary } from '../library/storage-failure.ts'
import { Failure } from '../../workers/failure.ts'
import { throwIfCancelled } from '../../workers/job.ts'
import type { Progress } from '../../workers/job.ts'
import type { RunOutcome } from '../../workers/jobs.ts'
import type { JobRunner } from './job-runner.ts'
import type { Listeners } from './listeners.ts'
import { newRunId } from './run-id.ts'
import { keepLists } from './run-lists.ts'
import { versions } from './versions.ts'

interface ActiveRun {
  readonly stop: AbortController
  readonly end: Promise<Run>
}

/** Starts, follows and ends runs, one at a time in the order in which they were asked for. */
export class Runs {
  readonly #library: Library
  readonly #runner: JobRunner
  readonly #listeners: Listeners
  readonly #active = new Map<string, ActiveRun>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(library: Library, runner: JobRunner, listeners: Listeners) {
    this.#library = library
    this.#runner = runner
    this.#listeners = listeners
  }

  /** Queues a run. @throws Failure (input) when there is no such dataset or a list cannot be read. */
  start(request: RunRequest, name?: string): Run {
    const dataset = this.#library.datasets.get(request.dataset)
    const id = newRunId()
    const folder = this.#library.runFolder(id)
    let run: Run
    try {
      inLibrary(folder, () => mkdirSync(folder, { recursive: true }))
      keepLists(request, folder)
      run = this.#library.runs.insert({ id, datasetId: dataset.id, name, request })
    } catch (error) {
      this.#library.discard(folder)
      throw error
    }
    this.#queue(run, dataset, false)
    return run
  }

  /** Queues a run that was interrupted, cancelled or failed again. @throws Failure (usage) for any other, or without its dataset. */
  resume(text: string): Run {
    const known = this.#library.runs.get(text)
    if (known.state === 'done' || !isFinal(known.state))
      throw new Failure({
        code: 'usage',
        where: known.id,
        what: `this run is ${known.state}, there is nothing to go on with`,
        remedy: 'See "anticlique runs" for those that were interrupted.',
      })
    const dataset = this.#library.datasets.find(known.dataset)
    if (dataset === null || dataset.id !== known.datasetId)
      throw new Failure({
        code: 'input',
        where: known.id,
        what: 'the dataset of this run was removed',
        remedy: 'Import it again and start a new run.',
      })
    const run = this.#library.runs.requeue(known.id)
    this.#queue(run, dataset, true)
    return run
  }

  #queue(run: Run, dataset: Dataset, resume: boolean): void {
    this.#tell(run)
    const stop = new AbortController()
    const end = this.#last.then(() => this.#work(run, dataset, stop.signal, resume))
    this.#active.set(run.id, { stop, end })
    this.#last = end.catch(() => {}).finally(() => this.#active.delete(run.id))
  }

  /** The run at its end. @throws only what is a bug; a run that fails is a run with a failure. */
  async wait(text: string): Promise<Run> {
    const run = this.#library.runs.get(text)
    return (await this.#active.get(run.id)?.end) ?? run
  }

  /** Asks a run of this process to stop, and waits until it has. @throws Failure (usage) for another process's run. */
  async cancel(text: string): Promise<Run> {
    const run = this.#library.runs.get(text)
    const active = this.#active.get(run.id)
    if (active !== undefined) {
      active.stop.abort()
      return active.end
    }
    if (isFinal(run.state)) return run
    throw new Failure({
      code: 'usage',
      where: run.id,
      what: 'this run belongs to another Anticlique that is running now',
      remedy: 'Cancel it there.',
    })
  }

  /** Asks every run to stop, and waits until all have. */
  async cancelAll(): Promise<void> {
    for (const { stop } of this.#active.values()) stop.abort()
    await this.#last
  }

  /** @throws Failure (usage) while it is not finished. */
  remove(text: string): Run {
    const run = this.#library.runs.get(text)
    if (!isFinal(run.state))
      throw new Failure({ code: 'usage', where: run.id, what: `this run is ${run.state}`, remedy: 'Cancel it first.' })
    this.#library.runs.remove(run.id)
    this.#library.discard(this.#library.runFolder(run.id))
    this.#listeners.tell({ type: 'run-removed', run: run.id })
    return run
  }

  async #work(run: Run, dataset: Dataset, signal: AbortSignal, resume: boolean): Promise<Run> {
    try {
      throwIfCancelled(signal)
      this.#move(run.id, 'planning')
      const outcome = await this.#compute(run, dataset, signal, resume)
      return this.#finish(run.id, dataset, outcome)
    } catch (error) {
      return this.#fail(run.id, error)
    }
  }

  async #compute(run: Run, dataset: Dataset, signal: AbortSignal, resume: boolean): Promise<RunOutcome> {
    const { dataset: _name, ...options } = run.request
    const args = {
      ...options,
      folder: this.#library.datasetFolder(dataset),
      checksum: dataset.checksum,
      resultFile: this.#library.setFile(run.id),
      checkpointFile: join(this.#library.runFolder(run.id), 'states.checkpoint'),
      resume,
    }
    const progress = (step: Progress): void => this.#follow(run.id, step)
    return this.#runner.run('run', args, { signal, progress, log: () => {} })
  }

  #follow(id: string, progress: Progress): void {
    if (progress.phase !== 'plan') this.#advance(id, progress.phase === 'verify' ? 'verifying' : 'running')
    this.#listeners.tell({ type: 'progress', subject: 'run', of: id, progress })
  }

  /** Moves forward to a state through those before it; stays where the run is already there or past it. */
  #advance(id: string, to: 'running' | 'verifying'): void {
    const way: readonly RunState[] = ['planning', 'running', 'verifying']
    const from = way.indexOf(this.#library.runs.get(id).state)
    for (const state of way.slice(from + 1, way.indexOf(to) + 1)) this.#move(id, state)
  }

  #finish(id: string, dataset: Dataset, outcome: RunOutcome): Run {
    this.#advance(id, outcome.verification === null ? 'running' : 'verifying')
    const run = this.#library.runs.get(id)
    const record = recordOf(run, dataset, outcome)
    const file = join(this.#library.runFolder(id), 'record.json')
    inLibrary(file, () => writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`))
    if (outcome.verification?.verified !== false) return this.#move(id, 'done', { record })
    const failure = {
      code: 'verification',
      where: id,
      what: outcome.verification.sentence,
      remedy: 'This set must not be used; please report the run with its record.',
    } as const
    return this.#move(id, 'failed', { record, failure })
  }

  #fail(id: string, error: unknown): Run {
    if (!(error instanceof Failure)) {
      const what = error instanceof Error ? error.message : String(error)
      this.#move(id, 'failed', { failure: { code: 'fault', what, remedy: 'This is a bug; please report it.' } })
      throw error
    }
    const ends: Partial<Record<Failure['code'], RunState>> = { cancelled: 'cancelled', engine: 'interrupted' }
    return this.#move(id, ends[error.code] ?? 'failed', { failure: error.toValue() })
  }

  #move(id: string, to: RunState, change: RunChange = {}): Run {
    return this.#tell(this.#library.runs.move(id, to, change))
  }

  #tell(run: Run): Run {
    this.#listeners.tell({ type: 'run-changed', run })
    return run
  }
}

function recordOf(run: Run, dataset: Dataset, outcome: RunOutcome): RunRecord {
  const { name, checksum, vertices, arcs, maxDegree, source, report } = dataset
  return {
    record: 1,
    run: run.id,
    name: run.name,
    dataset: { name, checksum, vertices, arcs, maxDegree, source, sourceSha256: report.sourceSha256 },
    request: run.request,
    outcome,
    hash: outcome.result.hash,
    versions: versions(),
    startedAt: run.startedAt ?? run.createdAt,
    finishedAt: new Date().toISOString(),
  }
}

/**
 * The calls about runs: start, cancel, end early, resume, delete, list, compare, and the queue behind them. A run gets its folder first, whose
 * name is its id, then its row. Runs of other processes are shown and may be cancelled through the library. run-queue.ts takes them in order,
 * run-work.ts does one.
 */

import type { StoredDataset as Dataset } from '../contract/dataset.ts'
import type { CallArgs, Handlers } from '../contract/calls.ts'
import { isFinal, type Run } from '../contract/run.ts'
import type { Library } from '../library/library.ts'
import { inLibrary } from '../library/storage-failure.ts'
import { Failure, REPEAT, usageFailure, inputFailure } from '../../workers/base/failure.ts'
import { quietJob, type StopSignal } from '../../workers/base/job.ts'
import type { AcrossArgs } from '../../workers/contract/jobs.ts'
import type { MachineDevices } from './machine-devices.ts'
import type { JobRunner } from '../pool/pool.ts'
import type { Listeners } from './listeners.ts'
import type { Datasets } from './datasets.ts'
import { RunFile, keepLists } from './run-inputs.ts'
import { readTimeline, timelineFile, writtenAt } from './run-history.ts'
import { RunQueue } from './run-queue.ts'
import { RunWork, type ActiveRun } from './run-work.ts'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

interface Followed extends ActiveRun {
  readonly signal: StopSignal & { enough: boolean }
  isAtWork: boolean
  readonly stop: AbortController
  readonly end: PromiseWithResolvers<Run>
}

type Enqueued = Pick<CallArgs<'runs.start'>, 'source' | 'across'> & {
  readonly resume: boolean
  /** It ends with what it found before. */
  readonly finish?: boolean
}

export class Runs {
  readonly #library: Library
  readonly #listeners: Listeners
  readonly #work: RunWork
  readonly #queue: RunQueue
  readonly #devices: MachineDevices
  readonly #importer: Datasets
  /** The rest is in the library. */
  readonly #active = new Map<string, Followed>()

  constructor(library: Library, runner: JobRunner, listeners: Listeners, importer: Datasets, devices: MachineDevices) {
    this.#library = library
    this.#importer = importer
    this.#listeners = listeners
    this.#work = new RunWork(library, runner, listeners)
    this.#devices = devices
    this.#queue = new RunQueue({
      waiting: () => library.runs.waiting().filter(({ id }) => this.#active.has(id)),
      resolveAuto: (run) => devices.autoFor(run, () => this.#active.get(run.id)?.file?.dataset()),
      claim: (id, devices) => library.runs.claim(id, devices),
      work: (run) => this.#attempt(run),
      refuse: (run, error) => this.#refuse(run.id, error),
      abandon: (error) => this.#abandon(error),
    })
  }

  readonly calls: Handlers<'runs.'> = {
    'runs.start': async (order) => ({ run: this.#start(order) }),
    'runs.resume': async ({ run, across, finish }) => ({ run: this.#resume(run, across, finish) }),
    'runs.checkpoint': async ({ run }) => ({ writtenAt: writtenAt(this.#library, this.#library.runs.get(run).id) }),
    'runs.prioritise': async ({ run: text, priority }) => {
      const run = this.#library.runs.prioritise(this.#library.runs.get(text).id, priority)
      this.#queue.look()
      return { run: this.#work.tell(run) }
    },
    'runs.progress': async ({ run }) => ({ samples: [...this.#work.progress(this.#library.runs.get(run).id)] }),
    'runs.trace': async ({ run }) => ({
      lanes: readTimeline(timelineFile(this.#library, this.#library.runs.get(run).id)),
    }),
    /** A failed run is a run with a failure. */
    'runs.wait': async ({ run: text }) => {
      const run = this.#get(text)
      return { run: (await this.#active.get(run.id)?.end.promise) ?? run }
    },
    'runs.list': async () => ({ runs: this.#library.runs.list().map((run) => this.#work.asEnded(run)) }),
    'runs.get': async ({ run }) => ({ run: this.#get(run) }),
    'runs.annotate': async ({ run, ...notes }) => ({
      run: this.#work.tell(this.#library.runs.annotate(this.#library.runs.get(run).id, notes)),
    }),
    'runs.finish': async ({ run }) => ({ run: this.#finish(run) }),
    'runs.cancel': async ({ run }) => ({ run: await this.cancel(run) }),
    'runs.remove': async ({ run }) => ({ run: this.#remove(run) }),
    'runs.record': async ({ run: text }) => {
      const { id, record, state } = this.#library.runs.get(text)
      if (record !== null) return { record }
      throw usageFailure(id, `this run is ${state} and has no record`, 'Only runs that came to a result have one.')
    },
  }

  /** @throws Failure (input) without such a dataset or list */
  #start({ request, name, priority, retries, source, across }: CallArgs<'runs.start'>): Run {
    const dataset = source === undefined ? this.#library.datasets.get(request.dataset) : null
    const { id, folder } = inLibrary(this.#library.folder, () =>
      newRunFolder((drawn) => this.#library.runFolder(drawn)),
    )
    let run: Run
    try {
      keepLists(request, folder)
      run = this.#library.runs.insert({ id, datasetId: dataset?.id ?? null, name, request, priority, retries })
    } catch (error) {
      this.#library.discard(folder)
      throw error
    }
    return this.#enqueue(run, dataset, { resume: false, source, across })
  }

  /** @throws Failure (usage) unless it ended without a result and has its dataset */
  #resume(text: string, across?: AcrossArgs, finish = false): Run {
    this.#work.mend()
    const known = this.#library.runs.get(text)
    if (known.state === 'done' || !isFinal(known.state))
      throw usageFailure(known.id, `this run is ${known.state}, there is nothing to resume`, '', [
        { action: 'show', page: 'runs' },
      ])
    const dataset = this.#library.datasets.find(known.dataset)
    if (dataset === null || dataset.id !== known.datasetId)
      throw inputFailure(
        known.id,
        'the dataset of this run was removed, or the run ended before it was made',
        'Import it again and start a new run.',
      )
    return this.#enqueue(this.#library.runs.requeue(known.id), dataset, { resume: true, across, finish })
  }

  /** @throws Failure (input) */
  #get(text: string): Run {
    return this.#work.asEnded(this.#library.runs.get(text))
  }

  /** Settles when it has stopped. @throws Failure (usage) for another process's run */
  async cancel(text: string): Promise<Run> {
    const run = this.#get(text)
    const active = this.#active.get(run.id)
    if (active !== undefined) return this.#stop(active)
    if (isFinal(run.state)) return run
    throw usageFailure(run.id, 'this run belongs to another Anticlique that is running now', 'Cancel it there.')
  }

  /** Ends the improvement of a result, which is kept; one that is not computed yet is not improved. @throws Failure (usage) for a run that ended */
  #finish(text: string): Run {
    const run = this.#get(text)
    const active = this.#active.get(run.id)
    if (active === undefined)
      throw usageFailure(
        run.id,
        `this run is ${run.state}`,
        'Only a run of this Anticlique that has not ended can be finished early.',
      )
    active.signal.enough = true
    return run
  }

  async cancelAll(): Promise<void> {
    await Promise.allSettled([...this.#active.values()].map((active) => this.#stop(active)))
    await this.#queue.idle()
    this.#work.mend()
  }

  /** @throws Failure (usage) while it is not finished */
  #remove(text: string): Run {
    // What ended on a full disk.
    this.#work.mend()
    const run = this.#library.runs.get(text)
    if (!isFinal(run.state)) throw usageFailure(run.id, `this run is ${run.state}`, 'Cancel it first.')
    const folder = this.#library.runFolder(run.id)
    // A process that is killed in between leaves a row, not a folder that has none.
    const aside = this.#library.trash(folder)
    try {
      this.#library.runs.remove(run.id)
    } catch (error) {
      this.#library.untrash(aside, folder)
      throw error
    }
    this.#library.discard(aside)
    this.#listeners.tell({ type: 'run-removed', run: run.id })
    return run
  }

  #enqueue(run: Run, dataset: Dataset | null, how: Enqueued): Run {
    const { resume, source, across, finish = false } = how
    const stop = new AbortController()
    const job = { ...quietJob, signal: stop.signal }
    const file = source === undefined ? undefined : new RunFile(source, run.request.dataset, this.#importer, job)
    // Reading needs no device; the run says what goes wrong.
    file?.begin().dataset.catch(() => {})
    const end = Promise.withResolvers<Run>()
    // The run's own promise has the bug.
    end.promise.catch(() => {})
    const signal = Object.assign(stop.signal, { enough: finish })
    this.#active.set(run.id, { id: run.id, dataset, file, stop, signal, end, resume, across, isAtWork: false })
    this.#work.tell(run)
    this.#queue.look()
    return run
  }

  /** Stops a run, at once if it waits. */
  async #stop(active: Followed): Promise<Run> {
    active.stop.abort()
    if (this.#library.runs.stateOf(active.id) === 'queued') {
      const failure = new Failure({ code: 'cancelled', what: 'cancelled', remedy: '', fixes: [REPEAT] })
      this.#settle(active.id, this.#work.fail(active.id, failure, active))
    } else this.#listeners.tell({ type: 'run-cancelling', run: active.id })
    return active.end.promise
  }

  /** Queued again where it was interrupted and has retries left. */
  async #attempt(run: Run): Promise<void> {
    const active = this.#active.get(run.id)
    if (active === undefined) throw new Error(`run ${run.id} was claimed, but is not of this process`)
    active.isAtWork = true
    this.#work.tell(run)
    const end = this.#work.attempt(run, active)
    const ended = await end.catch(() => undefined)
    if (ended?.state === 'interrupted') this.#forgetDevices()
    if (ended?.state !== 'interrupted' || active.signal.aborted || run.queue.attempts > run.queue.retries)
      return this.#settle(run.id, end)
    active.resume = true
    const again = this.#work.requeue(run.id)
    await again.catch(() => this.#settle(run.id, again))
    active.isAtWork = false
  }

  #forgetDevices(): void {
    this.#devices.forget()
    this.#queue.forgetDevices()
  }

  /** It was cancelled meanwhile; its library may be closed. */
  #refuse(id: string, error: unknown): void {
    const active = this.#active.get(id)
    if (active !== undefined) this.#settle(id, this.#work.fail(id, error, active))
  }

  /** Fails all runs that wait, so that `wait` settles. */
  #abandon(error: unknown): void {
    for (const active of this.#active.values())
      if (!active.isAtWork) this.#settle(active.id, this.#work.fail(active.id, error, active))
  }

  #settle(id: string, end: Promise<Run>): void {
    const active = this.#active.get(id)
    this.#active.delete(id)
    active?.end.resolve(end)
    this.#queue.look()
  }
}

/** Sortable by time: "20261121-093601-7f3a" (UTC). */
export function newRunId(now: Date = new Date()): string {
  const digits = now.toISOString().replace(/[-:]/g, '')
  return `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${randomBytes(2).toString('hex')}`
}

/** Making the folder takes the id: other processes draw, too. @throws Error as the system says */
export function newRunFolder(
  folderOf: (id: string) => string,
  draw: () => string = newRunId,
): { id: string; folder: string } {
  for (;;) {
    const id = draw()
    const folder = folderOf(id)
    mkdirSync(dirname(folder), { recursive: true })
    try {
      mkdirSync(folder)
      return { id, folder }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

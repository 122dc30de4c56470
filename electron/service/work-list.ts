/**
 * Long calls as cards of the window: imports, exports, checks and the like, with progress, their end, and a way to cancel, until they are
 * dismissed; interrupted imports are among them. At most fifty that ended are kept. Runs have cards of their own (runs.ts). Calls that count as
 * long are in longCalls; the service reports their events.
 */

import { randomUUID } from 'node:crypto'
import type { ServiceEvent } from '../contract/events.ts'
import { isFinal, type Run } from '../contract/run.ts'
import { isUnderWay, type Work } from '../contract/work.ts'
import type { Library } from '../library/library.ts'
import { type FailureValue, usageFailure, inputFailure, valueOf } from '../../workers/base/failure.ts'
import type { JobContext, Progress } from '../../workers/base/job.ts'
import type { Listeners } from './listeners.ts'
import { resumableImports } from './remainders.ts'
import { basename } from 'node:path'
import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'
import { nameOfComplement, nameOfSample, type Dataset } from '../contract/dataset.ts'
import { nameOfModel } from '../../workers/contract/generators.ts'
import { nameOfFile } from './files.ts'

const MOST_ENDED = 50

type WorkStart = Pick<Work, 'kind' | 'subject' | 'name'>

/** The cards of long calls, until they are dismissed. */
export class WorkList {
  readonly #library: Library
  readonly #listeners: Listeners
  readonly #work = new Map<string, Work>()
  readonly #stops = new Map<string, () => void>()
  /** Work that was dismissed in this session. */
  readonly #dismissed = new Set<string>()

  constructor(library: Library, listeners: Listeners, cancelRun: (id: string) => void) {
    this.#library = library
    this.#listeners = listeners
    listeners.add((event) => this.#follow(event, cancelRun))
  }

  /** The newest last, behind interrupted imports. */
  list(): Work[] {
    return [...this.#interrupted(), ...this.#work.values()]
  }

  async track<T>(
    start: WorkStart,
    job: JobContext,
    work: (job: JobContext) => Promise<T>,
    resultOf: (value: T) => NonNullable<Work['result']>,
  ): Promise<T> {
    const id = randomUUID()
    let stopped = false
    this.#begin(id, start, () => (stopped = true))
    const context: JobContext = {
      ...job,
      signal: {
        get aborted() {
          return stopped || job.signal.aborted
        },
      },
      progress: (progress) => {
        job.progress(progress)
        this.#advance(id, progress)
      },
    }
    try {
      const value = await work(context)
      this.#end(id, 'done', null, resultOf(value))
      return value
    } catch (error) {
      const failure = valueOf(error, 'This is a bug; please report it.')
      this.#end(id, failure.code === 'cancelled' ? 'cancelled' : 'failed', failure, null)
      throw error
    }
  }

  /** @throws Failure (input) for none; (usage) when it has ended */
  cancel(id: string): Work {
    const work = this.#get(id)
    const stop = this.#stops.get(id)
    if (stop === undefined) throw usageFailure(work.name, `this is ${work.state} already`, 'Dismiss it.')
    const cancelling = this.#cancelling(work)
    stop()
    return this.#work.get(id) ?? cancelling
  }

  /** @throws Failure (input) for none; (usage) while it is at work */
  dismiss(id: string): void {
    const work = this.#get(id)
    if (isUnderWay(work)) throw usageFailure(work.name, 'this is still at work', 'Cancel it first.')
    if (!this.#work.delete(id)) this.#dismissed.add(id)
    this.#listeners.tell({ type: 'work-removed', id })
  }

  #get(id: string): Work {
    const work = this.#work.get(id) ?? this.#interrupted().find((other) => other.id === id)
    if (work !== undefined) return work
    throw inputFailure(undefined, 'there is no such work', 'It may have been dismissed.')
  }

  #begin(id: string, start: WorkStart, stop: () => void, startedAt = new Date().toISOString()): void {
    this.#stops.set(id, stop)
    const fresh = { finishedAt: null, progress: null, state: 'running', failure: null, result: null } as const
    this.#set({ id, ...start, startedAt, ...fresh })
  }

  #cancelling(work: Work): Work {
    const cancelling = { ...work, state: 'cancelling' } as const
    if (work.state === 'running') this.#set(cancelling)
    return cancelling
  }

  #advance(id: string, progress: Progress): void {
    const work = this.#work.get(id)
    if (work !== undefined && isUnderWay(work)) this.#set({ ...work, progress })
  }

  #end(id: string, state: Work['state'], failure: FailureValue | null, result: Work['result']): void {
    this.#stops.delete(id)
    const work = this.#work.get(id)
    if (work === undefined) return
    this.#set({ ...work, state, failure, result, finishedAt: new Date().toISOString() })
    const ended = [...this.#work.values()].filter((other) => !isUnderWay(other))
    for (const { id: old } of ended.slice(0, -MOST_ENDED)) this.#forget(old)
  }

  #set(work: Work): void {
    this.#work.set(work.id, work)
    this.#listeners.tell({ type: 'work-changed', work })
  }

  /** A run is work, too. */
  #follow(event: ServiceEvent, cancelRun: (id: string) => void): void {
    if (event.type === 'progress') this.#advance(event.of, event.progress)
    const removed = event.type === 'run-removed' ? this.#work.get(event.run) : undefined
    if (removed !== undefined && !isUnderWay(removed)) this.#forget(removed.id)
    const stopped = event.type === 'run-cancelling' ? this.#work.get(event.run) : undefined
    if (stopped !== undefined) this.#cancelling(stopped)
    if (event.type !== 'run-changed') return
    const { run } = event
    const known = this.#work.get(run.id)
    const isAtWork = known !== undefined && isUnderWay(known)
    if (!isFinal(run.state)) {
      if (isAtWork) return
      const start = { kind: 'run', subject: run.id, name: nameOfRun(run) } as const
      this.#begin(run.id, start, () => cancelRun(run.id), run.createdAt)
    } else if (isAtWork) {
      const state =
        run.state === 'done' || run.state === 'cancelled' || run.state === 'interrupted' ? run.state : 'failed'
      this.#end(run.id, state, run.failure, run.state === 'done' ? { run: run.id, dataset: run.dataset } : null)
    }
  }

  #forget(id: string): void {
    if (this.#work.delete(id)) this.#listeners.tell({ type: 'work-removed', id })
  }

  #interrupted(): Work[] {
    return resumableImports(this.#library)
      .filter(({ folder }) => !this.#dismissed.has(folder))
      .map(({ folder, name, source, startedAt }) => ({
        id: folder,
        kind: 'import',
        subject: name,
        name: source ?? name,
        startedAt,
        finishedAt: null,
        progress: null,
        state: 'interrupted',
        failure: {
          code: 'engine',
          where: source ?? undefined,
          what: 'the program ended before this import did',
          remedy: 'What was done is kept.',
          fixes: [{ action: 'resume-import' }],
        },
        result: null,
      }))
  }
}

const nameOfRun = ({ name, algorithm, dataset }: Run): string => name ?? `${algorithm} on ${dataset}`

export interface LongCall<N extends CallName> {
  start(args: CallArgs<N>): WorkStart
  result(value: CallResult<N>): NonNullable<Work['result']>
}

const made = (kind: Work['kind'], name: string): WorkStart => ({ kind, subject: name, name })
const ofDataset = ({ dataset }: { readonly dataset: Dataset }) => ({ dataset: dataset.name })

/** Calls with cards; runs have cards of their own. */
export const longCalls: { readonly [N in CallName]?: LongCall<N> } = {
  'datasets.import': {
    start: ({ source, sourceName, name }) => ({
      kind: 'import',
      subject: name ?? nameOfFile(sourceName ?? source),
      name: sourceName ?? basename(source),
    }),
    result: ofDataset,
  },
  'datasets.resume': {
    start: ({ which }) => ({ kind: 'import', subject: which ?? '', name: which === undefined ? '' : basename(which) }),
    result: ({ dataset }) => (dataset === null ? {} : { dataset: dataset.name }),
  },
  'datasets.generate': {
    start: ({ name, ...model }) => made('generate', name ?? nameOfModel(model)),
    result: ofDataset,
  },
  'datasets.sample': {
    start: ({ name, radiusKm }) => made('sample', name ?? nameOfSample(radiusKm)),
    result: ofDataset,
  },
  'datasets.complement': {
    start: ({ name, as }) => made('generate', as ?? nameOfComplement(name)),
    result: ofDataset,
  },
  'datasets.export': {
    start: ({ name, output }) => ({ kind: 'export', subject: name, name: basename(output) }),
    result: ({ files }) => ({ files: [...files] }),
  },
  archive: {
    start: ({ run, output }) => ({ kind: 'export', subject: run, name: basename(output) }),
    result: ({ run, files }) => ({ run, files: [...files] }),
  },
  'devices.benchmark': {
    start: () => ({ kind: 'benchmark', subject: 'devices', name: 'all devices' }),
    result: () => ({}),
  },
  verify: {
    start: ({ of, set }) => ({ kind: 'verify', subject: of, name: set === undefined ? of : basename(set) }),
    result: ({ dataset, run }) => (run === null ? { dataset } : { dataset, run }),
  },
  export: {
    start: ({ run, output }) => ({ kind: 'export', subject: run, name: basename(output) }),
    result: ({ run, outcome }) => ({ run, files: [...outcome.files] }),
  },
}

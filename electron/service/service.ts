/**
 * Everything that Anticlique can do, as one table of handlers: each call of the contract, checked on its way in and out, with the library, the
 * pool of engines and the events around it. Hosts and the command line know nothing else. Handlers are grouped by noun in the files beside it;
 * what several share is opened once and closed here.
 */

import type { CallArgs, CallName, CallResult, Handlers } from '../contract/calls.ts'
import { checkCall } from '../contract/check.ts'
import type { ServiceEvent } from '../contract/events.ts'
import { isFinal } from '../contract/run.ts'
import { bytesUnder } from '../library/leftovers.ts'
import type { Library } from '../library/library.ts'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import { Failure, usageFailure, inputFailure } from '../../workers/base/failure.ts'
import { quietJob, type JobContext } from '../../workers/base/job.ts'
import { Datasets } from './datasets.ts'
import { exploreHandlers } from './explore.ts'
import { listFiles, inputFile } from './files.ts'
import type { JobRunner } from '../pool/pool.ts'
import { Listeners } from './listeners.ts'
import { longCalls, WorkList, type LongCall } from './work-list.ts'
import { MachineDevices } from './machine-devices.ts'
import { resultHandlers } from './results.ts'
import { writeList, requireLists } from './run-inputs.ts'
import { Runs } from './runs.ts'
import { statfsSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Dataset } from '../contract/dataset.ts'
import type { PlannedReading } from '../../workers/contract/dataset.ts'
import type { LibraryStatus } from '../contract/settings.ts'
import { inLibrary, readOnlyLibrary } from '../library/storage-failure.ts'
import { versions } from './run-history.ts'

/** How soon the window shows what a command did. */
const WATCH_MS = 1000

interface ServiceOptions {
  readonly library: Library
  readonly runner: JobRunner
  /** Whether this machine may have a GPU; absent: the engine looks. */
  readonly mayHaveGpu?: () => boolean
}

export class Service {
  readonly #library: Library
  readonly #runner: JobRunner
  readonly #listeners = new Listeners()
  readonly #runs: Runs
  readonly #datasets: Datasets
  readonly #devices: MachineDevices
  readonly #work: WorkList
  readonly #handlers: Handlers
  #watch: NodeJS.Timeout | undefined

  constructor({ library, runner, mayHaveGpu = () => true }: ServiceOptions) {
    this.#library = library
    this.#runner = runner
    this.#datasets = new Datasets(library, runner, this.#listeners)
    this.#devices = new MachineDevices(library, runner, mayHaveGpu)
    this.#runs = new Runs(library, runner, this.#listeners, this.#datasets, this.#devices)
    this.#work = new WorkList(library, this.#listeners, (id) => void this.#runs.cancel(id).catch(() => {}))
    this.#listeners.add((event) => this.#showLastRun(event))
    this.#handlers = this.#table()
  }

  /** @throws Failure for arguments that do not fit, or a call that cannot be done */
  async call<N extends CallName>(name: N, args: CallArgs<N>, job: JobContext = quietJob): Promise<CallResult<N>> {
    const checked = checkCall(name, args)
    if (!checked.ok) throw new Failure(checked.failure)
    if (!name.endsWith('.cancel')) this.#library.requirePresent()
    if (this.#library.readOnly && !looks.test(name)) throw readOnlyLibrary(this.#library.folder)
    const fitting = checked.args as CallArgs<N>
    const handle = this.#handlers[name]
    const long: LongCall<N> | undefined = longCalls[name]
    if (long === undefined) return handle(fitting, job)
    return this.#work.track(long.start(fitting), job, (context) => handle(fitting, context), long.result)
  }

  /** @returns what ends it */
  listen(listener: (event: ServiceEvent) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Tells listeners when another process has changed the library, until the service is closed. */
  watchLibrary(everyMs = WATCH_MS): this {
    let last = this.#library.dataVersion
    clearInterval(this.#watch)
    this.#watch = setInterval(() => {
      try {
        const now = this.#library.dataVersion
        if (now !== last) this.#listeners.tell({ type: 'library-changed' })
        last = now
      } catch (error) {
        // Its disk may be gone: the next call says so.
        if (!(error instanceof Failure)) throw error
      }
    }, everyMs).unref()
    return this
  }

  /** Stops runs and engine, too. */
  async close(): Promise<void> {
    clearInterval(this.#watch)
    this.#datasets.close()
    try {
      await this.#runs.cancelAll()
    } finally {
      await this.#runner.close()
    }
    this.#library.close()
  }

  #table(): Handlers {
    return {
      ...this.#datasets.calls,
      ...this.#runs.calls,
      ...resultHandlers(this.#library, this.#runner),
      algorithms: async () => ({ algorithms: [...algorithmEntries] }),
      'library.status': async () => libraryStatus(this.#library, await this.#datasets.list()),
      'settings.get': async () => ({ settings: this.#library.settings.get() }),
      'settings.set': async ({ settings }) => this.#set(settings),
      devices: (_args, job) => this.#devices.list(job),
      'devices.memory': (_args, job) => this.#devices.memory(job),
      'devices.benchmark': (_args, job) => this.#devices.benchmark(job),
      'work.list': async () => ({ work: this.#work.list() }),
      'work.cancel': async ({ id }) => ({ work: this.#work.cancel(id) }),
      'work.dismiss': async ({ id }) => {
        this.#work.dismiss(id)
        return { id }
      },
      'files.list': async ({ folder }) => listFiles(folder, this.#library.folder),
      'files.choose': () => ofWindow('files.choose', 'Give the path, or list folders with files.list.'),
      'lists.write': async ({ labels }) => ({ path: writeList(this.#library, labels) }),
      ...exploreHandlers(this.#library, this.#runner),
      'export.download': () => ofWindow('export.download', 'Name a file: "export" and "datasets.export" write one.'),
      plan: (args, job) => planTarget(args, this.#library, this.#runner, job),
    }
  }

  #showLastRun(event: ServiceEvent): void {
    if (event.type !== 'run-changed' || !isFinal(event.run.state) || event.run.datasetId === null) return
    try {
      const row = this.#library.datasets.byId(event.run.datasetId)
      if (row !== null) this.#listeners.tell({ type: 'dataset-changed', dataset: this.#library.described(row) })
    } catch (error) {
      // Shown at the next look.
      if (!(error instanceof Failure)) throw error
    }
  }

  #set(changes: CallArgs<'settings.set'>['settings']): CallResult<'settings.set'> {
    const settings = this.#library.settings.set(changes)
    this.#listeners.tell({ type: 'settings-changed', settings })
    return { settings }
  }
}

/** Calls that leave the library as it is. */
const looks = new RegExp(
  [
    /^(?:algorithms|library\.status|settings\.get|devices(?:\.memory)?|plan|verify|archive(?:\.unpack)?|export(?:\.download)?)$/,
    /^datasets\.(?:list|get|remainders|degrees|contents|preview|export)$/,
    /^runs\.(?:list|get|record|trace|progress|wait)$/,
    /^(?:work|files|explore)\./,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Such hosts answer by themselves. */
function ofWindow(where: CallName, remedy: string): Promise<never> {
  return Promise.reject(usageFailure(where, 'there is no person to ask here', remedy))
}

function libraryStatus(library: Library, datasets: readonly Dataset[]): LibraryStatus {
  const { bavail, bsize } = inLibrary(library.folder, () => statfsSync(library.folder))
  return {
    folder: library.folder,
    version: library.version,
    freeBytes: bavail * bsize,
    usedBytes: datasets.reduce((sum, { diskBytes }) => sum + diskBytes, 0),
    runBytes: bytesUnder(join(library.folder, 'runs')),
    datasets: datasets.length,
    runs: library.runs.list().length,
    software: { ...versions(), platform: `${process.platform}-${process.arch}` },
    host: 'program',
  }
}

const readingOf = (reading: PlannedReading = {}): PlannedReading =>
  reading.vertices === undefined ? reading : { ...reading, vertices: inputFile(reading.vertices) }

/** @throws Failure (input) */
async function planTarget(
  { target, format, member, reading, ...options }: CallArgs<'plan'>,
  library: Library,
  runner: JobRunner,
  job: JobContext,
): Promise<CallResult<'plan'>> {
  const dataset = library.datasets.find(target)
  const source = dataset === null ? inputFile(target) : target
  if (dataset === null && !existsSync(source))
    throw inputFailure(target, 'there is no dataset and no file of this name', 'Check the spelling of the path.', [
      { action: 'show', page: 'library' },
    ])
  const of =
    dataset === null
      ? ({ kind: 'file', source, format, member, reading: readingOf(reading) } as const)
      : ({ kind: 'dataset', ...library.place(dataset) } as const)
  requireLists(options)
  const plan = await runner.run('plan', { ...options, target: of, folder: library.folder }, job)
  return { target, dataset: dataset?.name ?? null, plan }
}

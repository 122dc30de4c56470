import { calls } from '../contract/calls.ts'
import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'
import type { ServiceEvent } from '../contract/events.ts'
import type { Library } from '../library/library.ts'
import { algorithmEntries } from '../../workers/catalogue.ts'
import { Failure } from '../../workers/failure.ts'
import { quietJob } from '../../workers/job.ts'
import type { JobContext } from '../../workers/job.ts'
import { DatasetFolders } from './dataset-folder.ts'
import { Datasets } from './datasets.ts'
import type { JobRunner } from './job-runner.ts'
import { Listeners } from './listeners.ts'
import { planTarget } from './plans.ts'
import { Results } from './results.ts'
import { Runs } from './runs.ts'
import { libraryStatus } from './status.ts'

type Handler<N extends CallName> = (args: CallArgs<N>, job: JobContext) => Promise<CallResult<N>>

/** Everything that Anticlique can do, behind one typed door; the window and the command line are its two hosts. */
export class Service {
  readonly #library: Library
  readonly #runner: JobRunner
  readonly #listeners = new Listeners()
  readonly #runs: Runs
  readonly #datasets: Datasets
  readonly #handlers: { readonly [N in CallName]: Handler<N> }

  constructor({ library, runner }: { library: Library; runner: JobRunner }) {
    this.#library = library
    this.#runner = runner
    this.#runs = new Runs(library, runner, this.#listeners)
    this.#datasets = new Datasets(library, runner, this.#listeners, new DatasetFolders(library))
    this.#handlers = this.#table(this.#runs, this.#datasets, new Results(library, runner))
  }

  /** @throws Failure when the arguments do not fit the contract or the call cannot be done. */
  async call<N extends CallName>(name: N, args: CallArgs<N>, job: JobContext = quietJob): Promise<CallResult<N>> {
    const checked = calls[name].args.safeParse(args)
    const issue = checked.error?.issues[0]
    if (issue !== undefined)
      throw new Failure({
        code: 'usage',
        where: [name, ...issue.path.map(String)].join('.'),
        what: issue.message,
        remedy: 'Correct this value and try again.',
      })
    return this.#handlers[name](args, job)
  }

  /** Hears every event; returns the function that ends listening. */
  listen(listener: (event: ServiceEvent) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Stops the runs, ends the engine and closes the library. */
  async close(): Promise<void> {
    await this.#runs.cancelAll()
    await this.#runner.close()
    this.#datasets.emptyTrash()
    this.#library.close()
  }

  #table(runs: Runs, datasets: Datasets, results: Results): { readonly [N in CallName]: Handler<N> } {
    const { runs: runTable } = this.#library
    return {
      algorithms: async () => ({ algorithms: [...algorithmEntries] }),
      'library.status': async () => libraryStatus(this.#library, await datasets.list(), 'program'),
      'settings.get': async () => ({ settings: this.#library.settings.get() }),
      'settings.set': async ({ settings }) => this.#set(settings),
      devices: (_args, job) => this.#runner.run('devices', {}, job),
      'devices.memory': () => later('devices.memory'),
      'devices.benchmark': () => later('devices.benchmark'),
      'datasets.list': async () => ({ datasets: await datasets.list() }),
      'datasets.get': async ({ name }) => ({ dataset: datasets.get(name) }),
      'datasets.import': (args, job) => datasets.import(args, job),
      'datasets.resume': (args, job) => datasets.resume(args, job),
      'datasets.remainders': async () => datasets.remainders(),
      'datasets.clean': async () => datasets.clean(),
      'datasets.generate': (args, job) => datasets.generate(args, job),
      'datasets.sample': (args, job) => datasets.sample(args, job),
      'datasets.rename': async ({ name, to }) => ({ dataset: datasets.rename(name, to) }),
      'datasets.remove': async ({ name }) => {
        const { datasets: removed, restorableUntil } = datasets.remove([name])
        return { dataset: removed[0]!, restorableUntil }
      },
      'datasets.removeMany': async ({ names }) => datasets.remove(names),
      'datasets.restore': async (args) => ({ dataset: datasets.restore(args) }),
      'datasets.tag': async ({ name, tags }) => ({ dataset: datasets.tag(name, tags) }),
      'datasets.tagMany': async (args) => ({ datasets: datasets.tagMany(args) }),
      'datasets.degrees': () => later('datasets.degrees'),
      'datasets.preview': () => later('datasets.preview'),
      'datasets.export': (args, job) => datasets.export(args, job),
      'datasets.views': (args, job) => datasets.views(args, job),
      'runs.resume': async ({ run }) => ({ run: runs.resume(run) }),
      'runs.start': async (order) => ({ run: runs.start(order) }),
      'runs.prioritise': async ({ run, priority }) => ({ run: runs.prioritise(run, priority) }),
      'runs.wait': async ({ run }) => ({ run: await runs.wait(run) }),
      'runs.list': async () => ({ runs: runTable.list() }),
      'runs.get': async ({ run }) => ({ run: runTable.get(run) }),
      'runs.cancel': async ({ run }) => ({ run: await runs.cancel(run) }),
      'runs.remove': async ({ run }) => ({ run: runs.remove(run) }),
      'runs.record': () => later('runs.record'),
      'work.list': () => later('work.list'),
      'work.cancel': () => later('work.cancel'),
      'work.dismiss': () => later('work.dismiss'),
      'files.list': () => later('files.list'),
      'files.choose': () => later('files.choose'),
      'explore.search': () => later('explore.search'),
      'explore.neighbourhood': () => later('explore.neighbourhood'),
      'export.download': () => later('export.download'),
      plan: (args, job) => planTarget(args, this.#library, this.#runner, job),
      verify: (args, job) => results.verify(args, job),
      export: (args, job) => results.export(args, job),
    }
  }

  #set(changes: CallArgs<'settings.set'>['settings']): CallResult<'settings.set'> {
    const settings = this.#library.settings.set(changes)
    this.#listeners.tell({ type: 'settings-changed', settings })
    return { settings }
  }
}

function later(name: CallName): Promise<never> {
  return Promise.reject(
    new Failure({ code: 'usage', where: name, what: 'this version does not answer this yet', remedy: 'Update it.' }),
  )
}

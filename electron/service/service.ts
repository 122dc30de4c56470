import { calls } from '../contract/calls.ts'
import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'
import type { ServiceEvent } from '../contract/events.ts'
import type { Library } from '../library/library.ts'
import { Failure } from '../../workers/failure.ts'
import { quietJob } from '../../workers/job.ts'
import type { JobContext } from '../../workers/job.ts'
import { Datasets } from './datasets.ts'
import type { JobRunner } from './job-runner.ts'
import { Listeners } from './listeners.ts'
import { planTarget } from './plans.ts'
import { Results } from './results.ts'
import { Runs } from './runs.ts'

type Handler<N extends CallName> = (args: CallArgs<N>, job: JobContext) => Promise<CallResult<N>>

/** Everything that Anticlique can do, behind one typed door; the window and the command line are its two hosts. */
export class Service {
  readonly #library: Library
  readonly #runner: JobRunner
  readonly #listeners = new Listeners()
  readonly #runs: Runs
  readonly #handlers: { readonly [N in CallName]: Handler<N> }

  constructor({ library, runner }: { library: Library; runner: JobRunner }) {
    this.#library = library
    this.#runner = runner
    this.#runs = new Runs(library, runner, this.#listeners)
    this.#handlers = this.#table(
      this.#runs,
      new Datasets(library, runner, this.#listeners),
      new Results(library, runner),
    )
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
    this.#library.close()
  }

  #table(runs: Runs, datasets: Datasets, results: Results): { readonly [N in CallName]: Handler<N> } {
    const { datasets: datasetTable, runs: runTable } = this.#library
    return {
      devices: (_args, job) => this.#runner.run('devices', {}, job),
      'datasets.list': async () => ({ datasets: datasetTable.list() }),
      'datasets.get': async ({ name }) => ({ dataset: datasetTable.get(name) }),
      'datasets.import': (args, job) => datasets.import(args, job),
      'datasets.resume': (args, job) => datasets.resume(args, job),
      'datasets.remainders': async () => datasets.remainders(),
      'datasets.clean': async () => datasets.clean(),
      'datasets.generate': (args, job) => datasets.generate(args, job),
      'datasets.sample': (args, job) => datasets.sample(args, job),
      'datasets.rename': async ({ name, to }) => ({ dataset: datasets.rename(name, to) }),
      'datasets.remove': async ({ name }) => ({ dataset: datasets.remove(name) }),
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
      plan: (args, job) => planTarget(args, this.#library, this.#runner, job),
      verify: (args, job) => results.verify(args, job),
      export: (args, job) => results.export(args, job),
    }
  }
}

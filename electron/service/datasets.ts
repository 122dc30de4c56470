import { rmSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { CallArgs, CallResult } from '../contract/calls.ts'
import type { Dataset } from '../contract/dataset.ts'
import { isFinal } from '../contract/run.ts'
import { nameTaken } from '../library/dataset-table.ts'
import type { Library } from '../library/library.ts'
import { Failure } from '../../workers/failure.ts'
import type { JobContext } from '../../workers/job.ts'
import { IMPORT_SCRATCH } from '../../workers/jobs.ts'
import type { DatasetFacts } from '../../workers/jobs.ts'
import { checkedDatasetName, nameOfFile, nameOfModel, nameOfSample } from './dataset-name.ts'
import type { JobRunner } from './job-runner.ts'
import type { Listeners } from './listeners.ts'
import { remainders, removeRemainder } from './remainders.ts'
import { interruptedImport } from './resume-import.ts'
import { sourceChecksum } from './source-checksum.ts'

/** Makes, renames and removes datasets: first the folder, whole, then the row; first the row, then the folder, aside. */
export class Datasets {
  readonly #library: Library
  readonly #runner: JobRunner
  readonly #listeners: Listeners

  constructor(library: Library, runner: JobRunner, listeners: Listeners) {
    this.#library = library
    this.#runner = runner
    this.#listeners = listeners
  }

  /** @throws Failure (input) when the file cannot be imported, or its name is taken (`reuse`: by something else). */
  async import(args: CallArgs<'datasets.import'>, job: JobContext): Promise<CallResult<'datasets.import'>> {
    const { name: wanted, reuse, ...options } = args
    const source = resolve(args.source)
    const name = checkedDatasetName(wanted ?? nameOfFile(source))
    const sources = options.sources?.map((file) => resolve(file))
    const known = reuse === true ? this.#library.datasets.find(name) : null
    if (known !== null) return { dataset: await this.#sameSource(known, source, job), reused: true }
    const dataset = await this.#make(name, job, (folder, context) =>
      this.#runner.run(
        'import',
        { ...options, source, sources, folder, datasetName: name, keepScratch: true },
        context,
      ),
    )
    return { dataset, reused: false }
  }

  /** @throws Failure as the import ends with; what it has done stays for another try where its program dies again. */
  async resume(
    { which, memoryBytes, threads }: CallArgs<'datasets.resume'>,
    job: JobContext,
  ): Promise<CallResult<'datasets.resume'>> {
    const left = await interruptedImport(this.#library, which, job)
    if (left === null) return { dataset: null }
    const name = checkedDatasetName(left.name)
    if (this.#library.datasets.find(name) !== null) throw nameTaken(name)
    const folder = basename(left.args.folder)
    const path = this.#library.datasetFolder({ folder })
    const args = { ...left.args, folder: path, memoryBytes, threads, resume: true, keepScratch: true }
    return {
      dataset: await this.#enter(name, folder, await this.#runner.run('import', args, this.#telling(name, job))),
    }
  }

  remainders(): CallResult<'datasets.remainders'> {
    return { remainders: remainders(this.#library) }
  }

  clean(): CallResult<'datasets.clean'> {
    const removed = remainders(this.#library)
    for (const remainder of removed) removeRemainder(this.#library, remainder)
    return { removed }
  }

  async generate({ name, ...model }: CallArgs<'datasets.generate'>, job: JobContext): Promise<{ dataset: Dataset }> {
    const dataset = await this.#make(name ?? nameOfModel(model), job, (folder, context) =>
      this.#runner.run('generate', { ...model, folder }, context),
    )
    return { dataset }
  }

  async sample(
    { name, sample, radiusKm }: CallArgs<'datasets.sample'>,
    job: JobContext,
  ): Promise<{ dataset: Dataset }> {
    const dataset = await this.#make(name ?? nameOfSample(radiusKm), job, (folder, context) =>
      this.#runner.run('sample', { folder, sample, radiusKm }, context),
    )
    return { dataset }
  }

  /** @throws Failure (usage) for graphs that the format cannot carry; (storage) */
  export(
    { name, output, ...wanted }: CallArgs<'datasets.export'>,
    job: JobContext,
  ): Promise<CallResult<'datasets.export'>> {
    const folder = this.#library.datasetFolder(this.#library.datasets.get(name))
    return this.#runner.run('export-graph', { ...wanted, folder, output: resolve(output) }, job)
  }

  /** @throws Failure (usage) for views that there are not; as building a view ends with. */
  async views({ name, ...wanted }: CallArgs<'datasets.views'>, job: JobContext): Promise<CallResult<'datasets.views'>> {
    const dataset = this.#library.datasets.get(name)
    const args = { ...wanted, folder: this.#library.datasetFolder(dataset), checksum: dataset.checksum }
    return { dataset: dataset.name, outcome: await this.#runner.run('views', args, this.#telling(name, job)) }
  }

  rename(name: string, to: string): Dataset {
    const dataset = this.#library.datasets.rename(name, checkedDatasetName(to))
    this.#listeners.tell({ type: 'dataset-changed', dataset })
    return dataset
  }

  /** @throws Failure (usage) while a run works on it. */
  remove(name: string): Dataset {
    const dataset = this.#library.datasets.get(name)
    const user = this.#library.runs.list().find((run) => run.datasetId === dataset.id && !isFinal(run.state))
    if (user !== undefined)
      throw new Failure({
        code: 'usage',
        where: name,
        what: `run ${user.id} is working on this dataset`,
        remedy: 'Wait for its end or cancel it, then try again.',
      })
    this.#library.datasets.remove(dataset.id)
    this.#library.discard(this.#library.datasetFolder(dataset))
    this.#listeners.tell({ type: 'dataset-removed', name })
    return dataset
  }

  async #make(
    wanted: string,
    job: JobContext,
    work: (folder: string, job: JobContext) => Promise<DatasetFacts>,
  ): Promise<Dataset> {
    const name = checkedDatasetName(wanted)
    if (this.#library.datasets.find(name) !== null) throw nameTaken(name)
    const folder = this.#library.newDatasetFolder(name)
    const path = this.#library.datasetFolder({ folder })
    try {
      return this.#enter(name, folder, await work(path, this.#telling(name, job)))
    } catch (error) {
      this.#library.discard(path)
      throw error
    }
  }

  /** Enters a finished folder into the library; its scratch folder, which told that it was finished, goes. */
  #enter(name: string, folder: string, facts: DatasetFacts): Dataset {
    const dataset = this.#library.datasets.insert({ name, folder, facts })
    rmSync(`${this.#library.datasetFolder({ folder })}${IMPORT_SCRATCH}`, { recursive: true, force: true })
    this.#listeners.tell({ type: 'dataset-changed', dataset })
    return dataset
  }

  #telling(of: string, job: JobContext): JobContext {
    return {
      signal: job.signal,
      log: (message) => job.log(message),
      progress: (progress) => {
        job.progress(progress)
        this.#listeners.tell({ type: 'progress', subject: 'dataset', of, progress })
      },
    }
  }

  async #sameSource(dataset: Dataset, source: string, job: JobContext): Promise<Dataset> {
    if ((await sourceChecksum(source, job)) === dataset.report.sourceSha256) return dataset
    throw new Failure({
      code: 'input',
      where: source,
      what: `the library has a dataset called "${dataset.name}" already, made from something else`,
      remedy: `Import the file under another name (anticlique import FILE --name NAME), then run that.`,
    })
  }
}

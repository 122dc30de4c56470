import { rmSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { CallArgs, CallResult } from '../contract/calls.ts'
import type { Dataset, StoredDataset } from '../contract/dataset.ts'
import { isFinal } from '../contract/run.ts'
import { nameTaken } from '../library/dataset-table.ts'
import type { Library } from '../library/library.ts'
import { Failure, usageFailure, inputFailure } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import { IMPORT_SCRATCH, type DatasetFacts, type DegreeDistribution } from '../../workers/contract/jobs.ts'
import type { DatasetFolders } from './dataset-folder.ts'
import { checkedDatasetName, nameOfFile, nameOfModel, nameOfSample } from './dataset-name.ts'
import { inputFile, sourceChecksum } from './input-file.ts'
import type { JobRunner } from './job-runner.ts'
import type { Listeners } from './listeners.ts'
import type { Linking } from './run-file.ts'
import { remainders, removeRemainder, requireSame, withInterruptedImport } from './remainders.ts'
import { Trash } from './trash.ts'

/** First the folder, then the row; to remove, first the row, then the folder, aside. */
export class Datasets {
  readonly #library: Library
  readonly #runner: JobRunner
  readonly #listeners: Listeners
  readonly #folders: DatasetFolders
  readonly #trash: Trash

  constructor(library: Library, runner: JobRunner, listeners: Listeners, folders: DatasetFolders) {
    this.#library = library
    this.#runner = runner
    this.#listeners = listeners
    this.#folders = folders
    this.#trash = new Trash(library)
  }

  /** By name; yields now and then. */
  async list(): Promise<Dataset[]> {
    const rows = this.#library.datasets.list()
    const described: Dataset[] = []
    for (const row of rows) {
      described.push(this.#folders.describe(row))
      if (described.length % 256 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return described
  }

  get(name: string): Dataset {
    return this.#folders.describe(this.#library.datasets.get(name))
  }

  /** @throws Failure (input) when it cannot be imported, or the name is taken (`reuse`: by something else) */
  async import(args: CallArgs<'datasets.import'>, job: JobContext): Promise<CallResult<'datasets.import'>> {
    const { name: wanted, reuse, link, ...options } = args
    const source = inputFile(args.source)
    const name = checkedDatasetName(wanted ?? nameOfFile(source))
    const sources = options.sources?.map((file) => inputFile(file))
    const vertices = options.vertices === undefined ? undefined : inputFile(options.vertices)
    const known = reuse === true ? this.#library.datasets.find(name) : null
    if (known !== null)
      return { dataset: this.#folders.describe(await this.#sameSource(known, source, job)), reused: true }
    const dataset = await this.#make(name, job, async (folder, context) => {
      const asked = { ...options, source, sources, vertices, folder, datasetName: name, keepScratch: true }
      const linked = link === undefined ? null : await this.#runner.run('link', asked, context)
      if (linked === null && link === 'always') throw notLinked(source)
      return linked ?? this.#runner.run('import', asked, context)
    })
    return { dataset, reused: false }
  }

  /** Under a free name. */
  link(source: string, name: string, job: JobContext): Linking {
    const folder = this.#library.newDatasetFolder(name)
    const dataset = this.#makeIn(folder, name, job, (path, context) =>
      this.#runner.run('link', { source: inputFile(source), folder: path }, context),
    )
    return { folder: this.#library.datasetFolder({ folder }), dataset }
  }

  /** @throws Failure as the import; what it did stays where its program dies again */
  async resume(
    { which, memoryBytes, threads, asked = {} }: CallArgs<'datasets.resume'>,
    job: JobContext,
  ): Promise<CallResult<'datasets.resume'>> {
    const dataset = await withInterruptedImport(this.#library, which, job, async (left) => {
      const name = checkedDatasetName(left.name)
      requireSame(left, asked)
      if (this.#library.datasets.find(name) !== null) throw nameTaken(name)
      const folder = basename(left.args.folder)
      const path = this.#library.datasetFolder({ folder })
      const args = { ...left.args, folder: path, memoryBytes, threads, resume: true, keepScratch: true }
      const facts = await this.#cleanly(path, this.#runner.run('import', args, this.#telling(name, job)))
      const made = this.#enter(name, folder, facts)
      this.#library.discardInput(left.args.source)
      return made
    })
    return { dataset }
  }

  /** @throws Failure (input) when it changed */
  async store(name: string, job: JobContext): Promise<CallResult<'datasets.store'>> {
    const row = this.#library.datasets.get(name)
    const { bytes } = await this.#runner.run('store', this.#library.place(row), this.#telling(name, job))
    return { dataset: this.#changed(row), bytes }
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
    const args = { ...wanted, ...this.#library.place(this.#library.datasets.get(name)), output: resolve(output) }
    return this.#runner.run('export-graph', args, job)
  }

  degrees(name: string, job: JobContext): Promise<DegreeDistribution> {
    const dataset = this.#library.datasets.get(name)
    return this.#runner.run('degrees', this.#library.place(dataset), job)
  }

  rename(name: string, to: string): Dataset {
    return this.#changed(this.#library.datasets.rename(name, checkedDatasetName(to)))
  }

  tag(name: string, tags: readonly string[]): Dataset {
    return this.#changed(this.#library.datasets.tag(name, [...new Set(tags)]))
  }

  /** All or none. @throws Failure (input) */
  tagMany({ names, add = [], remove = [] }: CallArgs<'datasets.tagMany'>): Dataset[] {
    const datasets = names.map((name) => this.#library.datasets.get(name))
    return datasets.map(({ name, tags }) =>
      this.tag(name, [...tags.filter((tag) => !remove.includes(tag) || add.includes(tag)), ...add]),
    )
  }

  /** All or none. @throws Failure (usage) while a run works on one */
  remove(names: readonly string[]): { datasets: Dataset[]; restorableUntil: string } {
    const rows = [...new Set(names)].map((name) => this.#library.datasets.get(name))
    for (const row of rows) this.#refuseInUse(row)
    const datasets = rows.map((row) => this.#folders.describe(row))
    const until = rows.map((row) => this.#trash.put(row)).at(-1) ?? new Date()
    for (const { id, name } of rows) {
      this.#folders.forget(id)
      this.#listeners.tell({ type: 'dataset-removed', name })
    }
    return { datasets, restorableUntil: until.toISOString() }
  }

  /** @throws Failure (input) when it is gone, or its name is taken */
  restore({ id, name }: CallArgs<'datasets.restore'>): Dataset {
    return this.#changed(this.#trash.restore(id, name === undefined ? undefined : checkedDatasetName(name)))
  }

  emptyTrash(): void {
    this.#trash.empty()
  }

  #refuseInUse({ id, name }: StoredDataset): void {
    const user = this.#library.runs.list().find((run) => run.datasetId === id && !isFinal(run.state))
    if (user !== undefined)
      throw usageFailure(
        name,
        `run ${user.id} is working on this dataset`,
        'Wait for its end or cancel it, then try again.',
      )
  }

  #changed(row: StoredDataset): Dataset {
    const dataset = this.#folders.describe(row)
    this.#listeners.tell({ type: 'dataset-changed', dataset })
    return dataset
  }

  async #make(
    wanted: string,
    job: JobContext,
    work: (folder: string, job: JobContext) => Promise<DatasetFacts>,
  ): Promise<Dataset> {
    return (await this.#makeIn(this.#library.newDatasetFolder(wanted), wanted, job, work))!
  }

  /** @returns null where `work` makes none */
  async #makeIn(
    folder: string,
    wanted: string,
    job: JobContext,
    work: (folder: string, job: JobContext) => Promise<DatasetFacts | null>,
  ): Promise<Dataset | null> {
    const name = checkedDatasetName(wanted)
    if (this.#library.datasets.find(name) !== null) throw nameTaken(name)
    const path = this.#library.datasetFolder({ folder })
    let facts: DatasetFacts | null
    try {
      facts = await this.#cleanly(path, work(path, this.#telling(name, job)))
    } catch (error) {
      // Its scratch folder can be resumed.
      this.#library.discard(path)
      throw error
    }
    if (facts === null) return null
    try {
      return this.#enter(name, folder, facts)
    } catch (error) {
      this.#discard(path)
      throw error
    }
  }

  /** Also where the engine was killed. */
  async #cleanly<Facts>(path: string, work: Promise<Facts>): Promise<Facts> {
    try {
      return await work
    } catch (error) {
      if (error instanceof Failure && error.code === 'cancelled') this.#discard(path)
      throw error
    }
  }

  #discard(path: string): void {
    rmSync(`${path}${IMPORT_SCRATCH}`, { recursive: true, force: true })
    this.#library.discard(path)
  }

  /** Then its scratch folder goes. */
  #enter(name: string, folder: string, facts: DatasetFacts): Dataset {
    const row = this.#library.datasets.insert({ name, folder, facts })
    rmSync(`${this.#library.datasetFolder({ folder })}${IMPORT_SCRATCH}`, { recursive: true, force: true })
    return this.#changed(row)
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

  async #sameSource(dataset: StoredDataset, source: string, job: JobContext): Promise<StoredDataset> {
    // Every use checks that it has not changed.
    if (this.#folders.describe(dataset).linked === source) return dataset
    if ((await sourceChecksum(source, job)) === dataset.report.sourceSha256) return dataset
    throw inputFailure(
      source,
      `the library has a dataset called "${dataset.name}" already, made from something else`,
      'Import the file under another name, then run that.',
      [{ action: 'choose', option: 'name' }],
    )
  }
}

function notLinked(source: string): Failure {
  return inputFailure(
    source,
    'this file cannot stay where it is: its graph is not canonical, or not of 32-bit ids in .gr or .egr',
    'A copy is stored in order.',
    [{ action: 'omit', option: 'link' }],
  )
}

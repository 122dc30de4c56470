/**
 * Datasets of the library: import, generate, sample, link, rename, delete, with the jobs of the engine behind them. First the folder, then the
 * row; to remove, first the row, then the folder, aside (trash.ts), so that a kill leaves no row without its files. How a dataset was made is
 * kept as a recipe that makes it again. remainders.ts has interrupted imports, run-inputs.ts what runs of files share.
 */

import { existsSync, rmSync } from 'node:fs'
import { totalmem } from 'node:os'
import { basename, resolve } from 'node:path'
import type { CallArgs, CallResult, Handlers } from '../contract/calls.ts'
import {
  datasetNameSchema,
  nameOfComplement,
  nameOfSample,
  type Dataset,
  type StoredDataset,
} from '../contract/dataset.ts'
import { isFinal } from '../contract/run.ts'
import { nameTaken } from '../library/dataset-table.ts'
import { inputName } from '../library/leftovers.ts'
import type { Library } from '../library/library.ts'
import { patiently } from '../library/storage-failure.ts'
import { Failure, usageFailure, inputFailure } from '../../workers/base/failure.ts'
import type { JobContext } from '../../workers/base/job.ts'
import { IMPORT_SCRATCH, type DatasetFacts, type Recipe } from '../../workers/contract/jobs.ts'
import { nameOfModel } from '../../workers/contract/generators.ts'
import { inputFile, nameOfFile, sourceChecksum } from './files.ts'
import type { JobRunner } from '../pool/pool.ts'
import type { Listeners } from './listeners.ts'
import { canResume, remainders, removeRemainder, requireSame, withInterruptedImport } from './remainders.ts'
import { Trash } from './trash.ts'

/** First the folder, then the row; to remove, first the row, then the folder, aside. */
export class Datasets {
  readonly #library: Library
  readonly #runner: JobRunner
  readonly #listeners: Listeners
  readonly #trash: Trash
  /** An archive that was unpacked for the imports of its graphs. */
  #unpacked: { readonly source: string; readonly folder: string } | null = null
  #isClosing = false

  constructor(library: Library, runner: JobRunner, listeners: Listeners) {
    this.#library = library
    this.#runner = runner
    this.#listeners = listeners
    this.#trash = new Trash(library, (removed) => listeners.tell({ type: 'removed-changed', removed: [...removed] }))
  }

  /** Datasets by name; yields now and then. */
  async list(): Promise<Dataset[]> {
    const rows = this.#library.datasets.list()
    const datasets: Dataset[] = []
    for (const row of rows) {
      datasets.push(this.#library.described(row))
      if (datasets.length % 256 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return datasets
  }

  /** @throws Failure (input) when it cannot be imported, or the name is taken (`reuse`: by something else) */
  async import(args: CallArgs<'datasets.import'>, job: JobContext): Promise<CallResult<'datasets.import'>> {
    const { name: wanted, reuse, link, pack, ...options } = args
    const source = inputFile(args.source)
    const name = checkedDatasetName(wanted ?? nameOfFile(source))
    const sources = options.sources?.map((file) => inputFile(file))
    const vertices = options.vertices === undefined ? undefined : inputFile(options.vertices)
    const labels = options.labels === undefined ? undefined : inputFile(options.labels)
    const known = reuse === true ? this.#library.datasets.find(name) : null
    if (known !== null)
      return { dataset: this.#library.described(await this.#sameSource(known, source, job)), reused: true }
    const dataset = await this.#make(
      name,
      job,
      async (folder) => {
        const unpacked = this.#unpacked?.source === source ? this.#unpacked.folder : undefined
        const files = { source, sources, vertices, labels, unpacked }
        const asked = { ...options, ...files, folder, datasetName: name, keepScratch: true }
        const linked = link === undefined ? null : await this.#runner.run('link', asked, job)
        if (linked === null && link === 'always') throw notLinked(source)
        return linked ?? (await this.#packed(folder, await this.#runner.run('import', asked, job), pack, job))
      },
      recipe('datasets.import', { ...options, source, sources, vertices, labels }),
    )
    return { dataset, reused: false }
  }

  /** Links a file under a free name; the dataset is null if the file is not canonical. */
  link(source: string, name: string, job: JobContext) {
    const folder = this.#library.newDatasetFolder(name)
    const dataset = this.#makeIn(folder, name, job, (path) =>
      this.#runner.run('link', { source: inputFile(source), folder: path }, job),
    )
    return { folder: this.#library.datasetFolder({ folder }), dataset }
  }

  /** Several datasets: all or none. An interrupted import that is interrupted again keeps what it did. */
  readonly calls: Handlers<'datasets.'> = {
    'datasets.list': async () => ({ datasets: await this.list() }),
    'datasets.get': async ({ name }) => ({ dataset: this.#library.described(this.#library.datasets.get(name)) }),
    'datasets.import': (args, job) => this.import(args, job),
    'datasets.resume': async ({ which, memoryBytes, threads, pack, asked = {} }, job) => {
      const dataset = await withInterruptedImport(this.#library, which, job, async (left) => {
        const name = checkedDatasetName(left.name)
        requireSame(left, asked)
        if (this.#library.datasets.find(name) !== null) throw nameTaken(name)
        const folder = basename(left.args.folder)
        const path = this.#library.datasetFolder({ folder })
        const args = { ...left.args, folder: path, memoryBytes, threads, resume: true, keepScratch: true }
        const made = this.#runner.run('import', args, job).then((facts) => this.#packed(path, facts, pack, job))
        const facts = await this.#cleanly(path, job, made)
        const report = { ...facts.report, recipe: recipe('datasets.import', left.args) }
        const dataset = await this.#enter(name, folder, { ...facts, report })
        this.#library.discardInput(left.args.source)
        return dataset
      })
      return { dataset }
    },
    'datasets.store': async ({ name }, job) => {
      const row = this.#library.datasets.get(name)
      const { bytes } = await this.#runner.run('store', this.#library.place(row), job)
      return { dataset: this.#changed(row), bytes }
    },
    'datasets.pack': ({ name }, job) => this.#repack('pack', name, job),
    'datasets.unpack': ({ name }, job) => this.#repack('unpack-graph', name, job),
    'datasets.remainders': async () => ({ remainders: remainders(this.#library) }),
    'datasets.clean': async () => {
      const removed = remainders(this.#library)
      for (const remainder of removed) removeRemainder(this.#library, remainder)
      return { removed }
    },
    'datasets.generate': async ({ name, pack, ...model }, job) => ({
      dataset: await this.#make(
        name ?? nameOfModel(model),
        job,
        async (folder) =>
          this.#packed(folder, await this.#runner.run('generate', { ...model, folder }, job), pack, job),
        recipe('datasets.generate', model),
      ),
    }),
    'datasets.sample': async ({ name, sample, radiusKm }, job) => ({
      dataset: await this.#make(
        name ?? nameOfSample(radiusKm),
        job,
        (folder) => this.#runner.run('sample', { folder, sample, radiusKm }, job),
        recipe('datasets.sample', { sample, radiusKm }),
      ),
    }),
    'datasets.complement': async ({ name, as = nameOfComplement(name) }, job) => {
      const of = this.#library.datasets.get(name)
      const { labels, attributes, recipe: made } = of.report
      const asked = { ...this.#library.place(of), source: name, labels, attributes: attributes?.vertices ?? [] }
      const dataset = await this.#make(
        as,
        job,
        (to) => this.#runner.run('complement', { ...asked, to }, job),
        recipe('datasets.complement', { of: { name, checksum: of.checksum, source: of.source, recipe: made } }),
      )
      return { dataset }
    },
    'datasets.export': ({ name, output, vertices: table, ...wanted }, job) => {
      const vertices = table === undefined ? undefined : resolve(table)
      return this.#runner.run(
        'export-graph',
        { ...wanted, ...this.#placeOf(name), output: resolve(output), vertices },
        job,
      )
    },
    'datasets.degrees': ({ name }, job) => this.#runner.run('degrees', this.#placeOf(name), job),
    'datasets.contents': ({ source, unpacks = false }, job) => {
      const file = inputFile(source)
      if (!unpacks) return this.#runner.run('contents', { source: file }, job)
      this.#discardUnpacked()
      const folder = this.#library.datasetFolder({ folder: inputName() })
      this.#unpacked = { source: file, folder }
      return this.#runner.run('contents', { source: file, unpack: folder }, job)
    },
    'datasets.preview': ({ source, joins, vertices, ...rest }, job) => {
      const [first, table] = [joins, vertices].map((file) => (file === undefined ? undefined : inputFile(file)))
      return this.#runner.run('preview', { ...rest, source: inputFile(source), joins: first, vertices: table }, job)
    },
    'datasets.rename': async ({ name, to }) => ({
      dataset: this.#changed(this.#library.datasets.rename(name, checkedDatasetName(to))),
    }),
    'datasets.tag': async ({ name, tags }) => ({ dataset: this.#tag(name, tags) }),
    'datasets.tagMany': async ({ names, add = [], remove = [] }) => {
      const datasets = names.map((name) => this.#library.datasets.get(name))
      const kept = (tag: string): boolean => !remove.includes(tag) || add.includes(tag)
      return { datasets: datasets.map(({ name, tags }) => this.#tag(name, [...tags.filter(kept), ...add])) }
    },
    'datasets.remove': async ({ name, forGood = false }) => {
      const { datasets, restorableUntil } = this.#remove([name])
      const dataset = datasets[0]!
      if (!forGood) return { dataset, restorableUntil }
      this.#trash.discard([dataset.id])
      return { dataset, restorableUntil: new Date().toISOString() }
    },
    'datasets.removeMany': async ({ names }) => this.#remove(names),
    'datasets.removed': async () => ({ removed: this.#trash.list() }),
    'datasets.discard': async ({ ids }) => {
      this.#trash.discard(ids)
      return { removed: this.#trash.list() }
    },
    'datasets.restore': async ({ id, name }) => {
      const { restored, runs } = this.#trash.restore(id, name === undefined ? undefined : checkedDatasetName(name))
      const dataset = this.#changed(restored)
      this.#tellRuns(runs)
      return { dataset }
    },
  }

  #placeOf(name: string) {
    return this.#library.place(this.#library.datasets.get(name))
  }

  #tag(name: string, tags: readonly string[]): Dataset {
    return this.#changed(this.#library.datasets.tag(name, [...new Set(tags)]))
  }

  /** @throws Failure (usage) while a run works on one */
  #remove(names: readonly string[]): { datasets: Dataset[]; restorableUntil: string } {
    const rows = [...new Set(names)].map((name) => this.#library.datasets.get(name))
    for (const row of rows) this.#refuseInUse(row)
    const datasets = rows.map((row) => this.#library.described(row))
    const users = this.#library.runs.list().filter(({ datasetId }) => rows.some(({ id }) => id === datasetId))
    const until = rows.map((row) => this.#trash.put(row)).at(-1) ?? new Date()
    for (const { name } of rows) this.#listeners.tell({ type: 'dataset-removed', name })
    this.#tellRuns(users.map(({ id }) => id))
    return { datasets, restorableUntil: until.toISOString() }
  }

  /** Runs lose their dataset, or have it again. */
  #tellRuns(ids: readonly string[]): void {
    const wanted = new Set(ids)
    for (const run of this.#library.runs.list().filter(({ id }) => wanted.has(id)))
      this.#listeners.tell({ type: 'run-changed', run })
  }

  /** Closes before the engine ends: imports that it ends then can be resumed. */
  close(): void {
    this.#isClosing = true
    this.#discardUnpacked()
    this.#trash.close()
  }

  #discardUnpacked(): void {
    if (this.#unpacked !== null) this.#library.discardInput(this.#unpacked.folder)
    this.#unpacked = null
  }

  /** @param wanted absent: where the machine's memory would not hold the graph twice, so that a pass over it reads the disk */
  async #packed(folder: string, facts: DatasetFacts, wanted: boolean | undefined, job: JobContext) {
    const isWanted = wanted ?? 2 * facts.bytes > Math.min(totalmem(), process.constrainedMemory() || Infinity)
    if (isWanted) await this.#runner.run('pack', { folder, checksum: facts.checksum }, job)
    return facts
  }

  async #repack(how: 'pack' | 'unpack-graph', name: string, job: JobContext) {
    const row = this.#library.datasets.get(name)
    this.#refuseInUse(row)
    const outcome = await this.#runner.run(how, this.#library.place(row), job)
    return { ...outcome, dataset: this.#changed(row) }
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
    const dataset = this.#library.described(row)
    this.#listeners.tell({ type: 'dataset-changed', dataset })
    return dataset
  }

  async #make(
    wanted: string,
    job: JobContext,
    work: (folder: string) => Promise<DatasetFacts>,
    made: Recipe,
  ): Promise<Dataset> {
    const withRecipe = async (folder: string): Promise<DatasetFacts> => {
      const facts = await work(folder)
      return { ...facts, report: { ...facts.report, recipe: made } }
    }
    return (await this.#makeIn(this.#library.newDatasetFolder(wanted), wanted, job, withRecipe))!
  }

  /** @returns null where `work` makes none */
  async #makeIn(
    folder: string,
    wanted: string,
    job: JobContext,
    work: (folder: string) => Promise<DatasetFacts | null>,
  ): Promise<Dataset | null> {
    const name = checkedDatasetName(wanted)
    if (this.#library.datasets.find(name) !== null) throw nameTaken(name)
    const path = this.#library.datasetFolder({ folder })
    let facts: DatasetFacts | null
    try {
      facts = await this.#cleanly(path, job, work(path))
    } catch (error) {
      // Its scratch folder can be resumed.
      this.#library.discard(path)
      throw error
    }
    if (facts === null) return null
    try {
      return await this.#enter(name, folder, facts)
    } catch (error) {
      // A disk that is full, or a library that is held, is no reason to lose it.
      const isKept = error instanceof Failure && error.code === 'storage' && existsSync(`${path}${IMPORT_SCRATCH}`)
      if (isKept) this.#library.keptImports.add(`${folder}${IMPORT_SCRATCH}`)
      else this.#discard(path)
      throw isKept ? new Failure({ ...error.toValue(), fixes: [{ action: 'resume-import' }] }) : error
    }
  }

  /**
   * Nothing stays of what a person cancelled, also where the engine was killed; nor of an import that failed by a fault,
   * or whose engine died before there was anything to resume from: a resume would only fail again.
   */
  async #cleanly<Facts>(path: string, job: JobContext, work: Promise<Facts>): Promise<Facts> {
    try {
      return await work
    } catch (error) {
      const code = error instanceof Failure ? error.code : 'fault'
      const isCancelled = code === 'cancelled' && (job.signal.aborted || !this.#isClosing)
      const isLost = code === 'fault' || (code === 'engine' && !canResume(path))
      if (isCancelled || isLost) this.#discard(path)
      throw error
    }
  }

  #discard(path: string): void {
    rmSync(`${path}${IMPORT_SCRATCH}`, { recursive: true, force: true })
    this.#library.discard(path)
  }

  /** Enters a dataset into the library; then its scratch folder goes. */
  async #enter(name: string, folder: string, facts: DatasetFacts): Promise<Dataset> {
    const row = await patiently(() => this.#library.datasets.insert({ name, folder, facts }))
    rmSync(`${this.#library.datasetFolder({ folder })}${IMPORT_SCRATCH}`, { recursive: true, force: true })
    return this.#changed(row)
  }

  async #sameSource(dataset: StoredDataset, source: string, job: JobContext): Promise<StoredDataset> {
    // Every use checks that it has not changed.
    if (this.#library.described(dataset).linked === source) return dataset
    if ((await sourceChecksum(source, job)) === dataset.report.sourceSha256) return dataset
    throw inputFailure(
      source,
      `the library has a dataset called "${dataset.name}" already, made from something else`,
      'Import the file under another name, then run that.',
    )
  }
}

/** Arguments that make no other graph. */
const ofPlace = ['memoryBytes', 'threads', 'sourceName', 'folder', 'datasetName', 'keepScratch', 'resume'] as const

/** How a dataset is made again. */
function recipe(call: Recipe['call'], asked: Readonly<Record<string, unknown>>): Recipe {
  const isOfPlace = (name: string): boolean => ofPlace.some((one) => one === name)
  const args = Object.entries(asked).filter(([name, value]) => value !== undefined && !isOfPlace(name))
  return { call, args: Object.fromEntries(args) }
}

function notLinked(source: string): Failure {
  return inputFailure(
    source,
    'this file cannot stay where it is, and a copy would be put in order: its graph is not canonical, or not of 32-bit ids in .gr or .egr',
    '',
    [{ action: 'omit', option: 'link' }],
  )
}

/** @throws Failure (usage) */
function checkedDatasetName(name: string): string {
  if (datasetNameSchema.safeParse(name).success) return name
  throw usageFailure(
    undefined,
    `a dataset cannot be called "${name}"`,
    'Write 1 to 100 characters without slashes, not starting with a dot or a hyphen.',
    [{ action: 'choose', option: 'name' }],
  )
}

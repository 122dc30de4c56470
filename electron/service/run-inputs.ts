import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { closeSync, copyFileSync, existsSync, openSync, readFileSync, readSync, writeFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from '../library/library.ts'
import { writeAside } from '../../workers/base/output-file.ts'
import { asFailure, inputFailure } from '../../workers/base/failure.ts'
import type { AnyOptions } from '../../workers/contract/catalogue.ts'
import { inputFile } from './files.ts'
import type { StoredDataset } from '../contract/dataset.ts'
import type { RunRecord, RunRequest } from '../contract/run.ts'
import type { JobContext } from '../../workers/base/job.ts'
import { computesUnchecked } from '../../workers/contract/run.ts'
import type { Datasets } from './datasets.ts'

const SUM_SUFFIX = '.sha256'
const lists = { columnFile: 'column.txt', keepFile: 'keep.txt', excludeFile: 'exclude.txt' } as const

type RunList = keyof typeof lists

/** @throws Failure (input) */
export function requireLists(request: AnyOptions): void {
  for (const key of Object.keys(lists) as RunList[]) {
    const file = request[key]
    if (file === undefined) continue
    try {
      const opened = openSync(inputFile(file), 'r')
      try {
        readSync(opened, Buffer.alloc(1))
      } finally {
        closeSync(opened)
      }
    } catch (error) {
      throw asFailure(error, file)
    }
  }
}

/** Keeps lists, to repeat and check the run after they have changed. */
export function keepLists(request: AnyOptions, folder: string): void {
  for (const [key, kept] of Object.entries(lists) as [RunList, string][]) {
    const file = request[key]
    if (file === undefined) continue
    try {
      copyFileSync(inputFile(file), join(folder, kept))
      // A verification reads it again.
      if (kept === lists.excludeFile) writeFileSync(join(folder, `${kept}${SUM_SUFFIX}`), sha256Of(join(folder, kept)))
    } catch (error) {
      throw asFailure(error, file)
    }
  }
}

/** Longer lists are known by their checksum alone: a record is read as a whole. */
const MOST_TEXT = 1 << 20

/** What a record says of the lists that a run was given; undefined for none. */
export function listsOf(folder: string): NonNullable<RunRecord['lists']> | undefined {
  const known = Object.entries(lists)
    .map(([key, kept]) => [key, join(folder, kept)] as const)
    .filter(([, file]) => existsSync(file))
    .map(([key, file]) => {
      const bytes = readFileSync(file)
      const text = bytes.length <= MOST_TEXT && isUtf8(bytes) ? bytes.toString('utf8') : undefined
      return [key, { sha256: sha256Of(file), text }] as const
    })
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

/** The lists that a run was given, by the names that its folder and its archive have for them. */
export const keptLists = (folder: string): { readonly name: string; readonly file: string }[] =>
  Object.values(lists)
    .map((name) => ({ name, file: join(folder, name) }))
    .filter(({ file }) => existsSync(file))

/** undefined for none. @throws Failure (input) where it was changed */
export function keptExclusions(folder: string): string | undefined {
  const file = join(folder, lists.excludeFile)
  const sum = `${file}${SUM_SUFFIX}`
  // Version 0.1.
  if (!existsSync(sum)) return existsSync(file) ? file : undefined
  if (existsSync(file) && readFileSync(sum, 'latin1') === sha256Of(file)) return file
  throw inputFailure(
    file,
    'the list that the run was given is damaged',
    'Repeat the run; check the disk if it happens again.',
  )
}

/** One a line, under a name made of them. @throws Failure (storage) */
export function writeList(library: Library, labels: readonly string[]): string {
  const text = `${labels.join('\n')}\n`
  const file = join(library.folder, 'lists', `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.txt`)
  writeAside(file, [Buffer.from(text)])
  return file
}

const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** A longer run keeps checkpoints, which need the identity of the graph. */
const MOST_BYTES = 8 * 2 ** 30

/** Whether it computes while the file is checked. */
export function runsBesideCheck(source: string, request: RunRequest): boolean {
  const size = statSync(source, { throwIfNoEntry: false })?.size ?? Infinity
  return computesUnchecked(request) && request.checkpointEveryMs === undefined && size <= MOST_BYTES
}

/** Becomes the dataset of a run. */
export class RunFile {
  readonly source: string
  readonly #name: string
  readonly #importer: Datasets
  readonly #job: JobContext
  #linking: ReturnType<Datasets['link']> | undefined
  #isOver = false

  constructor(source: string, name: string, importer: Datasets, job: JobContext) {
    this.source = source
    this.#name = name
    this.#importer = importer
    this.#job = job
  }

  /** Anew where it failed before. */
  begin() {
    if (this.#linking === undefined) {
      const linking = this.#importer.link(this.source, this.#name, this.#job)
      this.#linking = linking
      linking.dataset.then(
        () => (this.#isOver = true),
        () => (this.#linking = undefined),
      )
    }
    return this.#linking
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The dataset of the link, else of an import. @throws Failure as these */
  async dataset(): Promise<StoredDataset> {
    const linked = await this.begin().dataset
    return linked ?? (await this.#importer.import({ source: this.source, name: this.#name }, this.#job)).dataset
  }
}

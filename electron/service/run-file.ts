import { statSync } from 'node:fs'
import type { StoredDataset } from '../contract/dataset.ts'
import type { RunRequest } from '../contract/run.ts'
import type { JobContext } from '../../workers/base/job.ts'
import { computesUnchecked } from '../../workers/contract/jobs.ts'

/** A longer run keeps checkpoints, which need to know what the graph is. */
const MOST_BYTES = 8 * 2 ** 30

/** Makes datasets of files; the service's {@link Datasets}. */
export interface FileImporter {
  /** Begins to make a dataset of a canonical file that stays where it is; null where it is none. */
  link(source: string, name: string, job: JobContext): Linking
  import(
    args: { readonly source: string; readonly name: string },
    job: JobContext,
  ): Promise<{ readonly dataset: StoredDataset }>
}

export interface Linking {
  /** Where the dataset will be. */
  readonly folder: string
  readonly dataset: Promise<StoredDataset | null>
}

/** Whether a run can go through the file while that is checked. */
export function runsBesideCheck(source: string, request: RunRequest): boolean {
  const size = statSync(source, { throwIfNoEntry: false })?.size ?? Infinity
  return computesUnchecked(request) && request.checkpointEveryMs === undefined && size <= MOST_BYTES
}

/** The file of a run, which becomes its dataset on the way. */
export class RunFile {
  readonly source: string
  readonly #name: string
  readonly #importer: FileImporter
  readonly #job: JobContext
  #linking: Linking | undefined
  #isOver = false

  constructor(source: string, name: string, importer: FileImporter, job: JobContext) {
    this.source = source
    this.#name = name
    this.#importer = importer
    this.#job = job
  }

  /** Begins the check, unless it has begun. */
  begin(): Linking {
    if (this.#linking === undefined) {
      this.#isOver = false
      const linking = this.#importer.link(this.source, this.#name, this.#job)
      const end = (): void => void (this.#isOver = true)
      linking.dataset.then(end, end)
      this.#linking = linking
    }
    return this.#linking
  }

  /** Whether there is nothing to do beside the check any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The dataset: that of the link, else of an import. @throws Failure as these end with; then another attempt begins anew */
  async dataset(): Promise<StoredDataset> {
    try {
      const linked = await this.begin().dataset
      return linked ?? (await this.#importer.import({ source: this.source, name: this.#name }, this.#job)).dataset
    } catch (error) {
      this.#linking = undefined
      throw error
    }
  }
}

import { statSync } from 'node:fs'
import type { StoredDataset } from '../contract/dataset.ts'
import type { RunRequest } from '../contract/run.ts'
import type { JobContext } from '../../workers/base/job.ts'
import { computesUnchecked } from '../../workers/contract/run.ts'
import type { Datasets } from './datasets.ts'

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

  begin() {
    if (this.#linking === undefined) {
      this.#isOver = false
      const linking = this.#importer.link(this.source, this.#name, this.#job)
      const end = (): void => void (this.#isOver = true)
      linking.dataset.then(end, end)
      this.#linking = linking
    }
    return this.#linking
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Of the link, else of an import. @throws Failure as these; another attempt begins anew */
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

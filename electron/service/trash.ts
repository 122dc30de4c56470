import type { StoredDataset } from '../contract/dataset.ts'
import type { Library } from '../library/library.ts'
import { inputFailure } from '../../workers/base/failure.ts'

const TRASH_MS = 10 * 60_000

interface Trashed {
  readonly row: StoredDataset
  readonly runs: readonly string[]
  readonly aside: string
  readonly timer: NodeJS.Timeout
}

/** Of this session; swept at the next start. */
export class Trash {
  readonly #library: Library
  readonly #trashed = new Map<number, Trashed>()

  constructor(library: Library) {
    this.#library = library
  }

  /** @returns until when it can be restored */
  put(row: StoredDataset): Date {
    const runs = this.#library.datasets.remove(row.id)
    const aside = this.#library.trash(this.#library.datasetFolder(row))
    const timer = setTimeout(() => this.#discard(row.id), TRASH_MS)
    timer.unref()
    this.#trashed.set(row.id, { row, runs, aside, timer })
    return new Date(Date.now() + TRASH_MS)
  }

  /** @throws Failure (input) when it is not here, or its name is taken */
  restore(id: number, name: string | undefined): StoredDataset {
    const trashed = this.#trashed.get(id)
    if (trashed === undefined)
      throw inputFailure(
        undefined,
        'this dataset cannot be brought back any more',
        'Removed datasets are kept for ten minutes, until the program ends; import it again.',
      )
    const { row, runs, aside, timer } = trashed
    this.#library.untrash(aside, this.#library.datasetFolder(row))
    try {
      const restored = this.#library.datasets.restore({ ...row, name: name ?? row.name }, runs)
      clearTimeout(timer)
      this.#trashed.delete(id)
      return restored
    } catch (error) {
      this.#library.trash(this.#library.datasetFolder(row))
      throw error
    }
  }

  empty(): void {
    for (const id of [...this.#trashed.keys()]) this.#discard(id)
  }

  #discard(id: number): void {
    const trashed = this.#trashed.get(id)
    if (trashed === undefined) return
    clearTimeout(trashed.timer)
    this.#trashed.delete(id)
    try {
      this.#library.discard(trashed.aside)
    } catch {
      // Swept at the next start.
    }
  }
}

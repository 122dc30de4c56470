import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import type { Dataset } from '../contract/dataset.ts'
import { DatasetTable } from './dataset-table.ts'
import { openDatabase } from './database.ts'
import type { DatabaseOptions } from './database.ts'
import { discardFolder, restoreFolder, sweepLeftovers, trashFolder } from './leftovers.ts'
import { RunTable } from './run-table.ts'
import { SettingsTable } from './settings-table.ts'
import { inLibrary } from './storage-failure.ts'

/**
 * A folder with everything that a person has imported and computed:
 *
 *     library.sqlite            what there is
 *     datasets/<folder>/        graph.gr, labels, views
 *     runs/<run id>/            set.bits, record.json, the lists that the run was given
 */
export class Library {
  readonly folder: string
  readonly datasets: DatasetTable
  readonly runs: RunTable
  readonly settings: SettingsTable
  readonly #database: Database.Database

  private constructor(folder: string, database: Database.Database) {
    this.folder = folder
    this.#database = database
    this.datasets = new DatasetTable(database)
    this.runs = new RunTable(database)
    this.settings = new SettingsTable(database)
  }

  /**
   * Opens the library in a folder, which is made where it is missing. Runs whose process is gone become interrupted.
   * @throws Failure (input or storage) when the folder cannot be used.
   */
  static open(folder: string, options: DatabaseOptions = {}): Library {
    inLibrary(folder, () => {
      mkdirSync(join(folder, 'datasets'), { recursive: true })
      mkdirSync(join(folder, 'runs'), { recursive: true })
    })
    const library = new Library(folder, openDatabase(join(folder, 'library.sqlite'), options))
    library.runs.interruptOrphans()
    inLibrary(folder, () => sweepLeftovers(join(folder, 'datasets')))
    inLibrary(folder, () => sweepLeftovers(join(folder, 'runs')))
    return library
  }

  /** Number of the database's format. */
  get version(): number {
    return Number(this.#database.pragma('user_version', { simple: true }))
  }

  /** Where a dataset's files lie. */
  datasetFolder(dataset: Pick<Dataset, 'folder'>): string {
    return join(this.folder, 'datasets', dataset.folder)
  }

  /** What the engine is told of a dataset: where it is, and the identity of its graph. */
  place(dataset: Pick<Dataset, 'folder' | 'checksum'>): { readonly folder: string; readonly checksum: string } {
    return { folder: this.datasetFolder(dataset), checksum: dataset.checksum }
  }

  /** A folder name for a new dataset that nothing uses yet: it is told by its name, but a later rename leaves it as it is. */
  newDatasetFolder(name: string): string {
    const readable = name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60)
    for (;;) {
      const folder = `${readable}-${randomBytes(3).toString('hex')}`
      if (!existsSync(this.datasetFolder({ folder }))) return folder
    }
  }

  /** Where a run's files lie. */
  runFolder(id: string): string {
    return join(this.folder, 'runs', id)
  }

  /** The set of a run as a bit vector. */
  setFile(id: string): string {
    return join(this.runFolder(id), 'set.bits')
  }

  /** The matching of a run: the mate of every vertex as u32. */
  matesFile(id: string): string {
    return join(this.runFolder(id), 'mates')
  }

  /** Takes the folder of a dataset or run away, whole or half-written. */
  discard(folder: string): void {
    inLibrary(folder, () => discardFolder(folder))
  }

  /** Moves a folder aside; what is returned goes to {@link untrash} or {@link discard}. The trash of dead programs is swept. */
  trash(folder: string): string {
    return inLibrary(folder, () => trashFolder(folder))
  }

  untrash(aside: string, folder: string): void {
    inLibrary(folder, () => restoreFolder(aside, folder))
  }

  close(): void {
    this.#database.close()
  }
}

/**
 * A folder with everything that a person has imported and computed:
 *     library.sqlite            what there is
 *     datasets/<folder>/        graph.gr or graph.packed, labels, tiles
 *     runs/<run id>/            set.bits, mates or values, record.json, the lists that the run was given
 * It is opened by any number of processes; each row names the owner of work that is under way, and work of dead owners is marked as interrupted.
 * database.ts opens the file, leftovers.ts sweeps.
 */

import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type Database from 'better-sqlite3'
import { z } from 'zod'
import type { Dataset, StoredDataset } from '../contract/dataset.ts'
import { makeFolders, readSealed } from '../../workers/base/output-file.ts'
import { algorithmEntry } from '../../workers/contract/catalogue.ts'
import { COORDINATES_FILE, LINK_FILE, PACKED_FILE } from '../../workers/contract/jobs.ts'
import type { Run } from '../contract/run.ts'
import { ClaimTable } from './owner.ts'
import { DatasetTable } from './dataset-table.ts'
import { openDatabase, type DatabaseOptions } from './database.ts'
import { canBeWritten, openCopy } from './read-only.ts'
import { REMOVED, bytesUnder, discardInput, retireViews, sweepLeftovers, sweepRunFolders } from './leftovers.ts'
import { RunTable } from './run-table.ts'
import { SettingsTable } from './settings-table.ts'
import { inLibrary, storageFailure } from './storage-failure.ts'

const DATABASE_FILE = 'library.sqlite'
const RESULT_FILES = {
  'independent-set': 'set.bits',
  matching: 'mates',
  'b-matching': 'pairs',
  values: 'values',
} as const
/** An existing folder keeps its permissions. */
const PRIVATE = 0o700

/** The library of one folder, opened. */
export class Library {
  readonly folder: string
  readonly datasets: DatasetTable
  readonly runs: RunTable
  readonly settings: SettingsTable
  readonly claims: ClaimTable
  readonly retiredViews: ReturnType<typeof retireViews>
  /** Whether its folder cannot be written: on a read-only disk, or another person's. Then the database is a copy that takes no changes. */
  readonly readOnly: boolean
  /** Scratch folders of imports that ended here for want of nothing but their row: their engine may live, but is done with them. */
  readonly keptImports = new Set<string>()
  readonly #database: Database.Database

  private constructor(folder: string, database: Database.Database, retired?: Library['retiredViews']) {
    this.folder = folder
    this.readOnly = retired === undefined
    this.retiredViews = retired ?? { files: 0, bytes: 0 }
    this.#database = database
    this.datasets = new DatasetTable(database)
    this.runs = new RunTable(database)
    this.settings = new SettingsTable(database)
    this.claims = new ClaimTable(database)
  }

  /**
   * Made where it is missing, for its owner alone; runs of dead processes become interrupted. One that cannot be written is opened to be looked
   * at. @throws Failure (input or storage)
   */
  static open(folder: string, options: DatabaseOptions = {}): Library {
    const file = join(folder, DATABASE_FILE)
    if (!canBeWritten(folder, file)) return Library.#look(folder, openCopy(file))
    inLibrary(folder, () => {
      for (const name of ['datasets', 'runs']) makeFolders(join(folder, name), PRIVATE)
      // SQLite gives the files beside it the same permissions.
      if (!existsSync(file)) closeSync(openSync(file, 'a', statSync(folder).mode & 0o666))
    })
    const database = openDatabase(file, options)
    const retired = inLibrary(folder, () => retireViews(join(folder, 'datasets')))
    const library = new Library(folder, database, retired)
    const orphans = library.runs.interruptOrphans()
    inLibrary(folder, () => {
      for (const id of orphans.filter((each) => existsSync(library.runFolder(each))))
        sweepLeftovers(library.runFolder(id))
      sweepLeftovers(join(folder, 'datasets'))
      sweepLeftovers(join(folder, 'runs'))
      sweepRunFolders(join(folder, 'runs'), (id) => library.runs.find(id) !== null)
    })
    return library
  }

  static #look(folder: string, copy: Database.Database): Library {
    const library = new Library(folder, copy)
    library.runs.interruptOrphans()
    copy.pragma('query_only = ON')
    return library
  }

  /** What is written into one that was deleted or moved would be lost. @throws Failure (storage) */
  requirePresent(): void {
    if (existsSync(join(this.folder, DATABASE_FILE))) return
    throw storageFailure(this.folder, 'the library was deleted or moved', 'Put it back, or connect its disk again.')
  }

  /** Another number once another process has changed the database. @throws Failure (storage) */
  get dataVersion(): number {
    return inLibrary(this.folder, () => Number(this.#database.pragma('data_version', { simple: true })))
  }

  get version(): number {
    return Number(this.#database.pragma('user_version', { simple: true }))
  }

  datasetFolder(dataset: Pick<Dataset, 'folder'>): string {
    return join(this.folder, 'datasets', dataset.folder)
  }

  /** Its place, and the identity of its graph. */
  place(dataset: Pick<Dataset, 'folder' | 'checksum'>): { readonly folder: string; readonly checksum: string } {
    return { folder: this.datasetFolder(dataset), checksum: dataset.checksum }
  }

  /** A dataset with what its folder says. */
  described(stored: StoredDataset): Dataset {
    const folder = this.datasetFolder(stored)
    return {
      ...stored,
      diskBytes: bytesUnder(folder),
      linked: linkedFile(join(folder, LINK_FILE)),
      packedBytes: packedBytesIn(folder),
      coordinates: existsSync(join(folder, COORDINATES_FILE)),
    }
  }

  /** Free; a later rename of the dataset leaves it. */
  newDatasetFolder(name: string): string {
    const readable = name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60)
    for (;;) {
      const folder = `${readable}-${randomBytes(3).toString('hex')}`
      if (!existsSync(this.datasetFolder({ folder }))) return folder
    }
  }

  /** Not made yet; swept when this program was killed. */
  scratchFolder(of: string): string {
    if (this.readOnly) return join(tmpdir(), `anticlique-${of}-${randomBytes(8).toString('hex')}`)
    return this.datasetFolder({ folder: `${of}.partial-${process.pid}-${randomBytes(4).toString('hex')}` })
  }

  runFolder(id: string): string {
    return join(this.folder, 'runs', id)
  }

  /** The result of a run: a set as a bit vector, the mate or the value of every vertex, or pairs, as u32. */
  resultFile({ id, request }: Pick<Run, 'id' | 'request'>): string {
    return join(this.runFolder(id), RESULT_FILES[algorithmEntry(request.algorithm)?.kind ?? 'independent-set'])
  }

  /** Moved aside first: it is never seen half deleted. One that is gone is discarded. */
  discard(folder: string): void {
    const [parent, name] = [dirname(folder), basename(folder)]
    inLibrary(folder, () => {
      if (!existsSync(parent)) return
      if (existsSync(folder)) {
        const aside = join(parent, `${REMOVED}${name}`)
        rmSync(aside, { recursive: true, force: true })
        renameSync(folder, aside)
        rmSync(aside, { recursive: true, force: true })
      }
      for (const sibling of readdirSync(parent))
        if (sibling.startsWith(`${name}.partial-`)) rmSync(join(parent, sibling), { recursive: true, force: true })
    })
  }

  /** The result goes to {@link untrash} or {@link discard}. */
  trash(folder: string): string {
    const aside = join(dirname(folder), `.trash-${process.pid}-${basename(folder)}`)
    inLibrary(folder, () => {
      if (existsSync(folder)) renameSync(folder, aside)
    })
    return aside
  }

  untrash(aside: string, folder: string): void {
    inLibrary(folder, () => {
      if (existsSync(aside)) renameSync(aside, folder)
    })
  }

  discardInput(file: string): void {
    if (dirname(file) === join(this.folder, 'datasets')) inLibrary(file, () => discardInput(file))
  }

  close(): void {
    this.#database.close()
  }
}

/** null where the raw graph is there, which then counts. */
function packedBytesIn(folder: string): number | null {
  if (existsSync(join(folder, 'graph.gr'))) return null
  return statSync(join(folder, PACKED_FILE), { throwIfNoEntry: false })?.size ?? null
}

const linkSchema = z.object({ path: z.string() })

/** null where it is in the folder, or damaged. */
function linkedFile(link: string): string | null {
  const path = linkSchema.safeParse(readSealed(link)).data?.path
  return path !== undefined && isAbsolute(path) ? path : null
}

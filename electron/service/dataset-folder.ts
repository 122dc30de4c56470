import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Dataset, StoredDataset } from '../contract/dataset.ts'
import type { Library } from '../library/library.ts'
import { COORDINATES_FILE, TILES_FOLDER } from '../../workers/jobs.ts'

interface FolderFacts {
  /** Changes whenever a file of the folder or of its tiles comes or goes. */
  readonly stamp: string
  readonly diskBytes: number
  readonly coordinates: boolean
}

/** Adds to a dataset's row what lies in its folder; folders that have not changed since are not read again. */
export class DatasetFolders {
  readonly #library: Library
  readonly #known = new Map<number, FolderFacts>()

  constructor(library: Library) {
    this.#library = library
  }

  describe(stored: StoredDataset): Dataset {
    const folder = this.#library.datasetFolder(stored)
    const stamp = stampOf(folder)
    let facts = this.#known.get(stored.id)
    if (facts?.stamp !== stamp) {
      facts = { stamp, ...read(folder) }
      this.#known.set(stored.id, facts)
    }
    return { ...stored, diskBytes: facts.diskBytes, coordinates: facts.coordinates }
  }

  forget(id: number): void {
    this.#known.delete(id)
  }
}

/** Of a folder and its tiles: files are only ever added whole and removed whole, which moves their folder's time. */
function stampOf(folder: string): string {
  return [folder, join(folder, TILES_FOLDER)]
    .map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .join(' ')
}

function read(folder: string): Omit<FolderFacts, 'stamp'> {
  const files = filesOf(folder)
  const tiles = filesOf(join(folder, TILES_FOLDER))
  return {
    diskBytes: [...files, ...tiles].reduce((sum, { bytes }) => sum + bytes, 0),
    coordinates: files.some(({ name }) => name === COORDINATES_FILE),
  }
}

function filesOf(folder: string): { name: string; path: string; bytes: number }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, path: join(folder, name), bytes: bytesOf(join(folder, name)) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** 0 for a file that has gone meanwhile. */
const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

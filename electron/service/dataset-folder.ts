import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Dataset, StoredDataset } from '../contract/dataset.ts'
import type { Library } from '../library/library.ts'
import { COORDINATES_FILE, LINK_FILE, TILES_FOLDER } from '../../workers/contract/jobs.ts'

interface FolderFacts {
  /** Changes with any file of the folder or of its tiles. */
  readonly stamp: string
  readonly diskBytes: number
  readonly coordinates: boolean
  readonly linked: string | null
}

/** Folders that have not changed are not read again. */
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
    const { diskBytes, coordinates, linked } = facts
    return { ...stored, diskBytes, coordinates, linked }
  }

  forget(id: number): void {
    this.#known.delete(id)
  }
}

/** Files are added and removed whole, which moves their folder's time. */
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
    linked: files.some(({ name }) => name === LINK_FILE) ? linkedFile(join(folder, LINK_FILE)) : null,
  }
}

function filesOf(folder: string): { name: string; path: string; bytes: number }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, path: join(folder, name), bytes: bytesOf(join(folder, name)) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** null where it is in the folder, or damaged. */
function linkedFile(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8')
    const link: unknown = JSON.parse(text.slice(text.indexOf('\n') + 1))
    const file = typeof link === 'object' && link !== null && 'path' in link ? String(link.path) : ''
    return isAbsolute(file) ? file : null
  } catch {
    return null
  }
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

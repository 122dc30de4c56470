import { closeSync, existsSync, openSync, readSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Dataset, StoredDataset } from '../contract/dataset.ts'
import type { Library } from '../library/library.ts'
import { COORDINATES_FILE, VIEWS_FOLDER, VIEW_HEADER_BYTES } from '../../workers/jobs.ts'

interface FolderFacts {
  /** Changes whenever a file of the folder or of its views comes or goes. */
  readonly stamp: string
  readonly views: readonly string[]
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
      facts = { stamp, ...read(folder, stored.checksum) }
      this.#known.set(stored.id, facts)
    }
    return { ...stored, views: [...facts.views], diskBytes: facts.diskBytes, coordinates: facts.coordinates }
  }

  forget(id: number): void {
    this.#known.delete(id)
  }
}

/** Of a folder and its views: files are only ever added whole and removed whole, which moves their folder's time. */
function stampOf(folder: string): string {
  return [folder, join(folder, VIEWS_FOLDER)]
    .map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .join(' ')
}

function read(folder: string, checksum: string): Omit<FolderFacts, 'stamp'> {
  const files = filesOf(folder)
  const views = filesOf(join(folder, VIEWS_FOLDER))
  return {
    views: views.flatMap(({ name, path }) =>
      name.endsWith('.view') && graphOfView(path) === checksum ? [name.slice(0, -'.view'.length)] : [],
    ),
    diskBytes: [...files, ...views].reduce((sum, { bytes }) => sum + bytes, 0),
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

/** The checksum of the graph that a view was built from, as its header says; null where the header is damaged. */
function graphOfView(path: string): string | null {
  const header = Buffer.alloc(VIEW_HEADER_BYTES)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, header, 0, VIEW_HEADER_BYTES, 0)
    } finally {
      closeSync(file)
    }
    const parsed: unknown = JSON.parse(header.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null && 'graph' in parsed ? String(parsed.graph) : null
  } catch {
    return null
  }
}

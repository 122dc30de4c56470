import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Dataset, StoredDataset } from '../contract/dataset.ts'
import type { Library } from '../library/library.ts'
import { COORDINATES_FILE, LINK_FILE, TILES_FOLDER } from '../../workers/contract/jobs.ts'

/** With what its folder says. */
export function described(library: Library, stored: StoredDataset): Dataset {
  const folder = library.datasetFolder(stored)
  const files = filesIn(folder)
  const tiles = join(folder, TILES_FOLDER)
  return {
    ...stored,
    diskBytes: bytesOf(folder, files) + bytesOf(tiles, filesIn(tiles)),
    linked: files.includes(LINK_FILE) ? linkedFile(join(folder, LINK_FILE)) : null,
    coordinates: files.includes(COORDINATES_FILE),
  }
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
}

const bytesOf = (folder: string, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0)

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

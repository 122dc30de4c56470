import { existsSync, readdirSync, statSync, createReadStream } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, parse, resolve } from 'node:path'
import { withoutEndings } from '../contract/dataset.ts'
import type { FileEntry, FileList } from '../contract/files.ts'
import { asFailure, inputFailure } from '../../workers/base/failure.ts'
import { formatOfName } from '../../workers/contract/jobs.ts'
import { createHash } from 'node:crypto'
import { throwIfCancelled, type JobContext } from '../../workers/base/job.ts'

const MOST_ENTRIES = 5000

/** @throws Failure (input) when it cannot be read */
export function listFiles(wanted: string | undefined, libraryFolder: string): FileList {
  const folder = resolve(wanted ?? homedir())
  const entries = readEntries(folder)
  const parent = dirname(folder)
  return {
    folder,
    parent: parent === folder ? null : parent,
    places: placesOf(libraryFolder),
    entries: entries.slice(0, MOST_ENTRIES),
    truncated: entries.length > MOST_ENTRIES,
  }
}

function readEntries(folder: string): FileEntry[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .flatMap((name) => entryOf(folder, name))
      .sort(byKindAndName)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR')
      throw inputFailure(folder, 'this is a file, not a folder', 'Name its folder.')
    throw asFailure(error, folder)
  }
}

/** None for what cannot be looked at. */
function entryOf(folder: string, name: string): FileEntry[] {
  const path = join(folder, name)
  try {
    const stat = statSync(path)
    if (!stat.isFile() && !stat.isDirectory()) return []
    const common = { name, path, modifiedAt: stat.mtime.toISOString() }
    if (stat.isDirectory()) return [{ ...common, kind: 'folder', bytes: 0 }]
    const format = formatOfName(name)
    return [{ ...common, kind: 'file', bytes: stat.size, ...(format === undefined ? {} : { format }) }]
  } catch {
    return []
  }
}

const byKindAndName = (a: FileEntry, b: FileEntry): number =>
  a.kind === b.kind ? a.name.localeCompare(b.name, 'en', { numeric: true }) : a.kind === 'folder' ? -1 : 1

function placesOf(libraryFolder: string): FileList['places'] {
  const home = homedir()
  const named = ['Desktop', 'Documents', 'Downloads'].map((name) => ({ name, path: join(home, name) }))
  const places = [
    { name: 'Home', path: home },
    ...named,
    { name: `Here (${basename(process.cwd())})`, path: process.cwd() },
    { name: 'Library', path: libraryFolder },
    { name: 'Computer', path: parse(home).root },
  ]
  return places.filter(({ path }, i) => existsSync(path) && places.findIndex((other) => other.path === path) === i)
}

/** Absolute. Opening a pipe would wait for its other end. @throws Failure (input) for what is no file */
export function inputFile(path: string): string {
  const file = resolve(path)
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined || found.isFile() || found.isDirectory()) return file
  } catch (error) {
    throw asFailure(error, path)
  }
  throw inputFailure(path, 'this is a pipe or a device, not a file', 'Save it to a file first.')
}

/** What its dataset is called. */
export const nameOfFile = (file: string): string => withoutEndings(basename(file))

/** The checksum of a file as stored, hexadecimal. @throws Failure (input) */
export async function sourceChecksum(file: string, job: JobContext): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      throwIfCancelled(job.signal)
      hash.update(chunk as Buffer)
    }
  } catch (error) {
    throw asFailure(error, file)
  }
  return hash.digest('hex')
}

import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Library } from '../library/library.ts'
import { inLibrary } from '../library/storage-failure.ts'
import { writeWhole } from '../library/whole-file.ts'
import { Failure, asFailure } from '../../workers/base/failure.ts'
import type { AnyOptions } from '../../workers/contract/catalogue.ts'
import { inputFile } from './input-file.ts'

const SUM_SUFFIX = '.sha256'
const lists = { columnFile: 'column.txt', keepFile: 'keep.txt', excludeFile: 'exclude.txt' } as const

export type RunList = keyof typeof lists

/** @throws Failure (input) for a list that is not there, or that nobody may read; for whatever algorithm it was given */
export function requireLists(request: AnyOptions): void {
  for (const key of Object.keys(lists) as RunList[]) {
    const file = request[key]
    if (file === undefined) continue
    try {
      const opened = openSync(inputFile(file), 'r')
      try {
        readSync(opened, Buffer.alloc(1))
      } finally {
        closeSync(opened)
      }
    } catch (error) {
      throw asFailure(error, file)
    }
  }
}

/** Copies the lists that a run was given into its folder, so that it can be repeated and checked after they have changed. */
export function keepLists(request: AnyOptions, folder: string): void {
  for (const [key, kept] of Object.entries(lists) as [RunList, string][]) {
    const file = request[key]
    if (file === undefined) continue
    try {
      copyFileSync(inputFile(file), join(folder, kept))
      // The one that a verification reads again.
      if (kept === lists.excludeFile) writeFileSync(join(folder, `${kept}${SUM_SUFFIX}`), sha256Of(join(folder, kept)))
    } catch (error) {
      throw asFailure(error, file)
    }
  }
}

/** The kept copy of a list, or undefined where the run had none. @throws Failure (input) when it is not what was kept */
export function keptList(folder: string, list: RunList): string | undefined {
  const file = join(folder, lists[list])
  const sum = `${file}${SUM_SUFFIX}`
  // Runs of version 0.1 have no sum.
  if (!existsSync(sum)) return existsSync(file) ? file : undefined
  if (existsSync(file) && readFileSync(sum, 'latin1') === sha256Of(file)) return file
  throw new Failure({
    code: 'input',
    where: file,
    what: 'the list that the run was given is damaged',
    remedy: 'Repeat the run; check the disk if it happens again.',
  })
}

/** Stores labels, one a line, under a name made of them. @returns the path @throws Failure (storage) */
export function writeList(library: Library, labels: readonly string[]): string {
  const text = `${labels.join('\n')}\n`
  const file = join(library.folder, 'lists', `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.txt`)
  inLibrary(file, () => {
    mkdirSync(dirname(file), { recursive: true })
    writeWhole(file, text)
  })
  return file
}

const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

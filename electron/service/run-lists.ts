import { createHash } from 'node:crypto'
import { closeSync, copyFileSync, existsSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from '../library/library.ts'
import { writeAside } from '../../workers/base/output-file.ts'
import { asFailure, inputFailure } from '../../workers/base/failure.ts'
import type { AnyOptions } from '../../workers/contract/catalogue.ts'
import { inputFile } from './files.ts'

const SUM_SUFFIX = '.sha256'
const lists = { columnFile: 'column.txt', keepFile: 'keep.txt', excludeFile: 'exclude.txt' } as const

type RunList = keyof typeof lists

/** @throws Failure (input) */
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

/** To repeat and check the run after they have changed. */
export function keepLists(request: AnyOptions, folder: string): void {
  for (const [key, kept] of Object.entries(lists) as [RunList, string][]) {
    const file = request[key]
    if (file === undefined) continue
    try {
      copyFileSync(inputFile(file), join(folder, kept))
      // A verification reads it again.
      if (kept === lists.excludeFile) writeFileSync(join(folder, `${kept}${SUM_SUFFIX}`), sha256Of(join(folder, kept)))
    } catch (error) {
      throw asFailure(error, file)
    }
  }
}

/** undefined for none. @throws Failure (input) where it was changed */
export function keptExclusions(folder: string): string | undefined {
  const file = join(folder, lists.excludeFile)
  const sum = `${file}${SUM_SUFFIX}`
  // Version 0.1.
  if (!existsSync(sum)) return existsSync(file) ? file : undefined
  if (existsSync(file) && readFileSync(sum, 'latin1') === sha256Of(file)) return file
  throw inputFailure(
    file,
    'the list that the run was given is damaged',
    'Repeat the run; check the disk if it happens again.',
  )
}

/** One a line, under a name made of them. @throws Failure (storage) */
export function writeList(library: Library, labels: readonly string[]): string {
  const text = `${labels.join('\n')}\n`
  const file = join(library.folder, 'lists', `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.txt`)
  writeAside(file, [Buffer.from(text)])
  return file
}

const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

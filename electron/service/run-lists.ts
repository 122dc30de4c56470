import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { asFailure } from '../../workers/failure.ts'
import type { RunRequest } from '../contract/run.ts'

const lists = { columnFile: 'column.txt', keepFile: 'keep.txt', excludeFile: 'exclude.txt' } as const

export type RunList = keyof typeof lists

/** Copies the lists that a run was given into its folder, so that it can be repeated and checked after they have changed. */
export function keepLists(request: RunRequest, folder: string): void {
  for (const [key, kept] of Object.entries(lists) as [RunList, string][]) {
    const file = request[key]
    if (file === undefined) continue
    try {
      copyFileSync(file, join(folder, kept))
    } catch (error) {
      throw asFailure(error, file)
    }
  }
}

/** The kept copy of a list, or undefined where the run had none. */
export function keptList(folder: string, list: RunList): string | undefined {
  const file = join(folder, lists[list])
  return existsSync(file) ? file : undefined
}

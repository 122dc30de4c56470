import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { IMPORT_SCRATCH } from '../../workers/contract/jobs.ts'
import { isAlive } from './owner.ts'

/** A folder that is being written: "<folder>.partial-<process>-<random>". */
const partial = /\.partial-(\d+)(-|$)/
export const REMOVED = '.removed-'
/** What a living process may bring back. */
const trashed = /^\.trash-(\d+)-/
/** Standard input, while its import can be resumed, or an archive that is unpacked for several. */
const piped = /^\.input-(\d+)-/

export const RUN_RECORD = 'record.json'
const ENTERED_MS = 60_000

export const inputName = (): string => `.input-${process.pid}-${randomBytes(4).toString('hex')}`

export const isInput = (name: string): boolean => piped.test(name)

/** What dead processes left. */
export function sweepLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const writer = (partial.exec(name) ?? trashed.exec(name) ?? piped.exec(name))?.[1]
    const isDead = writer !== undefined && !isAlive({ pid: Number(writer), start: null })
    if (isDead && isInput(name)) discardInput(join(parent, name))
    else if (isDead || name.startsWith(REMOVED)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/** Folders of runs that never got their row; another process enters those that it makes at once. One with a record stays: the rows may be of a backup. */
export function sweepRunFolders(parent: string, isKnown: (id: string) => boolean): void {
  for (const id of readdirSync(parent)) {
    const folder = join(parent, id)
    if (id.startsWith('.') || existsSync(join(folder, RUN_RECORD)) || isKnown(id)) continue
    const madeMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (Date.now() - madeMs > ENTERED_MS) rmSync(folder, { recursive: true, force: true })
  }
}

/** Unless an import that can be resumed reads it. */
export function discardInput(file: string): void {
  const name = basename(file)
  const scratch = readdirSync(dirname(file)).filter((other) => other.endsWith(IMPORT_SCRATCH))
  const isNeeded = scratch.some((other) => textOf(join(dirname(file), other, 'manifest.json')).includes(name))
  if (isInput(name) && !isNeeded) rmSync(file, { recursive: true, force: true })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Bytes of all files in a folder; 0: it is gone. */
export function bytesUnder(folder: string): number {
  if (!existsSync(folder)) return 0
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const sizes = entries.map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size)
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}

const VIEWS_FOLDER = 'views'

/** Those of version 0.1. Can be repeated. @param datasets the folder of all datasets */
export function retireViews(datasets: string) {
  let [files, bytes] = [0, 0]
  for (const name of readdirSync(datasets)) {
    const views = join(datasets, name, VIEWS_FOLDER)
    if (!existsSync(views) || !statSync(views).isDirectory()) continue
    for (const file of readdirSync(views)) {
      if (file.endsWith('.view')) files++
      bytes += statSync(join(views, file)).size
    }
    rmSync(views, { recursive: true, force: true })
  }
  return { files, bytes }
}

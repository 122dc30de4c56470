import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { IMPORT_SCRATCH } from '../../workers/contract/jobs.ts'
import { isAlive } from './owner.ts'

/** A folder that is being written is called "<folder>.partial-<process>-<random>" until it is whole. */
const partial = /\.partial-(\d+)(-|$)/
const removed = '.removed-'
/** What a process removed and may bring back while it lives is called ".trash-<process>-<folder>". */
const trashed = /^\.trash-(\d+)-/
/** What was piped in is kept so while it is imported, and as long as that can be resumed. */
const piped = /^\.input-(\d+)-/

/** A name for what was piped in. */
export const inputName = (): string => `.input-${process.pid}-${randomBytes(4).toString('hex')}`

export const isInput = (name: string): boolean => piped.test(name)

/**
 * Takes away what killed programs left behind: half-written folders of dead processes, their trash, half-deleted ones, and what was
 * piped in and no import needs.
 */
export function sweepLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const writer = (partial.exec(name) ?? trashed.exec(name) ?? piped.exec(name))?.[1]
    const isDead = writer !== undefined && !isAlive({ pid: Number(writer), start: null })
    if (isDead && isInput(name)) discardInput(join(parent, name))
    else if (isDead || name.startsWith(removed)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/** Takes away what was piped in, unless an import that can be resumed reads it. Other files stay. */
export function discardInput(file: string): void {
  const name = basename(file)
  const scratch = readdirSync(dirname(file)).filter((other) => other.endsWith(IMPORT_SCRATCH))
  const isNeeded = scratch.some((other) => textOf(join(dirname(file), other, 'manifest.json')).includes(name))
  if (isInput(name) && !isNeeded) rmSync(file, { force: true })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Moves a folder aside at once and then deletes it, so that nobody sees half of it; also what was written of it so far. */
export function discardFolder(folder: string): void {
  const parent = dirname(folder)
  const name = basename(folder)
  if (existsSync(folder)) {
    const aside = join(parent, `${removed}${name}`)
    rmSync(aside, { recursive: true, force: true })
    renameSync(folder, aside)
    rmSync(aside, { recursive: true, force: true })
  }
  for (const sibling of readdirSync(parent))
    if (sibling.startsWith(`${name}.partial-`)) rmSync(join(parent, sibling), { recursive: true, force: true })
}

/** Moves a folder aside as long as this process lives; the returned path goes to {@link restoreFolder} or is discarded. */
export function trashFolder(folder: string): string {
  const aside = join(dirname(folder), `.trash-${process.pid}-${basename(folder)}`)
  if (existsSync(folder)) renameSync(folder, aside)
  return aside
}

/** Gives a trashed folder its name back. */
export function restoreFolder(aside: string, folder: string): void {
  if (existsSync(aside)) renameSync(aside, folder)
}

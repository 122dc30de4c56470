import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isAlive } from './owner.ts'

/** A folder that is being written is called "<folder>.partial-<process>-<random>" until it is whole. */
const partial = /\.partial-(\d+)(-|$)/
const removed = '.removed-'
/** What a process removed and may bring back while it lives is called ".trash-<process>-<folder>". */
const trashed = /^\.trash-(\d+)-/

/** Takes away what killed programs left behind: half-written folders of dead processes, their trash, and half-deleted ones. */
export function sweepLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const writer = (partial.exec(name) ?? trashed.exec(name))?.[1]
    const isDead = writer !== undefined && !isAlive({ pid: Number(writer), start: null })
    if (isDead || name.startsWith(removed)) rmSync(join(parent, name), { recursive: true, force: true })
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

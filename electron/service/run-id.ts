import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Sortable by time: "20261121-093601-7f3a" (UTC). */
export function newRunId(now: Date = new Date()): string {
  const digits = now.toISOString().replace(/[-:]/g, '')
  return `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${randomBytes(2).toString('hex')}`
}

/** Making the folder takes the id: other processes draw, too. @throws Error as the system says */
export function newRunFolder(
  folderOf: (id: string) => string,
  draw: () => string = newRunId,
): { id: string; folder: string } {
  for (;;) {
    const id = draw()
    const folder = folderOf(id)
    mkdirSync(dirname(folder), { recursive: true })
    try {
      mkdirSync(folder)
      return { id, folder }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

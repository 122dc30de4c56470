import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Short, sortable by time, and unlikely to be drawn twice: "20261121-093601-7f3a" (UTC). */
export function newRunId(now: Date = new Date()): string {
  const digits = now.toISOString().replace(/[-:]/g, '')
  return `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${randomBytes(2).toString('hex')}`
}

/**
 * An id that no run has, with its folder: of all who draw an id, in any process, the one who makes its folder has it. Short runs come by the
 * dozen a second, so that ids do meet.
 * @throws Error as the system says, where the folder cannot be made
 */
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

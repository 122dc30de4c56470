import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

/** Files may share this module, so that a setup file calls it behind each of them. */
export function removeScratchFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** A new folder that is gone when the tests of the file are over. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `anticlique-${name}-`))
  made.push(folder)
  return folder
}

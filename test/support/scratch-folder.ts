import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []
const ends: (() => Promise<void>)[] = []

/** What else has to end behind the tests of the file, before its folders go. */
export const behindTests = (end: () => Promise<void>): void => void ends.push(end)

/** Files may share this module, so that a setup file calls it behind each of them. */
export async function removeScratchFolders(): Promise<void> {
  for (const end of ends.splice(0)) await end()
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** A new folder that is gone when the tests of the file are over. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `anticlique-${name}-`))
  made.push(folder)
  return folder
}

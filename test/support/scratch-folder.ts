import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

// Of this test file: each has this module to itself.
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A new folder that is gone when the tests of the file are over. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `anticlique-${name}-`))
  made.push(folder)
  return folder
}

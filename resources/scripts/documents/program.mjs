// The program as its documents need it, from the sources.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** @returns the module of a path from the root */
export const load = (root, path) => import(pathToFileURL(join(root, path)).href)

/** The command line with all of its commands, none of which can be run. */
export async function loadProgram(root) {
  const { createProgram } = await load(root, 'electron/cli/main.ts')
  const { Shell } = await load(root, 'electron/cli/shell.ts')
  const shell = new Shell(
    () => ({}),
    () => {
      throw new Error('Documents run no command.')
    },
  )
  return createProgram(shell, [])
}

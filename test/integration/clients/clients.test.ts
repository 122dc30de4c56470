import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findPython, findR } from '../../support/languages.mjs'
import { root } from '../../unit/structure/source-files.ts'
import { CommandLine } from '../cli/command-line.ts'

const run = promisify(execFile)
const clients = join(root, 'resources/clients')
const here = import.meta.dirname
const command = `${process.execPath} ${join(root, 'electron/launch.mjs')}`
const env = { ...process.env, ANTICLIQUE_COMMAND: command, PYTHONDONTWRITEBYTECODE: '1' }
const [python, r] = [findPython(), findR()]

test.runIf(python !== null)('Python: graphs of SciPy, NetworkX and igraph to sets and matchings and back', async () => {
  const cli = new CommandLine()
  cli.write('path.txt', '0 1\n1 2\n2 3\n')
  await cli.json('import', 'path.txt')
  await cli.json('datasets', 'export', 'path', '--format', 'edge-list', '--bare', '--output', 'bare.txt')
  const script = join(here, 'round_trips.py')
  const { stdout } = await run(python!, ['-W', 'error::UserWarning', script, clients, join(cli.folder, 'bare.txt')], {
    env,
  })
  expect(stdout).toContain('2 round trips')
})

test.runIf(r !== null)('R: matrices and edges to sets and matchings and back', async () => {
  const { stdout } = await run(r!, ['--vanilla', join(here, 'round_trips.R'), clients], { env })
  expect(stdout).toContain('round trips')
})

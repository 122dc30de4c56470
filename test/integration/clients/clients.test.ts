import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findPython, findPythonOfBackends, findR } from '../../support/languages.mjs'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { root } from '../../unit/structure/source-files.ts'
import { CommandLineHere } from '../cli/command-line.ts'
import { KeptProgram } from '../cli/kept-program.ts'

const run = promisify(execFile)
const clients = join(root, 'resources/clients')
const here = import.meta.dirname
const command = `${process.execPath} ${join(root, 'electron/launch.mjs')}`
const env = { ...process.env, ANTICLIQUE_COMMAND: command, PYTHONDONTWRITEBYTECODE: '1' }
/** For scripts that call it time and again. */
const repeated = process.platform === 'win32' ? env : { ...env, ANTICLIQUE_COMMAND: (await KeptProgram.open()).path }
const [python, r, pythonOfBackends] = [findPython(), findR(), findPythonOfBackends()]

test.runIf(python !== null)('Python: graphs of SciPy, NetworkX and igraph to sets and matchings and back', async () => {
  const cli = new CommandLineHere()
  cli.write('path.txt', '0 1\n1 2\n2 3\n')
  await cli.json('import', 'path.txt')
  await cli.json('datasets', 'export', 'path', '--format', 'edge-list', '--bare', '--output', 'bare.txt')
  const script = join(here, 'round_trips.py')
  const { stdout } = await run(
    python!,
    ['-W', 'error::UserWarning', script, join(clients, 'python'), join(cli.folder, 'bare.txt')],
    { env: repeated },
  )
  expect(stdout).toContain('2 round trips')
})

test.runIf(python !== null)('Python: a session answers many graphs as single calls do', async () => {
  const { stdout } = await run(python!, [join(here, 'session.py'), join(clients, 'python')], { env })
  expect(stdout).toContain('sessions')
})

/** A folder with what the wheel installs. */
async function unpackedWheel(of: string, into: string): Promise<string> {
  const place = scratchFolder('wheel')
  const { stdout } = await run(of, [join(root, 'resources/packaging/wheel.py'), place])
  await run(of, ['-m', 'zipfile', '-e', stdout.trim(), join(place, into)])
  return place
}

test.runIf(python !== null)('Python: the wheel in a clean environment does what a notebook asks', async () => {
  const site = (await run(python!, ['-c', 'import sys; print("lib/python%d.%d/site-packages" % sys.version_info[:2])']))
    .stdout
  const place = await unpackedWheel(python!, join('venv', site.trim()))
  // Pip would take the same files, and three seconds.
  await run(python!, ['-m', 'venv', '--system-site-packages', '--without-pip', join(place, 'venv')])
  const { stdout } = await run(join(place, 'venv/bin/python'), [join(here, 'notebook.py'), place], { env: repeated })
  expect(stdout).toMatch(/^(?:19|2\d) tasks; left out: /)
})

test.runIf(pythonOfBackends !== null)(
  "Python: NetworkX's own tests of the functions that its backend serves",
  async () => {
    const place = await unpackedWheel(pythonOfBackends!, 'site')
    const tests = ['tests.test_mis', 'tests.test_matching', 'tests.test_core', 'components.tests.test_connected']
    const words = tests.map((name) => `networkx.algorithms.${name}`)
    const asked = {
      NETWORKX_TEST_BACKEND: 'anticlique',
      NETWORKX_FALLBACK_TO_NX: 'True',
      PYTHONPATH: join(place, 'site'),
    }
    const { stdout } = await run(
      pythonOfBackends!,
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--pyargs', ...words],
      {
        ...{ env: { ...repeated, ...asked }, cwd: place },
      },
    )
    expect(stdout).toMatch(/\n\d{3} passed in/)
  },
)

/** Matrices of SciPy with what it says about their edges: "u v weight" a line, the smaller first. */
const saved = `
import json, sys, numpy as np, scipy.sparse as sp
for seed, kind in enumerate(['csr', 'csc', 'coo']):
    generator = np.random.default_rng(seed)
    weights = lambda count: generator.integers(1, 50, count) / 4
    matrix = sp.random(60, 60, 0.06, format=kind, random_state=seed, data_rvs=weights)
    sp.save_npz(f'{sys.argv[1]}/{kind}.npz', matrix, compressed=seed != 1)
    both = matrix.maximum(matrix.T)
    edges = sp.triu(both, 1).tocoo()
    lines = sorted(f'{u} {v} {w:g}' for u, v, w in zip(edges.row, edges.col, edges.data))
    json.dump(lines, open(f'{sys.argv[1]}/{kind}.json', 'w'))
`

test.runIf(python !== null)('SciPy: what save_npz writes has the edges that SciPy says', async () => {
  const cli = new CommandLineHere()
  await run(python!, ['-c', saved, cli.folder], { env })
  for (const kind of ['csr', 'csc', 'coo']) {
    await cli.json('import', `${kind}.npz`)
    await cli.json('datasets', 'export', kind, '--format', 'edge-list', '--bare', '--output', `${kind}.txt`)
    const lines = readFileSync(join(cli.folder, `${kind}.txt`), 'utf8')
      .trim()
      .split('\n')
    const edges = lines.map((line) => line.trim().split(/\s+/))
    const expected = JSON.parse(readFileSync(join(cli.folder, `${kind}.json`), 'utf8')) as string[]
    expect(expected.length).toBeGreaterThan(100)
    expect(edges.map((words) => words.join(' ')).sort()).toEqual(expected.sort())
  }
})

test.runIf(r !== null)('R: matrices and edges to sets and matchings and back', async () => {
  const { stdout } = await run(r!, ['--vanilla', join(here, 'round_trips.R'), clients], { env })
  expect(stdout).toContain('round trips')
})

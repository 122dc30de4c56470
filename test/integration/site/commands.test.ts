import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { findPython, findR } from '../../support/languages.mjs'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { filesOf, readTree, root } from '../../unit/structure/source-files.ts'
import { KeptProgram } from '../cli/kept-program.ts'

const folder = scratchFolder('commands')
const program = join(root, 'electron/launch.mjs')
const clients = join(root, 'resources/clients')
const rows = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => row(at)).join('\n')
const matrix = '%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n2 1 1.5\n3 2 2\n4 3 0.5\n4 1 1\n'
const GRID = 150
const isWhite = (v: number): boolean => (v + Math.floor(v / GRID)) % 2 === 0

/** The files that documents speak of as those of the reader. */
const given: Readonly<Record<string, string | Uint8Array>> = {
  'graph.mtx.gz': gzipSync(matrix),
  'matrix.mtx': matrix,
  'wiki-Vote.txt.gz': gzipSync(rows(500, (at) => `${at} ${(at * 7 + 1) % 400}`)),
  'cost.csv': rows(GRID * GRID, (v) => `${v},${(v * 31) % 97}`),
  'closed.txt': '3\n4\n',
  'couplings.txt': rows(64, (v) => `${v} ${(v + 1) % 64} ${v % 3 === 0 ? -1 : 1}`),
  'kamis-result.txt': rows(GRID * GRID, (v) => (isWhite(v) ? '1' : '0')),
}
mkdirSync(join(folder, 'bin'), { recursive: true })
for (const [name, content] of Object.entries(given)) writeFileSync(join(folder, name), content)
// Both names of the command: that of a clone, whose folder this one stands for, and that of a package.
writeFileSync(join(folder, 'anticlique'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
if (process.platform !== 'win32') symlinkSync((await KeptProgram.open()).path, join(folder, 'bin/anticlique'))
symlinkSync(join(root, 'resources'), join(folder, 'resources'))

const tree = readTree()
const pages = [
  ...['README.md', 'CONTRIBUTING.md'].map((path) => ({ path, text: tree.get(path)! })),
  ...filesOf(tree, ['docs'], ['.md']),
].sort((a, b) => (a.path < b.path ? -1 : 1))
const blocks = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({ path, language, code })),
)

/** How a block of each language is run. Others show commands of other machines (console), answers (json) and pictures. */
const runners: Readonly<Record<string, readonly [string | null, ...string[]]>> = {
  sh: ['bash', '-euo', 'pipefail', '-c'],
  python: [findPython(), '-c'],
  r: [findR(), '-e'],
}

/** The same words with searches, sweeps and the largest sample cut short: what is tried are the words. */
const brief = (code: string): string =>
  code
    .replaceAll(/(sample cities --radius-km) (\d+)$/gm, '$1 1 --name cities-$2km')
    .replaceAll(/(sample cities --radius-km) \d+ (?=--name)/g, '$1 1 ')
    .replaceAll(/--time \d+s/g, '--time 0.2s')
    .replaceAll(/--sweeps \d+/g, '--sweeps 40')
    .replaceAll('steps=10**6', 'steps=10**4')

/** The README is of a clone; other pages are of packages, whose command and module are found. */
const installed = {
  PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  PYTHONPATH: join(clients, 'python'),
}

/** What a page says to export stays so in the blocks behind it. */
const exported = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    blocks
      .filter(({ path, language }) => path === page && language === 'sh')
      .flatMap(({ code }) => [...code.matchAll(/^export (\w+)="([^"]*)"$/gm)])
      .map(([, name = '', value = '']) => [name, value.replace('$PWD', folder)]),
  )

/** @returns what it said where it failed */
async function run({ path, language, code }: (typeof blocks)[number]): Promise<string> {
  const [name, ...words] = runners[language]!
  const source = language === 'r' ? code.replace('anticlique.R', join(clients, 'anticlique.R')) : code
  const env = {
    ...process.env,
    ...(path === 'README.md' ? {} : installed),
    PYTHONDONTWRITEBYTECODE: '1',
    ANTICLIQUE_LIBRARY: join(folder, 'library'),
    ...exported(path),
  }
  try {
    await promisify(execFile)(name!, [...words, brief(source)], { cwd: folder, env })
    return ''
  } catch (error) {
    const { message, stdout } = error as Error & { readonly stdout: string }
    return `${message}${stdout}`
  }
}

// The shell that documents are written for.
describe.skipIf(process.platform === 'win32')('the commands of the documents end well, in their order', () => {
  const runnable = blocks.filter(({ language }) => (runners[language]?.[0] ?? null) !== null)
  expect(runnable.length).toBeGreaterThan(10)
  test.each(runnable)('$path: $code', async (block) => expect(await run(block)).toBe(''))
})

test('a block of commands says that it is one', () => {
  const silent = blocks.filter(
    ({ language, code }) => language === '' && /^(npx |npm |sudo |\.\/)?anticlique /m.test(code),
  )
  expect(silent).toEqual([])
})

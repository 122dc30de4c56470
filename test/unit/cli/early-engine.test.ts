import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandName, earlyArguments } from '../../../electron/cli/early-engine.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '')

test.each([
  ['', undefined],
  ['--version', undefined],
  ['run mesh', 'run'],
  ['--json --library run datasets', 'datasets'],
  ['--library=run verify', 'verify'],
  ['help import', 'import'],
])('"%s" names %s', (line, name) => expect(commandName(words(line))).toBe(name))

test.each([
  ['run mesh', ['--devices=auto', 'run']],
  ['--json run mesh --devices cpu:0', ['--devices=cpu:0', 'run']],
  ['run mesh --devices gpu:0 --devices=cpu:0,gpu:1', ['--devices=cpu:0,gpu:1', 'run']],
  ['run mesh --devices cpu:0 --across mpi', ['run']],
  ['import graph.txt', ['import']],
  ['import --link graph.egr', ['link']],
  ['devices', ['devices']],
])('"%s" starts an engine with %j', (line, expected) =>
  expect(earlyArguments(words(line), () => true)).toEqual(expected),
)

test('a run of a file imports it first', () => {
  const file = join(scratchFolder('early'), 'graph.txt')
  writeFileSync(file, Buffer.alloc(2 << 20))
  const imports = ['import', `--bytes=${2 << 20}`]
  expect(earlyArguments(['run', file], () => true)).toEqual(['--devices=cpu:0', '--small', 'run', ...imports])
  expect(earlyArguments(['import', file])).toEqual(imports)
  expect(earlyArguments(['import', '--link', file])).toEqual(['link', ...imports.slice(1)])
  const binary = join(scratchFolder('early'), 'graph.egr')
  writeFileSync(binary, '')
  expect(earlyArguments(['run', binary, '--devices=gpu:0'])).toEqual([
    '--devices=gpu:0',
    '--small',
    'run',
    'link',
    '--bytes=0',
  ])
})

test('no GPU is looked for where there is none, or a dataset is small', () => {
  expect(earlyArguments(words('run mesh'), () => false)).toEqual(['--devices=cpu:0', 'run'])
  const library = scratchFolder('early')
  for (const [folder, bytes] of [
    ['mesh-0a1b2c', 100],
    ['roads-0a1b2c', 5 << 20],
  ] as const) {
    mkdirSync(join(library, 'datasets', folder), { recursive: true })
    writeFileSync(join(library, 'datasets', folder, 'graph.gr'), Buffer.alloc(bytes))
  }
  const early = (line: string) => earlyArguments(words(`--library ${library} ${line}`), () => true)
  expect(early('run mesh --quality better')).toEqual(['--devices=cpu:0', '--small', 'run'])
  expect(early('run mesh --devices gpu:0')).toEqual(['--devices=gpu:0', '--small', 'run'])
  expect(early('run roads')).toEqual(['--devices=auto', 'run'])
  expect(early('run roads --verify')).toEqual(['--devices=auto', `--checked=${5 << 20}`, 'run'])
  expect(early('run mesh --verify --devices gpu:0')).toEqual(['--devices=gpu:0', '--small', 'run'])
  expect(early('run mes')).toEqual(['--devices=auto', 'run'])
})

test('what is short starts none', () => {
  const library = scratchFolder('early')
  const make = (path: string, content: string | Buffer): void => {
    mkdirSync(join(library, path, '..'), { recursive: true })
    writeFileSync(join(library, path), content)
  }
  make('datasets/mesh-0a1b2c/graph.gr', Buffer.alloc(100))
  make('runs/20261121-093601-7f3a/record.json', JSON.stringify({ dataset: { vertices: 10, arcs: 20 } }))
  make('runs/20261121-093602-7f3a/record.json', JSON.stringify({ dataset: { vertices: 10, arcs: 2 ** 20 } }))
  const early = (line: string) => earlyArguments(words(`--library ${library} ${line}`), () => true)
  expect(early('run mesh')).toBeUndefined()
  expect(early('run mesh --devices cpu:0')).toBeUndefined()
  expect(early('verify 20261121-093601-7f3a')).toBeUndefined()
  expect(early('export 20261121-093601-7f3a')).toBeUndefined()
  expect(early('verify mesh --set found.txt')).toBeUndefined()
  expect(early('verify latest')).toEqual(['verify', `--bytes=${8 * (10 + 2 ** 20)}`])
  expect(early('verify some-name')).toEqual(['verify'])
  make('graph.txt', '1 2\n')
  make('graph.txt.gz', '1 2\n')
  const file = join(library, 'graph.txt')
  expect(early(`run ${file}`)).toBeUndefined()
  expect(early(`import ${file}`)).toBeUndefined()
  expect(early(`import ${file}.gz`)).toEqual(['import', '--bytes=4'])
  expect(early(`run ${file} --devices gpu:0`)).toEqual(['--devices=gpu:0', '--small', 'run', 'import', '--bytes=4'])
})

test('a name that no file can have is one of a dataset', () => {
  const name = '\u540d'.repeat(100)
  expect(earlyArguments(['run', name], () => true)).toEqual(['--devices=auto', 'run'])
  expect(earlyArguments(['import', `${import.meta.filename}/graph.txt`])).toEqual(['import'])
})

test('what is no name of a file is left to the command', () => {
  expect(earlyArguments(['run', 'x'.repeat(300)], () => true)).toEqual(['--devices=auto', 'run'])
  expect(earlyArguments(['import', 'x'.repeat(300)])).toEqual(['import'])
})

test.each(['', 'datasets', 'runs show latest', 'serve', 'run --help', 'help run', 'nothing'])(
  '"%s" needs no engine',
  (line) => expect(earlyArguments(words(line))).toBeUndefined(),
)

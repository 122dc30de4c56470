import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { productFolders, root, sourceFiles } from './source-files.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

test('every kernel has a twin of the same name', () => {
  const kernels = sourceFiles(['kernels'], ['.wgsl']).map(({ path }) => path)
  expect(kernels.length).toBeGreaterThan(0)
  const alone = kernels.filter((path) => !existsSync(join(root, path.replace(/\.wgsl$/, '.ts'))))
  expect(alone).toEqual([])
})

/** Put together here, so that this file does not find itself. */
const ways = [': an' + 'y', 'as an' + 'y', '<an' + 'y>', '@ts-' + 'ignore', '@ts-' + 'nocheck', 'eslint-' + 'disable']
const aroundTypes = new RegExp(`(?:${ways.join('|')})\\b`)

test('no file goes around the type checker or the linter', () => {
  const files = sourceFiles([...productFolders, 'bench', 'test'], ['.ts', '.mjs', '.vue'])
  const findings = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, index) => ({ line, place: `${path}:${index + 1}` }))
      .filter(({ line }) => !/^\s*(?:\/\/|\/?\*)(?!.*(?:@ts-|eslint-))/.test(line) && aroundTypes.test(line))
      .map(({ line, place }) => `${place}: ${line.trim()}`),
  )
  expect(findings).toEqual([])
})

interface Package {
  readonly scripts: Readonly<Record<string, string>>
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}
const manifest = JSON.parse(read('package.json')) as Package

test.each(['README.md', 'CONTRIBUTING.md'])('every npm command in %s exists', (page) => {
  const named = [...read(page).matchAll(/(?:^|`)npm (?:run )?([a-z]+)/gm)].map((match) => match[1] ?? '')
  const ofNpm = ['ci', 'install']
  const scripts = named.filter((name) => !ofNpm.includes(name))
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter((name) => manifest.scripts[name] === undefined)).toEqual([])
  if (read(page).includes('npx anticlique')) expect(manifest.bin['anticlique']).toBeDefined()
})

test('every dependency is explained, and no other', () => {
  const explained = [...read('docs/dependencies.md').matchAll(/^- `([^`]+)`/gm)].map((match) => match[1] ?? '')
  const used = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies].flatMap(Object.keys)
  expect(explained.toSorted()).toEqual(used.toSorted())
})

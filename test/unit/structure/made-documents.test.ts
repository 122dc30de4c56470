import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { madeDocuments } from '../../../resources/scripts/documents.mjs'
import { root } from './source-files.ts'

const made = await madeDocuments()

test.each([...made.keys()])('%s is what `npm run documents` makes', (path) => {
  const isSame = readFileSync(join(root, path), 'utf8') === made.get(path)
  expect(isSame, `${path} is not what its sources say now: run "npm run documents".`).toBe(true)
})

test('results, commands and tables of the catalogue are made', () => {
  expect(made.size).toBeGreaterThan(5)
  expect(made.get('docs/results.md')).toContain('520,758,288')
  expect(made.get('docs/commands.md')).toContain('## anticlique run --algorithm colouring')
  expect(made.get('docs/algorithms.md')).toContain('| `ld-gpu` ')
})

import { expect, test } from 'vitest'
import { nameOfFile } from '../../../electron/service/files.ts'

test.each([
  ['wiki-Vote.txt', 'wiki-Vote'],
  ['/data/wiki-Vote.txt.gz', 'wiki-Vote'],
  ['foodweb-baydry.konect', 'foodweb-baydry'],
  ['graph', 'graph'],
  ['graph.gz', 'graph'],
  ['a.b.csv', 'a.b'],
  ['.hidden', '.hidden'],
])('%s is called %s', (file, name) => {
  expect(nameOfFile(file)).toBe(name)
})

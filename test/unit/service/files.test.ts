import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fileListSchema } from '../../../electron/contract/files.ts'
import { listFiles } from '../../../electron/service/files.ts'
import { formatOfName } from '../../../workers/contract/jobs.ts'
import { temporaryFolder } from '../library/fixtures.ts'

test('folders come first, then files by name, with what their names suggest; hidden ones stay hidden', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'zoo'))
  for (const name of ['b.mtx.gz', 'a10.txt', 'a2.txt', '.secret', 'notes.pdf']) writeFileSync(join(folder, name), 'x')
  const listed = listFiles(folder, folder)
  expect(fileListSchema.parse(listed)).toEqual(listed)
  expect(listed.entries.map(({ name }) => name)).toEqual(['zoo', 'a2.txt', 'a10.txt', 'b.mtx.gz', 'notes.pdf'])
  expect(listed.entries.map(({ format }) => format)).toEqual([
    undefined,
    'edge-list',
    'edge-list',
    'matrix-market',
    undefined,
  ])
  expect(listed).toMatchObject({ folder, parent: dirname(folder), truncated: false })
})

test('the root has no parent, and without a folder it is the home', () => {
  expect(listFiles('/', '/nowhere').parent).toBeNull()
  const { folder, places } = listFiles(undefined, '/nowhere')
  expect(places.find(({ name }) => name === 'Home')?.path).toBe(folder)
  expect(places.map(({ path }) => path)).not.toContain('/nowhere')
})

test('a file and what is not there are refused in words', () => {
  const file = join(temporaryFolder(), 'x')
  writeFileSync(file, '')
  expect(() => listFiles(file, '/')).toThrow(/is a file, not a folder/)
  expect(() => listFiles(`${file}-nothing`, '/')).toThrow(/no such/)
})

test.each([
  ['G.MTX', 'matrix-market'],
  ['x.csv.gz', 'edge-list'],
  ['archive.tar.gz', undefined],
])('%s is %s', (name, format) => expect(formatOfName(name)).toBe(format))

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepLists, keptExclusions } from '../../../electron/service/run-inputs.ts'
import type { AnyOptions } from '../../../workers/contract/catalogue.ts'
import { temporaryFolder } from '../library/fixtures.ts'

test('a run keeps the lists that it was given; a verification refuses the excluded ones once a byte is another', () => {
  const given = temporaryFolder()
  const folder = join(given, 'run')
  mkdirSync(folder)
  const [keepFile, excludeFile] = [join(given, 'keep.txt'), join(given, 'not.txt')]
  writeFileSync(keepFile, '1\n2\n')
  writeFileSync(excludeFile, '3\n4\n')
  keepLists({ keepFile, excludeFile } as AnyOptions, folder)
  writeFileSync(excludeFile, 'of another run\n')
  const kept = keptExclusions(folder)!
  expect(readFileSync(kept, 'utf8')).toBe('3\n4\n')
  expect(readFileSync(join(folder, 'keep.txt'), 'utf8')).toBe('1\n2\n')
  expect(existsSync(join(folder, 'column.txt'))).toBe(false)
  for (const other of ['3\n5\n', '3\n4', '']) {
    writeFileSync(kept, other)
    expect(() => keptExclusions(folder)).toThrow(expect.objectContaining({ code: 'input', where: kept }))
  }
  writeFileSync(kept, '3\n4\n')
  expect(existsSync(keptExclusions(folder)!)).toBe(true)
})

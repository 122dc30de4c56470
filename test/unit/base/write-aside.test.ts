import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeAside, OutputFile, writeOutput } from '../../../workers/base/output-file.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const { fsyncSync, renameSync } = fs
let calls: string[]

/** Notes what is asked of the system, in order; `fail` is thrown when a file is flushed. */
function note(fail?: Error): void {
  calls = []
  fs.fsyncSync = () => {
    calls.push('flush')
    if (fail !== undefined) throw fail
  }
  fs.renameSync = (from, to) => {
    calls.push('name')
    renameSync(from, to)
  }
  syncBuiltinESMExports()
}

beforeEach(() => note())
afterEach(() => {
  Object.assign(fs, { fsyncSync, renameSync })
  syncBuiltinESMExports()
})

// A machine that loses its power leaves all of a file or none.
test.each([
  ['of the library', (path: string) => writeAside(path, [Buffer.from('a'), Buffer.from('b')])],
  ['of the person', (path: string) => writeOutput(path, 'ab')],
])('a file %s is on the disk before it has its name', (_whose, write) => {
  const path = join(scratchFolder('aside'), 'file')
  write(path)
  expect(calls).toEqual(['flush', 'name'])
  expect(fs.readFileSync(path, 'utf8')).toBe('ab')
  note(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))
  expect(() => write(path)).toThrow(expect.objectContaining({ code: 'storage', what: 'the disk is full' }))
  expect(calls).toEqual(['flush'])
  expect(fs.readdirSync(dirname(path))).toEqual(['file'])
})

test('what was written can be flushed before it is finished', () => {
  const output = new OutputFile(join(scratchFolder('aside'), 'file'))
  output.flush()
  expect(calls).toEqual(['flush'])
  output.discard()
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newRunFolder, newRunId } from '../../../electron/service/runs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const library = scratchFolder('run-id')
const folderOf = (id: string): string => join(library, 'runs', id)

describe('the id of a run', () => {
  it('is a time and four digits', () => {
    expect(newRunId(new Date('2026-11-21T09:36:01Z'))).toMatch(/^20261121-093601-[0-9a-f]{4}$/)
  })

  it('is drawn again where another run has it, whose files stay', () => {
    const ids = ['one', 'one', 'one', 'two'][Symbol.iterator]()
    const draw = (): string => ids.next().value!
    const first = newRunFolder(folderOf, draw)
    expect(first).toEqual({ id: 'one', folder: folderOf('one') })
    writeFileSync(join(first.folder, 'result'), 'kept')
    expect(newRunFolder(folderOf, draw).id).toBe('two')
    expect(readFileSync(join(first.folder, 'result'), 'utf8')).toBe('kept')
  })

  it('is never given out twice, however many are drawn in a second', () => {
    let drawn = 0
    const draw = (): string => String(drawn++ % 400)
    const ids = Array.from({ length: 400 }, () => newRunFolder(folderOf, draw).id)
    expect(new Set(ids).size).toBe(400)
  })
})

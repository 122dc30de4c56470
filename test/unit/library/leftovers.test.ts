import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Library } from '../../../electron/library/library.ts'
import { temporaryFolder } from './fixtures.ts'

test('opening takes away what dead programs left half done, and nothing else', () => {
  const folder = temporaryFolder()
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  const stays = ['mesh-1', `live-2.partial-${process.pid}-ab`, 'odd.partial-name-3']
  const goes = [`half-4.partial-${dead}-cd`, '.removed-old-5']
  for (const name of [...stays, ...goes]) mkdirSync(join(folder, 'datasets', name), { recursive: true })
  Library.open(folder).close()
  expect(readdirSync(join(folder, 'datasets')).sort()).toEqual(stays.sort())
})

test('discarding takes the half-written folder too, and leaves its neighbours', () => {
  const library = Library.open(temporaryFolder())
  const names = ['mesh-1', 'mesh-1.partial-7-ab', 'mesh-12', 'mesh-12.partial-7-ab']
  for (const name of names) mkdirSync(library.datasetFolder({ folder: name }))
  library.discard(library.datasetFolder({ folder: 'mesh-1' }))
  expect(readdirSync(join(library.folder, 'datasets')).sort()).toEqual(['mesh-12', 'mesh-12.partial-7-ab'])
  library.close()
})

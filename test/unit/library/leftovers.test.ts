import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { Library } from '../../../electron/library/library.ts'
import { pathFacts, request, temporaryFolder } from './fixtures.ts'

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

test('what was piped in stays as long as its import is at work or can be resumed', () => {
  const folder = temporaryFolder()
  const datasets = join(folder, 'datasets')
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  const [atWork, resumable, useless] = [`.input-${process.pid}-aa`, `.input-${dead}-bb`, `.input-${dead}-cc`]
  mkdirSync(join(datasets, 'mesh-1.import'), { recursive: true })
  for (const name of [atWork, resumable, useless]) writeFileSync(join(datasets, name), '1 2\n')
  const manifest = join(datasets, 'mesh-1.import', 'manifest.json')
  writeFileSync(manifest, JSON.stringify({ args: { source: join(datasets, resumable) } }))
  Library.open(folder).close()
  expect(readdirSync(datasets).sort()).toEqual([atWork, resumable, 'mesh-1.import'].sort())
  const library = Library.open(folder)
  library.discardInput(join(datasets, resumable))
  expect(existsSync(join(datasets, resumable))).toBe(true)
  rmSync(manifest)
  // Never a file of the person's.
  const own = join(folder, `.input-${dead}-dd`)
  writeFileSync(own, '')
  for (const file of [join(datasets, resumable), own]) library.discardInput(file)
  expect([existsSync(join(datasets, resumable)), existsSync(own)]).toEqual([false, true])
  library.close()
})

test('half-written files of a run whose process died go when that is noticed', () => {
  const library = Library.open(temporaryFolder())
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  const { id: datasetId } = library.datasets.insert({ name: 'path', folder: 'path-1', facts: pathFacts() })
  library.runs.insert({ id: 'r1', datasetId, request: request() })
  mkdirSync(library.runFolder('r1'))
  for (const name of ['progress.json', `progress.json.partial-${dead}`])
    writeFileSync(join(library.runFolder('r1'), name), '{}')
  const database = new Database(join(library.folder, 'library.sqlite'))
  database.prepare('UPDATE runs SET owner_pid = ?, owner_start = NULL').run(dead)
  database.close()
  library.close()
  Library.open(library.folder).close()
  expect(readdirSync(library.runFolder('r1'))).toEqual(['progress.json'])
})

test('a folder of a run that never got its row goes, once no process can be about to enter it', () => {
  const library = Library.open(temporaryFolder())
  const { id: datasetId } = library.datasets.insert({ name: 'path', folder: 'path-1', facts: pathFacts() })
  library.runs.insert({ id: 'entered', datasetId, request: request() })
  for (const id of ['entered', 'killed', 'young', 'of-a-backup']) mkdirSync(library.runFolder(id))
  writeFileSync(join(library.runFolder('killed'), 'keep.txt'), '1\n')
  writeFileSync(join(library.runFolder('of-a-backup'), 'record.json'), '{}')
  for (const id of ['entered', 'killed', 'of-a-backup']) utimesSync(library.runFolder(id), 0, 0)
  library.close()
  Library.open(library.folder).close()
  expect(readdirSync(join(library.folder, 'runs')).sort()).toEqual(['entered', 'of-a-backup', 'young'])
})

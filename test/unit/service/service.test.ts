import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultSettings } from '../../../electron/contract/settings.ts'
import { request } from '../library/fixtures.ts'
import { WiredService } from './wired-service.ts'

const wired = new WiredService()

test('settings are kept, and only known values', async () => {
  expect((await wired.service.call('settings.get', {})).settings).toEqual(defaultSettings)
  const { settings } = await wired.service.call('settings.set', {
    settings: { theme: 'dark', defaultMemoryBytes: 2 ** 30 },
  })
  expect(settings).toEqual({ ...defaultSettings, theme: 'dark', defaultMemoryBytes: 2 ** 30 })
  expect(wired.events).toEqual([{ type: 'settings-changed', settings }])
  const bad = { language: 'no language' }
  await expect(wired.service.call('settings.set', { settings: bad })).rejects.toMatchObject({ code: 'usage' })
  expect(wired.library.settings.get()).toEqual(settings)
})

test('the status counts what there is', async () => {
  await wired.importPath()
  await wired.runToEnd()
  const status = await wired.service.call('library.status', {})
  expect(status).toMatchObject({ folder: wired.library.folder, datasets: 1, runs: 1, usedBytes: 5, host: 'program' })
  // A list of three vertices, its record and more.
  expect(status.runBytes).toBeGreaterThan(0)
  expect(status.freeBytes).toBeGreaterThan(0)
})

test('arguments that do not fit the contract are refused with the name of the value', async () => {
  const bad = { request: { ...request(), seed: -1 } }
  await expect(wired.service.call('runs.start', bad)).rejects.toMatchObject({
    code: 'usage',
    where: 'runs.start.request.seed',
  })
})

test('nothing is made in a library that was deleted or moved, and it serves again when it is back', async () => {
  const { folder } = wired.library
  const [moved, gone] = [join(wired.folder, 'moved'), { code: 'storage', where: folder }]
  await wired.importPath('first.txt')
  renameSync(folder, moved)
  await expect(wired.importPath('second.txt')).rejects.toMatchObject(gone)
  await expect(wired.service.call('datasets.list', {})).rejects.toMatchObject(gone)
  await expect(wired.service.call('work.list', {})).rejects.toMatchObject(gone)
  expect(existsSync(folder)).toBe(false)
  renameSync(moved, folder)
  expect((await wired.service.call('datasets.list', {})).datasets).toHaveLength(1)
})

test('closing ends the engine', async () => {
  await wired.service.close()
  expect(wired.runner.closed).toBe(true)
})

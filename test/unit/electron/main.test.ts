import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callChannel } from '../../../electron/host/channels.ts'
import { fakeElectron, FakeWindow, handlers } from './fake-electron.ts'

vi.mock('electron', async () => (await import('./fake-electron.ts')).fakeElectron)

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anticlique-main-'))
  vi.stubEnv('ANTICLIQUE_LIBRARY', join(folder, 'library'))
  vi.stubEnv('ELECTRON_RENDERER_URL', undefined)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

test('the program opens the library and answers its window', async () => {
  await import('../../../electron/main.ts')
  await vi.waitFor(() => expect(FakeWindow.opened).toHaveLength(1))
  const sender = FakeWindow.opened[0]?.webContents
  const ask = (name: string, args: unknown): unknown =>
    handlers.get(callChannel)?.({ sender, senderFrame: sender?.mainFrame }, name, args)

  expect(await ask('datasets.list', {})).toEqual({ ok: true, result: { datasets: [] } })
  expect(await ask('datasets.get', { name: 'nowhere' })).toMatchObject({ ok: false, failure: { code: 'input' } })

  fakeElectron.app.emit('will-quit', { preventDefault: () => {} })
  await vi.waitFor(() => expect(fakeElectron.app.quit).toHaveBeenCalledOnce())
})

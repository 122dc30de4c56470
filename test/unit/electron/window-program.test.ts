import { basename, dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ServicePort } from '../../../electron/host/answer.ts'
import { callChannel, eventChannel } from '../../../electron/host/channels.ts'
import { builtPlaces, startApp } from '../../../electron/host/ipc-app.ts'
import { defaultSettings } from '../../../electron/contract/settings.ts'
import type { ServiceEvent } from '../../../electron/contract/events.ts'
import type { Run } from '../../../electron/contract/run.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { request } from '../library/fixtures.ts'
import { fakeElectron, FakeNotification, FakeWindow, handlers, menu } from './fake-electron.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

vi.mock('electron', async () => (await import('./fake-electron.ts')).fakeElectron)

const { app } = fakeElectron
const places = builtPlaces('/program/out/main', undefined)
const citiesRun: Run = {
  id: '',
  datasetId: 1,
  dataset: 'cities',
  name: null,
  note: '',
  starred: false,
  state: 'queued',
  algorithm: 'ecl-mis',
  request: request(),
  queue: { priority: 5, retries: 0, attempts: 1, devices: null },
  record: null,
  failure: null,
  size: null,
  hash: null,
  createdAt: '2026-11-21T09:36:01.000Z',
  startedAt: null,
  finishedAt: null,
}
const listeners = new Set<(event: ServiceEvent) => void>()
const service = {
  call: vi.fn<() => Promise<unknown>>(() => Promise.resolve({ datasets: [] })),
  listen: (listener: (event: ServiceEvent) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  close: vi.fn<ServicePort['close']>(() => Promise.resolve()),
}

async function startedWindow(): Promise<FakeWindow> {
  startApp(places, () => Promise.resolve(service as ServicePort))
  await vi.waitFor(() => expect(FakeWindow.opened).toHaveLength(1))
  const [window] = FakeWindow.opened
  if (window === undefined) throw new Error('no window')
  return window
}

beforeEach(() => {
  FakeWindow.opened.length = 0
  listeners.clear()
  app.removeAllListeners()
  vi.clearAllMocks()
})

test('the window is isolated, sandboxed and without Node', async () => {
  const { options, loadURL } = await startedWindow()
  expect(options.webPreferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
    preload: '/program/out/preload/preload.cjs',
  })
  expect(loadURL).toHaveBeenCalledExactlyOnceWith('anticlique://app/index.html')
  expect(app.enableSandbox).toHaveBeenCalledOnce()
})

test('the window shows when it is drawn', async () => {
  const window = await startedWindow()
  expect(window.options.show).toBe(false)
  expect(window.show).not.toHaveBeenCalled()
  window.emit('ready-to-show')
  expect(window.show).toHaveBeenCalledOnce()
})

test('no second window, no other page, no permission', async () => {
  const { webContents } = await startedWindow()
  expect(webContents.setWindowOpenHandler.mock.calls[0]?.[0]({})).toEqual({ action: 'deny' })
  for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
    const foreign = { url: 'https://example.org/', preventDefault: vi.fn<() => void>() }
    webContents.emit(event, foreign)
    expect(foreign.preventDefault, event).toHaveBeenCalledOnce()
  }
  const decide = vi.fn<(allowed: boolean) => void>()
  webContents.session.setPermissionRequestHandler.mock.calls[0]?.[0](webContents, 'geolocation', decide)
  expect(decide).toHaveBeenCalledExactlyOnceWith(false)
  expect(webContents.session.setPermissionCheckHandler.mock.calls[0]?.[0](webContents)).toBe(false)
})

test('only the top frame of our own page may call', async () => {
  const { webContents } = await startedWindow()
  const handle = handlers.get(callChannel)
  const ask = (senderFrame: unknown): unknown => handle?.({ sender: webContents, senderFrame }, 'datasets.list', {})
  expect(await ask(webContents.mainFrame)).toEqual({ ok: true, result: { datasets: [] } })
  expect(await ask({ url: 'anticlique://app/index.html' })).toMatchObject({ ok: false })
  expect(await ask(null)).toMatchObject({ ok: false })
  webContents.mainFrame.url = 'https://example.org/'
  expect(await ask(webContents.mainFrame)).toMatchObject({ ok: false })
  expect(service.call).toHaveBeenCalledOnce()
})

test('events reach the window', async () => {
  const { webContents } = await startedWindow()
  const event: ServiceEvent = { type: 'dataset-removed', name: 'cities' }
  for (const listener of listeners) listener(event)
  expect(webContents.send).toHaveBeenCalledExactlyOnceWith(eventChannel, event)
})

test('a second start brings the first window forward and opens none', async () => {
  const window = await startedWindow()
  app.emit('second-instance', {}, ['anticlique'], '/')
  expect(window.focus).toHaveBeenCalledOnce()
  app.requestSingleInstanceLock.mockReturnValueOnce(false)
  startApp(places, () => Promise.reject(new Error('must not open')))
  expect(app.quit).toHaveBeenCalledOnce()
  expect(FakeWindow.opened).toHaveLength(1)
})

test('a file that the system opens comes up in the import dialog', async () => {
  const address = (path: string): string => `/library?do=import&source=${encodeURIComponent(path)}`
  const file = fileURLToPath(import.meta.url)
  process.argv.push('--switch', '/no/such/file', pathToFileURL(file).href)
  const window = await startedWindow()
  process.argv.length = 1
  expect(window.loadURL).toHaveBeenCalledExactlyOnceWith(`anticlique://app/index.html#${address(file)}`)

  app.emit('second-instance', {}, ['anticlique', basename(file), '--switch'], dirname(file))
  expect(window.focus).toHaveBeenCalledOnce()
  const other = '/graphs/of macOS & others.mtx'
  app.emit('open-file', { preventDefault: () => {} }, other)
  expect(window.webContents.send.mock.calls).toEqual(
    [file, other].map((path) => [eventChannel, { type: 'open', path: address(path) }]),
  )
})

test('a file that macOS names before anything is ready is opened with the window', async () => {
  startApp(places, () => Promise.resolve(service as ServicePort))
  app.emit('open-file', { preventDefault: () => {} }, '/graphs/early.gr')
  await vi.waitFor(() => expect(FakeWindow.opened).toHaveLength(1))
  expect(FakeWindow.opened[0]!.loadURL.mock.calls[0]![0]).toContain('early.gr')
})

test('the service is closed before the program ends', async () => {
  await startedWindow()
  const event = { preventDefault: vi.fn<() => void>() }
  app.emit('will-quit', event)
  expect(event.preventDefault).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(app.quit).toHaveBeenCalledOnce())
  expect(service.close).toHaveBeenCalledOnce()
  expect(listeners.size).toBe(0)
})

test('a library that cannot be opened is told in a box', async () => {
  startApp(places, () => Promise.reject(new Error('the disk is full')))
  await vi.waitFor(() => expect(app.exit).toHaveBeenCalledExactlyOnceWith(1))
  expect(fakeElectron.dialog.showErrorBox).toHaveBeenCalledExactlyOnceWith(
    'Anticlique could not start',
    'the disk is full',
  )
})

test('what to do about a library that is no library is told with it', async () => {
  const fixes = [{ action: 'other-library' }] as const
  const where = 'library.sqlite'
  const failure = {
    code: 'storage',
    where,
    what: 'this database belongs to another program',
    remedy: '',
    fixes,
  } as const
  startApp(places, () => Promise.reject(new Failure(failure)))
  await vi.waitFor(() => expect(app.exit).toHaveBeenCalledExactlyOnceWith(1))
  expect(fakeElectron.dialog.showErrorBox).toHaveBeenCalledExactlyOnceWith(
    'Anticlique could not start',
    'library.sqlite: this database belongs to another program. Name the folder of another library in ANTICLIQUE_LIBRARY.',
  )
})

test('the window opens where it was closed', async () => {
  const folder = scratchFolder('window')
  app.userData = folder
  const first = await startedWindow()
  expect(first.options).toMatchObject({ width: 1280, height: 800 })
  expect(first.options['x']).toBe(undefined)
  first.emit('close')
  first.emit('closed')
  FakeWindow.opened.length = 0
  app.emit('activate')
  const second = FakeWindow.opened[0]!
  expect(second.options).toMatchObject({ x: 40, y: 50, width: 1300, height: 900 })
  expect(second.maximize).toHaveBeenCalledOnce()
  app.userData = '/nowhere'
})

test('the native menu goes to pages', async () => {
  const { webContents } = await startedWindow()
  const go = menu.items.find(({ label }) => label === 'Go')
  go?.submenu?.find(({ label }) => label === 'Runs')?.click?.()
  expect(webContents.send).toHaveBeenCalledExactlyOnceWith(eventChannel, { type: 'open', path: '/runs' })
  expect(JSON.stringify(menu.items)).not.toMatch(/reload|toggleDevTools/)
})

test('who looks elsewhere is told that a run ended, once', async () => {
  const window = await startedWindow()
  const told = (state: Run['state'], id: string): void => {
    for (const listener of listeners) listener({ type: 'run-changed', run: { ...citiesRun, id, state } })
  }
  FakeNotification.shown.length = 0
  told('done', 'earlier')
  for (const state of ['queued', 'running', 'done', 'done'] as const) told(state, 'a')
  for (const state of ['running', 'cancelled'] as const) told(state, 'b')
  window.isFocused.mockReturnValue(true)
  for (const state of ['running', 'failed'] as const) told(state, 'c')
  expect(FakeNotification.shown.map(({ options }) => options)).toEqual([{ title: 'cities is done', body: 'Run a' }])
  window.isFocused.mockReturnValue(false)
  const settings = { ...defaultSettings, notifyWhenDone: false }
  for (const listener of listeners) listener({ type: 'settings-changed', settings })
  for (const state of ['running', 'done'] as const) told(state, 'd')
  expect(FakeNotification.shown).toHaveLength(1)
  window.webContents.send.mockClear()
  FakeNotification.shown[0]?.emit('click')
  expect(window.focus).toHaveBeenCalledOnce()
  expect(window.webContents.send).toHaveBeenCalledExactlyOnceWith(eventChannel, { type: 'open', path: '/run/a' })
})

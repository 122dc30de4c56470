/**
 * The window's program: one instance, one window, one service, and the calls of the page over Electron's IPC. Only the top frame of our own page
 * may call, by the names and schemas of the contract. It closes the service before it quits, as killing an engine with work queued could take a
 * driver down, and tells of work that ends unseen. ipc-window.ts opens the window; serve-host.ts is the other host.
 */

import {
  app,
  dialog,
  protocol,
  BrowserWindow,
  ipcMain,
  type IpcMainInvokeEvent,
  Notification,
  type Event,
  type OpenDialogOptions,
} from 'electron'
import { statSync } from 'node:fs'
import { join, resolve, basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServiceEvent } from '../contract/events.ts'
import { answer, withAbilities, withoutPaths, type ServicePort } from './answer.ts'
import { eventChannel, callChannel } from './channels.ts'
import { setMenu, openWindow } from './ipc-window.ts'
import { pageScheme, pageUrl, respondWithPage, trustedOrigins, isTrusted } from './page.ts'
import type { Run } from '../contract/run.ts'
import { Failure, failureLine, messageOf, type FailureValue } from '../../workers/base/failure.ts'
import { remedyText } from '../contract/words.ts'
import { defaultSettings, type Settings } from '../contract/settings.ts'
import type { CallArgs, Handlers } from '../contract/calls.ts'
import { nameOf, takeOut } from './take-out.ts'

export interface Places {
  readonly preload: string
  readonly page: string
  readonly devServer: string | undefined
}

/** One instance, one window, one service. To be called before Electron is ready. */
export function startApp(places: Places, openService: () => Promise<ServicePort>): void {
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true } }])
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  app.enableSandbox()
  let file = fileAmong(process.argv, process.cwd())
  let openFile = (path: string): void => void (file = path)
  // macOS names files so, and does before anything is ready.
  app.on('open-file', (event: Event, path: string) => {
    event.preventDefault()
    openFile(path)
  })
  app
    .whenReady()
    .then(async () => {
      const service = await openService()
      openFile = show(places, service, file)
    })
    .catch((error: unknown) => {
      dialog.showErrorBox('Anticlique could not start', startText(error))
      app.exit(1)
    })
}

/** There is no page yet to say what helps. */
function startText(error: unknown): string {
  if (!(error instanceof Failure)) return messageOf(error)
  const remedy = remedyText(error, ({ action }) =>
    action === 'other-library' ? 'name the folder of another library in ANTICLIQUE_LIBRARY' : 'start it again',
  )
  return failureLine({ ...error.toValue(), remedy })
}

/** The graph file that the system's file manager started the program with: the last word that is a file. */
function fileAmong(words: readonly string[], folder: string): string | undefined {
  const paths = words.slice(app.isPackaged ? 1 : 2).map((word) => {
    try {
      return resolve(folder, /^file:/i.test(word) ? fileURLToPath(word) : word)
    } catch {
      return folder
    }
  })
  return paths.findLast((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
}

/** @returns what opens the import dialog for a file */
function show({ preload, page, devServer }: Places, service: ServicePort, file?: string): (file: string) => void {
  const origins = trustedOrigins(devServer, app.isPackaged)
  protocol.handle(pageScheme, (request) => respondWithPage(page, request.url))
  let window: BrowserWindow | null = null
  const own = withAbilities(
    service,
    windowAbilities(service, () => window),
  )
  const disconnect = connectWindows(own, origins)
  const address = devServer !== undefined && !app.isPackaged ? devServer : pageUrl
  const addressOf = (path?: string): string => (path === undefined ? address : `${address}#${path}`)
  const open = (path?: string): void => {
    window = openWindow({ preload, address: addressOf(path), origins })
    window.on('closed', () => (window = null))
  }
  const focus = (): void => {
    if (window === null) return open()
    if (window.isMinimized()) window.restore()
    window.focus()
  }
  const openPage = (path: string): void => {
    if (window === null) return open(path)
    focus()
    const { webContents } = window
    if (webContents.getURL().includes('/help/')) void webContents.loadURL(addressOf(path))
    else webContents.send(eventChannel, { type: 'open', path } satisfies ServiceEvent)
  }
  const pageOf = (path: string): string => `/library?do=import&source=${encodeURIComponent(path)}`
  setMenu(openPage)
  const endTelling = tellEnds(own, { isSeen: () => window?.isFocused() === true, open: openPage })
  open(file === undefined ? undefined : pageOf(file))

  app.on('second-instance', (_event, words, folder) => {
    const named = fileAmong(words, folder)
    if (named === undefined) focus()
    else openPage(pageOf(named))
  })
  app.on('activate', () => {
    if (window === null) open()
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  closeBeforeQuitting(service, () => {
    endTelling()
    disconnect()
  })
  return (path) => openPage(pageOf(path))
}

/** Killing an engine with work queued could take a driver down. */
function closeBeforeQuitting(service: ServicePort, disconnect: () => void): void {
  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    disconnect()
    const quit = (): void => {
      closed = true
      app.quit()
    }
    service.close().then(quit, (error: unknown) => {
      console.error(error)
      quit()
    })
  })
}

export function builtPlaces(mainFolder: string, devServer: string | undefined): Places {
  return { preload: join(mainFolder, '../preload/preload.cjs'), page: join(mainFolder, '../renderer'), devServer }
}

/** Only the top frame of our own page may call. */
function isFromPage(event: IpcMainInvokeEvent, origins: readonly string[]): boolean {
  const frame = event.senderFrame
  return frame !== null && frame === event.sender.mainFrame && isTrusted(frame.url, origins)
}

const foreign: FailureValue = {
  code: 'usage',
  what: 'this call came from a foreign page',
  remedy: 'Close that window.',
}

export function connectWindows(service: ServicePort, origins: readonly string[]): () => void {
  ipcMain.handle(callChannel, (event: IpcMainInvokeEvent, name: unknown, args: unknown) =>
    isFromPage(event, origins) ? answer(service, name, args) : { ok: false, failure: foreign },
  )
  const stopListening = service.listen((event) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send(eventChannel, event)
  })
  return () => {
    stopListening()
    ipcMain.removeHandler(callChannel)
  }
}

const ends: Readonly<Partial<Record<Run['state'], string>>> = {
  done: 'is done',
  failed: 'failed',
  interrupted: 'was interrupted',
}

interface NoticeOptions {
  readonly isSeen: () => boolean
  readonly open: (path: string) => void
}

function tellEnds(service: ServicePort, { isSeen, open }: NoticeOptions): () => void {
  const atWork = new Set<string>()
  let isWanted: boolean | undefined
  const learn = (settings: Settings): void => void (isWanted = settings.notifyWhenDone)
  /** Long before the first run ends. */
  function read(): void {
    learn(defaultSettings)
    service
      .call('settings.get', {})
      .then(({ settings }) => learn(settings))
      .catch(() => {})
  }
  return service.listen((event) => {
    if (event.type === 'settings-changed') learn(event.settings)
    if (event.type !== 'run-changed') return
    const { id, state, name, dataset, failure } = event.run
    const end = ends[state]
    if (end === undefined) {
      // The person's own doing.
      if (state === 'cancelled') atWork.delete(id)
      else atWork.add(id)
      if (isWanted === undefined) read()
      return
    }
    if (!atWork.delete(id) || !isWanted || isSeen() || !Notification.isSupported()) return
    const notice = new Notification({ title: `${name ?? dataset} ${end}`, body: failure?.what ?? `Run ${id}` })
    notice.on('click', () => open(`/run/${id}`))
    notice.show()
  })
}

export function windowAbilities(service: ServicePort, window: () => BrowserWindow | null): Partial<Handlers> {
  let savedIn: string | null = null
  return {
    ...withoutPaths(service),
    'library.status': async (args) => ({ ...(await service.call('library.status', args)), host: 'window' }),
    'files.choose': async (args) => {
      const front = window()
      const options = openOptions(args)
      const { canceled, filePaths } = await (front === null
        ? dialog.showOpenDialog(options)
        : dialog.showOpenDialog(front, options))
      return { paths: canceled ? null : filePaths }
    },
    'export.download': async ({ request }) => {
      const front = window()
      const name = nameOf(request)
      const options = { title: 'Save', defaultPath: savedIn === null ? name : join(savedIn, name) }
      const { canceled, filePath } = await (front === null
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(front, options))
      if (canceled || basename(filePath) === '') return { how: 'cancelled' }
      savedIn = dirname(filePath)
      return { how: 'saved', files: await takeOut(service, request, filePath) }
    },
  }
}

function openOptions({ title, several, folder }: CallArgs<'files.choose'>): OpenDialogOptions {
  return {
    ...(title === undefined ? {} : { title }),
    properties: [
      folder === true ? 'openDirectory' : 'openFile',
      ...(several === true ? ['multiSelections' as const] : []),
    ],
  }
}

import { app, dialog, protocol } from 'electron'
import type { BrowserWindow } from 'electron'
import { join } from 'node:path'
import type { ServiceEvent } from '../contract/events.ts'
import { withAbilities } from './abilities.ts'
import type { ServicePort } from './answer.ts'
import { windowAbilities } from './ipc-dialogs.ts'
import { eventChannel } from './channels.ts'
import { connectWindows } from './ipc-host.ts'
import { setMenu } from './ipc-menu.ts'
import { tellEnds } from './ipc-notices.ts'
import { openWindow } from './ipc-window.ts'
import { pageScheme, pageUrl, respondWithPage, trustedOrigins } from './page.ts'

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
  app
    .whenReady()
    .then(async () => show(places, await openService()))
    .catch((error: unknown) => {
      dialog.showErrorBox('Anticlique could not start', error instanceof Error ? error.message : String(error))
      app.exit(1)
    })
}

function show({ preload, page, devServer }: Places, service: ServicePort): void {
  const origins = trustedOrigins(devServer, app.isPackaged)
  protocol.handle(pageScheme, (request) => respondWithPage(page, request.url))
  let window: BrowserWindow | null = null
  const own = withAbilities(
    service,
    windowAbilities(service, () => window),
  )
  const disconnect = connectWindows(own, origins)
  const address = devServer !== undefined && !app.isPackaged ? devServer : pageUrl
  const open = (): void => {
    window = openWindow({ preload, address, origins })
    window.on('closed', () => (window = null))
  }
  const focus = (): void => {
    if (window === null) return open()
    if (window.isMinimized()) window.restore()
    window.focus()
  }
  const openPage = (path: string): void => {
    const wasClosed = window === null
    focus()
    const contents = window?.webContents
    const showsHelp = contents?.getURL().includes('/help/') === true
    if (showsHelp) void contents?.loadURL(address)
    const send = (): void => contents?.send(eventChannel, { type: 'open', path } satisfies ServiceEvent)
    if (wasClosed || showsHelp) contents?.once('did-finish-load', send)
    else send()
  }
  setMenu(openPage)
  const endTelling = tellEnds(own, { isSeen: () => window?.isFocused() === true, open: openPage })
  open()

  app.on('second-instance', focus)
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

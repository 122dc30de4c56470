import { BrowserWindow, type Session, type WebContents } from 'electron'
import { isTrusted } from './page.ts'
import { keepWindowState, lastWindowState } from './ipc-window-state.ts'

export interface WindowOptions {
  readonly preload: string
  readonly address: string
  readonly origins: readonly string[]
}

/** It shows with its first frame. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const last = lastWindowState()
  const place = last === null ? {} : { x: last.x, y: last.y }
  const window = new BrowserWindow({
    width: last?.width ?? 1280,
    height: last?.height ?? 800,
    ...place,
    minWidth: 720,
    minHeight: 480,
    show: false,
    title: 'Anticlique',
    autoHideMenuBar: true,
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
    },
  })
  if (last?.isMaximized === true) window.maximize()
  window.once('ready-to-show', () => window.show())
  keepWindowState(window)
  lockContents(window.webContents, options.origins)
  refusePermissions(window.webContents.session)
  // Chromium shows its own error page.
  window.loadURL(options.address).catch((error: unknown) => console.error(`the page did not load: ${String(error)}`))
  return window
}

/** No other page, no second window, no embedded one. */
function lockContents(contents: WebContents, origins: readonly string[]): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  const refuseForeign = (event: { preventDefault(): void; readonly url: string }): void => {
    if (!isTrusted(event.url, origins)) event.preventDefault()
  }
  contents.on('will-navigate', refuseForeign)
  contents.on('will-redirect', refuseForeign)
  contents.on('will-frame-navigate', refuseForeign)
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}

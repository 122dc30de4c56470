/**
 * The window itself: its frame, menu, place on the screen (kept for the next start) and locks: no other page, no second window, no embedded one,
 * no permission. The page is sandboxed, and reaches the program by the preload alone. Another library is opened by starting anew with it.
 * ipc-app.ts has the program around it.
 */

import {
  BrowserWindow,
  type Session,
  type WebContents,
  app,
  screen,
  type Rectangle,
  dialog,
  Menu,
  type MenuItemConstructorOptions,
} from 'electron'
import { writeAside } from '../../workers/base/output-file.ts'
import { isTrusted } from './page.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

interface WindowOptions {
  readonly preload: string
  readonly address: string
  readonly origins: readonly string[]
}

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

const stateSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
  isMaximized: z.boolean(),
})
type WindowState = z.infer<typeof stateSchema>

/** Pixels that some screen must show. */
const IN_SIGHT = 100

const statePath = (): string => join(app.getPath('userData'), 'window.json')

/** null the first time, or where no screen shows that place. */
function lastWindowState(): WindowState | null {
  try {
    const state = stateSchema.parse(JSON.parse(readFileSync(statePath(), 'utf8')))
    return screen.getAllDisplays().some(({ workArea }) => isInSight(state, workArea)) ? state : null
  } catch {
    return null
  }
}

function keepWindowState(window: BrowserWindow): void {
  window.on('close', () => {
    const state: WindowState = { ...window.getNormalBounds(), isMaximized: window.isMaximized() }
    try {
      writeAside(statePath(), [Buffer.from(JSON.stringify(state))])
    } catch (error) {
      console.error(`the place of the window was not kept: ${String(error)}`)
    }
  })
}

function isInSight(window: Rectangle, area: Rectangle): boolean {
  const across = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x)
  const down = Math.min(window.y + window.height, area.y + area.height) - Math.max(window.y, area.y)
  return across >= IN_SIGHT && down >= IN_SIGHT
}

const places = [
  ['Library', '/'],
  ['New Run', '/new-run'],
  ['Runs', '/runs'],
  ['Compare', '/compare'],
  ['Explore', '/explore'],
  ['Devices', '/devices'],
  ['Settings', '/settings'],
] as const

export function setMenu(open: (path: string) => void): void {
  const pages = places.map(([label, path]): MenuItemConstructorOptions => ({ label, click: () => open(path) }))
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    { label: 'File', submenu: fileItems },
    { role: 'editMenu' },
    { label: 'Go', submenu: pages },
    { label: 'View', submenu: viewItems },
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

const fileItems: MenuItemConstructorOptions[] = [
  { label: 'Open Another Library …', accelerator: 'CmdOrCtrl+Shift+O', click: () => void openAnotherLibrary() },
  { type: 'separator' },
  { role: process.platform === 'darwin' ? 'close' : 'quit' },
]

/** One program has one library: it starts anew with the other one, which is made where the folder is empty. */
async function openAnotherLibrary(): Promise<void> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Open another library',
    properties: ['openDirectory', 'createDirectory'],
  })
  const [folder] = filePaths
  if (folder === undefined) return
  process.env['ANTICLIQUE_LIBRARY'] = folder
  app.relaunch()
  app.quit()
}

/** No reload, no developer tools. */
const viewItems: MenuItemConstructorOptions[] = [
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  { role: 'zoomOut' },
  { type: 'separator' },
  { role: 'togglefullscreen' },
]

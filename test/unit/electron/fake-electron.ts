import { EventEmitter } from 'node:events'
import { vi } from 'vitest'

// As a packaged program is started, without a file.
process.argv.length = 1

type Handler = (event: unknown, ...args: readonly unknown[]) => unknown

/** Enough of Electron to start the window program without it; every test file gets its own through `vi.mock`. */
export class FakeWebContents extends EventEmitter {
  readonly getURL = (): string => 'anticlique://app/index.html'
  readonly mainFrame = { url: 'anticlique://app/index.html' }
  readonly send = vi.fn<(channel: string, event: unknown) => void>()
  readonly setWindowOpenHandler = vi.fn<(decide: (details: unknown) => unknown) => void>()
  readonly session = {
    setPermissionRequestHandler: vi.fn<(decide: Handler) => void>(),
    setPermissionCheckHandler: vi.fn<(decide: Handler) => void>(),
    setDevicePermissionHandler: vi.fn<(decide: Handler) => void>(),
  }
}

export class FakeWindow extends EventEmitter {
  static readonly opened: FakeWindow[] = []
  static readonly getAllWindows = (): readonly FakeWindow[] => FakeWindow.opened
  readonly webContents = new FakeWebContents()
  readonly show = vi.fn<() => void>()
  readonly focus = vi.fn<() => void>()
  readonly isMinimized = (): boolean => false
  readonly isFocused = vi.fn<() => boolean>(() => false)
  readonly isMaximized = (): boolean => true
  readonly maximize = vi.fn<() => void>()
  readonly getNormalBounds = (): object => ({ x: 40, y: 50, width: 1300, height: 900 })
  readonly loadURL = vi.fn<(address: string) => Promise<void>>(() => Promise.resolve())
  readonly options: Readonly<Record<string, unknown>> & {
    readonly show: boolean
    readonly webPreferences: Readonly<Record<string, unknown>>
  }

  constructor(options: FakeWindow['options']) {
    super()
    this.options = options
    FakeWindow.opened.push(this)
  }
}

export class FakeNotification extends EventEmitter {
  static readonly shown: FakeNotification[] = []
  static readonly isSupported = (): boolean => true
  readonly options: { readonly title: string; readonly body: string }

  constructor(options: FakeNotification['options']) {
    super()
    this.options = options
  }

  show(): void {
    FakeNotification.shown.push(this)
  }
}

/** An item of the native menu as it is described. */
export interface FakeMenuItem {
  readonly role?: string
  readonly label?: string
  readonly click?: () => void
  readonly submenu?: readonly FakeMenuItem[]
}

export const menu: { items: readonly FakeMenuItem[] } = { items: [] }

class FakeApp extends EventEmitter {
  isPackaged = true
  userData = '/nowhere'
  readonly getPath = (): string => this.userData
  readonly requestSingleInstanceLock = vi.fn<() => boolean>(() => true)
  readonly enableSandbox = vi.fn<() => void>()
  readonly whenReady = (): Promise<void> => Promise.resolve()
  readonly quit = vi.fn<() => void>()
  readonly exit = vi.fn<(code: number) => void>()
}

export const handlers = new Map<string, Handler>()

export const fakeElectron = {
  app: new FakeApp(),
  BrowserWindow: FakeWindow,
  Notification: FakeNotification,
  Menu: {
    buildFromTemplate: (items: readonly FakeMenuItem[]) => items,
    setApplicationMenu: (items: readonly FakeMenuItem[]) => void (menu.items = items),
  },
  screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
  dialog: { showErrorBox: vi.fn<(title: string, text: string) => void>() },
  protocol: {
    registerSchemesAsPrivileged: vi.fn<(schemes: unknown) => void>(),
    handle: vi.fn<(scheme: string, respond: Handler) => void>(),
  },
  ipcMain: {
    handle: (channel: string, handler: Handler) => void handlers.set(channel, handler),
    removeHandler: (channel: string) => void handlers.delete(channel),
  },
}

import { EventEmitter } from 'node:events'
import { vi } from 'vitest'

type Handler = (event: unknown, ...args: readonly unknown[]) => unknown

/** Enough of Electron to start the window program without it; every test file gets its own through `vi.mock`. */
export class FakeWebContents extends EventEmitter {
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
  readonly loadURL = vi.fn<(address: string) => Promise<void>>(() => Promise.resolve())
  readonly options: { readonly show: boolean; readonly webPreferences: Readonly<Record<string, unknown>> }

  constructor(options: FakeWindow['options']) {
    super()
    this.options = options
    FakeWindow.opened.push(this)
  }
}

class FakeApp extends EventEmitter {
  isPackaged = true
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

import { MessageChannel, type MessagePort } from 'node:worker_threads'

type Handler = (event: unknown, ...args: readonly unknown[]) => unknown
type Listener = (sender: unknown, event: unknown) => void

interface Message {
  readonly id: number
  readonly channel: string
  readonly args?: readonly unknown[]
  readonly result?: unknown
  readonly event?: unknown
}

const frame = { url: 'anticlique://app/index.html' }

/** Electron's two processes with a port in memory between them: what crosses is cloned, as it is there. */
export class ElectronPort {
  readonly #handlers = new Map<string, Handler>()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #waiting = new Map<number, (result: unknown) => void>()
  readonly #page: MessagePort
  readonly #main: MessagePort
  #next = 1
  /** The page's frame, as the main process sees it; a test puts a foreign one here. */
  senderFrame: { url: string } = frame
  /** What the preload script gave the page. */
  bridge: unknown
  readonly dialog = {
    showOpenDialog: () => Promise.resolve({ canceled: false, filePaths: ['/chosen/graph.txt'] }),
    showSaveDialog: () => Promise.resolve({ canceled: this.saveTo === null, filePath: this.saveTo ?? '' }),
  }
  /** What the person answers in the save dialog; null: they cancel. */
  saveTo: string | null = null

  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.#page = port1
    this.#main = port2
    port1.on('message', (message: Message) => this.#onPage(message))
    port2.on('message', (message: Message) => void this.#onMain(message))
  }

  readonly contextBridge = { exposeInMainWorld: (_name: string, bridge: unknown) => (this.bridge = bridge) }
  readonly webUtils = { getPathForFile: (file: File) => `/dropped/${file.name}` }

  readonly ipcMain = {
    handle: (channel: string, handler: Handler) => void this.#handlers.set(channel, handler),
    removeHandler: (channel: string) => void this.#handlers.delete(channel),
  }

  readonly ipcRenderer = {
    invoke: (channel: string, ...args: readonly unknown[]): Promise<unknown> => {
      const id = this.#next++
      this.#page.postMessage({ id, channel, args } satisfies Message)
      return new Promise((resolve) => this.#waiting.set(id, resolve))
    },
    on: (channel: string, listener: Listener) => {
      const listeners = this.#listeners.get(channel) ?? new Set()
      this.#listeners.set(channel, listeners.add(listener))
    },
    removeListener: (channel: string, listener: Listener) => void this.#listeners.get(channel)?.delete(listener),
  }

  readonly BrowserWindow = {
    getAllWindows: () => [
      { webContents: { send: (channel: string, event: unknown) => this.#main.postMessage({ id: 0, channel, event }) } },
    ],
  }

  close(): void {
    this.#page.close()
  }

  async #onMain({ id, channel, args = [] }: Message): Promise<void> {
    const sender = { mainFrame: this.senderFrame }
    const result = await this.#handlers.get(channel)?.({ sender, senderFrame: this.senderFrame }, ...args)
    this.#main.postMessage({ id, channel, result } satisfies Message)
  }

  #onPage({ id, channel, result, event }: Message): void {
    if (id === 0) {
      for (const listener of this.#listeners.get(channel) ?? []) listener(null, event)
      return
    }
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }
}

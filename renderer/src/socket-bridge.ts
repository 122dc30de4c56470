import { MAX_MESSAGE_BYTES } from '../../electron/contract/check.ts'
import type { Bridge, Reach } from './bridge.ts'

/** Between two attempts to reach a program that is gone; grows up to the longest. */
const RETRY_MS = 250
const LONGEST_RETRY_MS = 5000

interface Waiting {
  readonly text: string
  sent: boolean
  settle(reply: unknown): void
}

const tooLarge = (where: string): object => ({
  ok: false,
  failure: { code: 'usage', where, what: 'the message is too large', remedy: 'Send the file itself, not its text.' },
})

const failed = (what: string, remedy: string): object => ({ ok: false, failure: { code: 'lost', what, remedy } })

/**
 * The bridge to `anticlique serve`: the same calls and events as through the window's preload, over one WebSocket that
 * connects anew when it is lost. Calls wait for a connection; those that were under way when it broke fail, as nobody
 * knows what became of them.
 */
class SocketBridge implements Bridge {
  readonly #address: string
  readonly #listeners = new Set<(event: unknown) => void>()
  readonly #reachListeners = new Set<(reach: Reach) => void>()
  readonly #calls = new Map<number, Waiting>()
  /** Called when a lost connection is there again: events may have been missed. */
  readonly #onReturn: () => void
  #socket: WebSocket | null = null
  #next = 1
  #retryMs = RETRY_MS
  #opened = false

  constructor(origin: string, onReturn: () => void) {
    this.#address = `${origin.replace(/^http/, 'ws')}/socket`
    this.#onReturn = onReturn
    this.#connect()
  }

  call(name: string, args: unknown): Promise<unknown> {
    const id = this.#next++
    const text = JSON.stringify({ id, name, args })
    // A larger one would end the connection, and with it the calls of everybody else on this page.
    if (text.length > MAX_MESSAGE_BYTES) return Promise.resolve(tooLarge(name))
    return new Promise((settle) => {
      this.#calls.set(id, { text, sent: false, settle })
      this.#flush()
    })
  }

  on(listener: (event: unknown) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onReach(listener: (reach: Reach) => void): () => void {
    this.#reachListeners.add(listener)
    return () => this.#reachListeners.delete(listener)
  }

  /** Sends a file to the program; what comes back stands for it in `datasets.import`. */
  async take(file: File): Promise<string> {
    const headers = { 'x-file-name': encodeURIComponent(file.name) }
    const response = await fetch('/upload', { method: 'POST', body: file, headers })
    const answer = (await response.json().catch(() => null)) as { source?: string; failure?: { what: string } } | null
    if (answer?.source !== undefined) return answer.source
    throw new Error(answer?.failure?.what ?? `the file was not taken (${response.status})`)
  }

  #connect(): void {
    const socket = new WebSocket(this.#address, 'anticlique')
    this.#socket = socket
    socket.addEventListener('open', () => {
      this.#retryMs = RETRY_MS
      this.#tellReach('there')
      this.#flush()
      if (this.#opened) this.#onReturn()
      this.#opened = true
    })
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)))
    socket.addEventListener('close', () => void this.#lose(socket))
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as { id?: number; reply?: unknown; event?: unknown }
    if (message.id === undefined) {
      for (const listener of this.#listeners) listener(message.event)
      return
    }
    const call = this.#calls.get(message.id)
    this.#calls.delete(message.id)
    call?.settle(message.reply)
  }

  #flush(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return
    for (const call of this.#calls.values()) {
      if (call.sent) continue
      call.sent = true
      this.#socket.send(call.text)
    }
  }

  async #lose(socket: WebSocket): Promise<void> {
    if (this.#socket !== socket) return
    this.#fail((call) => call.sent, 'the connection to the program broke', 'It is made anew by itself; then try again.')
    if (await isRefused()) {
      this.#tellReach('refused')
      return this.#fail(() => true, 'this session has expired', 'Open the link that "anticlique serve" printed last.')
    }
    this.#tellReach('lost')
    setTimeout(() => this.#connect(), this.#retryMs)
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS)
  }

  #tellReach(reach: Reach): void {
    for (const listener of this.#reachListeners) listener(reach)
  }

  #fail(which: (call: Waiting) => boolean, what: string, remedy: string): void {
    for (const [id, call] of this.#calls) {
      if (!which(call)) continue
      this.#calls.delete(id)
      call.settle(failed(what, remedy))
    }
  }
}

/** Whether the program is there and does not know this browser: trying again would not help. */
async function isRefused(): Promise<boolean> {
  try {
    return (await fetch('/session')).status === 401
  } catch {
    return false
  }
}

// In the window the preload script was here before; a page that came over HTTP without it is under `anticlique serve`.
if (window.anticlique === undefined && location.protocol.startsWith('http')) {
  // What is read again when a person comes back to the page is what may have changed while the connection was lost.
  const bridge = new SocketBridge(location.origin, () => window.dispatchEvent(new Event('focus')))
  Object.defineProperty(window, 'anticlique', { value: bridge })
}

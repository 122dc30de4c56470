import { resolve } from 'node:path'
import WebSocket from 'ws'
import type { ServicePort, Reply } from '../../../electron/host/answer.ts'
import { serve, type Serving } from '../../../electron/host/serve-host.ts'
import type { Service } from '../../../electron/service/service.ts'
import { Failure } from '../../../workers/base/failure.ts'
import type { Bridge } from '../../../renderer/src/bridge.ts'
import type { ElectronPort } from './electron-port.ts'
import type { Way } from './contract-client.ts'

/** The service in the same process, as the command line has it. */
export function direct(service: Service): Way {
  return {
    raw: async (name, args) => {
      try {
        return { ok: true, result: await service.call(name as 'runs.get', args as { run: string }) }
      } catch (error) {
        if (error instanceof Failure) return { ok: false, failure: error.toValue() }
        throw error
      }
    },
    listen: (listener) => service.listen(listener),
    close: () => Promise.resolve(),
  }
}

/** The window's host and its preload script, over a port in memory. */
export async function overPort(service: ServicePort, electron: ElectronPort): Promise<Way> {
  const { connectWindows, windowAbilities } = await import('../../../electron/host/ipc-app.ts')
  const { withAbilities } = await import('../../../electron/host/answer.ts')
  const { pageOrigin } = await import('../../../electron/host/page.ts')
  await import('../../../electron/preload.ts')
  const own = withAbilities(
    service,
    windowAbilities(service, () => null),
  )
  const disconnect = connectWindows(own, [pageOrigin])
  const bridge = electron.bridge as Bridge
  return {
    raw: (name, args) => bridge.call(name as string, args) as Promise<Reply>,
    listen: (listener) => bridge.on(listener),
    close: async () => {
      disconnect()
      electron.close()
    },
  }
}

export const builtPage = resolve(import.meta.dirname, '../../../out/renderer')

export function served(
  service: ServicePort,
  scratch: string,
  options: { readonly host?: string; readonly headersMs?: number; readonly page?: string } = {},
): Promise<Serving> {
  return serve(service, { page: builtPage, host: '127.0.0.1', port: 0, scratch, ...options })
}

/** `anticlique serve` through its socket, opened anew where it was closed. */
export function overSocket({ url }: Serving): Way {
  return new SocketWay(new URL(url))
}

class SocketWay implements Way {
  readonly #url: URL
  readonly #listeners = new Set<(event: unknown) => void>()
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #socket: Promise<WebSocket> | null = null
  #next = 1

  constructor(url: URL) {
    this.#url = url
  }

  async raw(name: unknown, args: unknown): Promise<Reply> {
    const socket = await (this.#socket ??= this.#open())
    const id = this.#next++
    return new Promise((settle) => {
      this.#waiting.set(id, settle)
      socket.send(JSON.stringify({ id, name, args }))
    })
  }

  listen(listener: (event: unknown) => void): () => void {
    this.#socket ??= this.#open()
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    const socket = await this.#socket
    if (socket?.readyState !== WebSocket.OPEN) return
    await new Promise((closed) => socket.once('close', closed).close())
  }

  async #open(): Promise<WebSocket> {
    const token = this.#url.searchParams.get('token') ?? ''
    const socket = new WebSocket(`ws://${this.#url.host}/socket`, ['anticlique', `token.${token}`])
    socket.on('message', (data) => this.#receive(String(data)))
    socket.on('close', (code) => this.#lose(code))
    await new Promise((opened, failed) => socket.once('open', opened).once('error', failed))
    return socket
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as { id?: number; reply: Reply; event: unknown }
    if (message.id === undefined) for (const listener of this.#listeners) listener(message.event)
    else this.#waiting.get(message.id)?.(message.reply)
  }

  #lose(code: number): void {
    this.#socket = null
    const failure = { code: 'lost', what: `the connection was closed (${code})`, remedy: 'Connect again.' } as const
    for (const settle of this.#waiting.values()) settle({ ok: false, failure })
    this.#waiting.clear()
  }
}

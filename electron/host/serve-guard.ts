import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import type { Socket } from 'node:net'

/** What we speak, and the prefix of the one with a token. */
export const socketProtocol = 'anticlique'
const tokenPrefix = 'token.'

const secret = (): string => randomBytes(32).toString('base64url')
/** Browsers leave it out of addresses. */
const HTTP_PORT = 80
const loopbacks = ['127.0.0.1', 'localhost', '[::1]']

/** Guards a server by the address, the page, and the token of this start. */
export class ServeGuard {
  readonly token = secret()
  readonly #session = secret()
  readonly #cookie: string
  readonly #hosts: ReadonlySet<string>

  constructor(host: string, port: number) {
    // Cookies know no ports.
    this.#cookie = `anticlique-${port}`
    const names = hostNames(host).map((name) => name.toLowerCase())
    this.#hosts = new Set([...names.map((name) => `${name}:${port}`), ...(port === HTTP_PORT ? names : [])])
  }

  /** Names that point at this machine by other means are refused. */
  isOurHost({ headers }: IncomingMessage): boolean {
    return this.#hosts.has((headers.host ?? '').toLowerCase())
  }

  /** @param without for a program that names no page */
  isOurOrigin({ headers }: IncomingMessage, without: boolean): boolean {
    const { origin, host } = headers
    return origin === undefined ? without : origin.toLowerCase() === `http://${(host ?? '').toLowerCase()}`
  }

  isToken(text: string | null | undefined): boolean {
    return typeof text === 'string' && isSame(text, this.token)
  }

  hasSession({ headers }: IncomingMessage): boolean {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    return pairs.some(
      (pair) => pair.startsWith(`${this.#cookie}=`) && isSame(pair.slice(this.#cookie.length + 1), this.#session),
    )
  }

  /** Not for scripts, nor for other sites. */
  sessionCookie(): string {
    return `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`
  }

  /** null: accepted; else a status. */
  refusalOfSocket(request: IncomingMessage): 401 | 403 | null {
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((text) => text.trim())
    const token = offered.find((text) => text.startsWith(tokenPrefix))?.slice(tokenPrefix.length)
    const byToken = this.isToken(token)
    if (!this.isOurHost(request) || !this.isOurOrigin(request, byToken)) return 403
    return byToken || this.hasSession(request) ? null : 401
  }
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

function hostNames(host: string): string[] {
  if (isLoopback(host)) return [bracketed(host), ...loopbacks]
  const all = host === '0.0.0.0' || host === '::'
  const addresses = all
    ? Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => bracketed(address)))
    : [bracketed(host)]
  return [...addresses, ...(all ? [hostname(), ...loopbacks] : [])]
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** More than a browser opens; far fewer than the files that a process may have open. */
const MOST_OF_ONE = 32
const MOST = 128

/**
 * Connections without token or cookie so far: a new one replaces the oldest, so that holding many locks no other out.
 */
export class Strangers {
  readonly #sockets = new Map<Socket, string>()

  admit(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    this.#sockets.set(socket, address)
    socket.once('close', () => this.know(socket))
    const alike = [...this.#sockets].filter(([, other]) => other === address)
    const oldest = alike.length > MOST_OF_ONE ? alike[0] : this.#sockets.size > MOST ? [...this.#sockets][0] : undefined
    oldest?.[0].destroy()
  }

  know(socket: Socket): void {
    this.#sockets.delete(socket)
  }
}

/**
 * `anticlique serve`: the same page for browsers, over HTTP on the loopback address, and the contract's calls and events over a WebSocket. Every
 * request has to pass the guard (token, address, origin: serve-guard.ts); uploads and downloads are in serve-files.ts. Calls continue when a
 * page is gone, but for what it only wanted to look at; a slow page is sent the last progress alone. ipc-app.ts is the host of the window.
 */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import sirv from 'sirv'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import { Failure, usageFailure, messageOf } from '../../workers/base/failure.ts'
import { MAX_MESSAGE_BYTES } from '../contract/check.ts'
import { type ServicePort, answer } from './answer.ts'
import { browserService, ServeFiles } from './serve-files.ts'
import { contentSecurityPolicy } from './page.ts'
import { ServeGuard, bracketed, socketProtocol, Strangers } from './serve-guard.ts'
import { quietJob } from '../../workers/base/job.ts'
import type { ServiceEvent } from '../contract/events.ts'

interface ServeOptions {
  readonly page: string
  readonly host: string
  readonly port: number
  /** Made when needed, removed at the end. */
  readonly scratch: string
  /** The time that the header of a request may take. */
  readonly headersMs?: number
}

export interface Serving {
  readonly url: string
  /** The service stays open. */
  close(): Promise<void>
}

/** The call around its arguments. */
const MESSAGE_BYTES = MAX_MESSAGE_BYTES + (1 << 20)
/** RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001
const LEAVE_MS = 500
const HEADERS_MS = 20_000
/** WebSockets look after themselves. */
const IDLE_MS = 300_000

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

export async function serve(service: ServicePort, options: ServeOptions): Promise<Serving> {
  const { headersMs = HEADERS_MS } = options
  // Large uploads take long, but keep arriving; the limit for headers is set by hand then.
  const checkMs = Math.min(headersMs, 5000)
  const server = createServer({ requestTimeout: 0, headersTimeout: headersMs, connectionsCheckingInterval: checkMs })
  server.setTimeout(IDLE_MS)
  const strangers = new Strangers()
  server.on('connection', (socket: Socket) => strangers.admit(socket))
  await listening(server, options)
  const { port } = server.address() as AddressInfo
  const guard = new ServeGuard(options.host, port)
  const files = new ServeFiles(options.scratch)
  const own = browserService(service, files)
  const page = sirv(options.page, { etag: true, setHeaders: setPageHeaders })
  server.on('request', (request, response) => {
    if (guard.isOurHost(request) && guard.hasSession(request)) strangers.know(request.socket)
    void respond(request, response, { guard, files, page }).catch((error: unknown) => refuseRequest(response, error))
  })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(socketProtocol) ? socketProtocol : false),
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Until it is a WebSocket.
    socket.on('error', () => {})
    const refusal = addressOf(request)?.pathname === '/socket' ? guard.refusalOfSocket(request) : 404
    if (refusal !== null) {
      // Both halves.
      socket.end(`HTTP/1.1 ${refusal} Refused\r\nConnection: close\r\n\r\n`, () => socket.destroy())
      return
    }
    strangers.know(request.socket)
    sockets.handleUpgrade(request, socket, head, (connection) => connectSocket(connection, own))
  })
  return {
    url: `http://${bracketed(linkHost(options.host))}:${port}/?token=${guard.token}`,
    close: async () => {
      for (const connection of sockets.clients) connection.close(GOING_AWAY, 'the program ends')
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const patience = setTimeout(() => {
        for (const connection of sockets.clients) connection.terminate()
        server.closeAllConnections()
      }, LEAVE_MS)
      server.closeIdleConnections()
      await closed
      clearTimeout(patience)
      await files.close()
    },
  }
}

/** A link needs one address. */
const linkHost = (host: string): string => (host === '0.0.0.0' || host === '::' ? 'localhost' : host)

async function listening(server: Server, { host, port }: ServeOptions): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    const where = `${host}:${port}`
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw usageFailure(where, `port ${port} is taken`, 'Choose another with --port, or 0 for any that is free.')
    const why = messageOf(error)
    throw usageFailure(where, `cannot listen there: ${why}`, 'Choose another --host or --port.')
  }
}

/** null for "//" and the like. */
function addressOf({ url }: IncomingMessage): URL | null {
  return URL.parse(url ?? '/', 'http://page')
}

interface Doors {
  readonly guard: ServeGuard
  readonly files: ServeFiles
  readonly page: ReturnType<typeof sirv>
}

async function respond(request: IncomingMessage, response: ServerResponse, doors: Doors): Promise<void> {
  const { guard, files, page } = doors
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (!guard.isOurHost(request)) return plain(response, 403, 'This address is not one of this program.')
  const url = addressOf(request)
  if (url === null) return plain(response, 400, 'This is no address.')
  const token = url.searchParams.get('token')
  if (request.method === 'GET' && token !== null) return enter(response, guard, token)
  if (url.pathname === '/session') return plain(response, guard.hasSession(request) ? 204 : 401, '')
  if (url.pathname === '/upload') return upload(request, response, doors)
  if (url.pathname.startsWith('/download/')) {
    if (request.method !== 'GET' || !guard.hasSession(request))
      return plain(response, 401, 'Open the link with the token first.')
    if (await files.send(url.pathname.slice('/download/'.length), response)) return
    return plain(response, 404, 'This was fetched already, or the program was started anew.')
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(response, 405, 'This can only be read.')
  // Of a program that was replaced meanwhile; its runs continue.
  response.once('pipe', (file) => file.once('error', () => response.destroy()))
  page(request, response, () => plain(response, 404, 'There is no such page.'))
}

/** The token leaves the address bar; a cookie stands for it. */
function enter(response: ServerResponse, guard: ServeGuard, token: string): void {
  if (!guard.isToken(token))
    return plain(
      response,
      403,
      'This link is of another start of "anticlique serve": open the one that it printed last.',
    )
  response.writeHead(303, { 'set-cookie': guard.sessionCookie(), location: '/', 'cache-control': 'no-store' }).end()
}

async function upload(request: IncomingMessage, response: ServerResponse, { guard, files }: Doors): Promise<void> {
  if (!guard.hasSession(request)) return plain(response, 401, 'Open the link with the token first.')
  if (!guard.isOurOrigin(request, false)) return plain(response, 403, 'Files come from our own page alone.')
  if (request.method !== 'POST') return plain(response, 405, 'Files are sent with POST.')
  const received = await files.receive(request)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(received))
}

function plain(response: ServerResponse, status: number, text: string): void {
  // A refused upload is not read.
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(text)
}

/** How Node says that a client closed its connection before its answer was written. */
const HANGUPS = [
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ECONNRESET',
  'EPIPE',
]

const isHangup = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && HANGUPS.includes(String(error.code))

function refuseRequest(response: ServerResponse, error: unknown): void {
  if (isHangup(error)) return void response.destroy()
  const failure = error instanceof Failure ? error.toValue() : null
  if (failure === null) console.error(error)
  if (response.headersSent) return void response.destroy()
  const status = failure === null ? 500 : failure.code === 'storage' ? 507 : 400
  response
    .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
    .end(
      JSON.stringify({ failure: failure ?? { code: 'fault', what: 'something went wrong', remedy: 'See the log.' } }),
    )
}

/** Names of assets have a hash of their bytes. */
function setPageHeaders(response: ServerResponse, path: string): void {
  response.setHeader('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
}

/** A slow page misses progress first; changes of the library always arrive. */
const SLOW_BYTES = 4 << 20
const ALIVE_MS = 30_000
/** RFC 6455, section 7.4.1. */
const UNSUPPORTED = 1003

/** Calls continue when the page is gone, but for what it only wanted to look at. */
function connectSocket(socket: WebSocket, service: ServicePort): void {
  const send = (message: object): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const stopListening = service.listen((event) => {
    if (!isProgress(event) || socket.bufferedAmount < SLOW_BYTES) send({ event })
  })
  const beat = keepAlive(socket)
  const signal = { aborted: false }
  const looking = { ...quietJob, signal }
  socket.on('message', (bytes, isBinary) => {
    const call = isBinary ? undefined : parsed(String(bytes))
    if (call === undefined) return socket.close(UNSUPPORTED, 'this is no call')
    void answer(service, call.name, call.args, looking).then((reply) => send({ id: call.id, reply }))
  })
  // A message that is too large ends the connection; the page connects anew.
  socket.on('error', () => {})
  socket.on('close', () => {
    signal.aborted = true
    clearInterval(beat)
    stopListening()
  })
}

function keepAlive(socket: WebSocket): NodeJS.Timeout {
  let alive = true
  socket.on('pong', () => (alive = true))
  return setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
  }, ALIVE_MS)
}

const callSchema = z.object({ id: z.number(), name: z.unknown().optional(), args: z.unknown().optional() })

function parsed(text: string): z.infer<typeof callSchema> | undefined {
  try {
    return callSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Whether another event follows soon: the engine sends ten a second at most. */
function isProgress(event: ServiceEvent): boolean {
  if (event.type === 'progress') return true
  return event.type === 'work-changed' && event.work.state === 'running' && event.work.progress !== null
}

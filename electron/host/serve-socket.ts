import type { WebSocket } from 'ws'
import { quietJob, type JobContext } from '../../workers/base/job.ts'
import type { ServiceEvent } from '../contract/events.ts'
import { answer, type ServicePort } from './answer.ts'

/** A slow page misses progress first; changes of the library always arrive. */
const SLOW_BYTES = 4 << 20
const ALIVE_MS = 30_000
/** RFC 6455, section 7.4.1. */
const UNSUPPORTED = 1003

/** Calls continue when the page is gone, but for what it only wanted to look at. */
export function connectSocket(socket: WebSocket, service: ServicePort): void {
  const send = (message: object): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const stopListening = service.listen((event) => {
    if (!isProgress(event) || socket.bufferedAmount < SLOW_BYTES) send({ event })
  })
  const beat = keepAlive(socket)
  const signal = { aborted: false }
  const ofPage = lookingFor(service, { ...quietJob, signal })
  socket.on('message', (bytes, isBinary) => {
    const call = isBinary ? null : parsed(String(bytes))
    if (call === null) return socket.close(UNSUPPORTED, 'this is no call')
    void answer(ofPage, call.name, call.args).then((reply) => send({ id: call.id, reply }))
  })
  // A message that is too large ends the connection; the page connects anew.
  socket.on('error', () => {})
  socket.on('close', () => {
    signal.aborted = true
    clearInterval(beat)
    stopListening()
  })
}

function lookingFor(service: ServicePort, page: JobContext): ServicePort {
  const call: ServicePort['call'] = (name, args) =>
    service.call(name, args, name.startsWith('explore.') ? page : undefined)
  return { ...service, call }
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

function parsed(text: string): { id: number; name: unknown; args: unknown } | null {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message !== 'object' || message === null || !('id' in message) || typeof message.id !== 'number')
      return null
    const name = 'name' in message ? message.name : undefined
    return { id: message.id, name, args: 'args' in message ? message.args : undefined }
  } catch {
    return null
  }
}

/** That another one follows: the engine sends ten a second at most. */
function isProgress(event: ServiceEvent): boolean {
  if (event.type === 'progress') return true
  return event.type === 'work-changed' && event.work.state === 'running' && event.work.progress !== null
}

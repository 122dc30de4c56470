import type { Socket } from 'node:net'

/** More than a browser opens; far fewer than the files that a process may have open. */
const MOST_OF_ONE = 32
const MOST = 128

/**
 * Connections without token or cookie so far: a new one replaces the oldest, so that holding many locks no other out.
 */
export class Strangers {
  /** The oldest first. */
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

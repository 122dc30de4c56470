import type { Socket } from 'node:net'

/** More than a browser opens, and together far fewer than the files that a process may have open. */
const MOST_OF_ONE = 32
const MOST = 128

/**
 * Connections whose client has not shown its token or cookie. There are few at a time: a new one takes the place of the oldest, so that
 * whoever holds many keeps nobody out who comes in at once.
 */
export class Strangers {
  /** With their addresses, the oldest first. */
  readonly #sockets = new Map<Socket, string>()

  admit(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    this.#sockets.set(socket, address)
    socket.once('close', () => this.know(socket))
    const alike = [...this.#sockets].filter(([, other]) => other === address)
    const oldest = alike.length > MOST_OF_ONE ? alike[0] : this.#sockets.size > MOST ? [...this.#sockets][0] : undefined
    oldest?.[0].destroy()
  }

  /** It is no stranger any more. */
  know(socket: Socket): void {
    this.#sockets.delete(socket)
  }
}

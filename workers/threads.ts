import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'

/**
 * Where the code of a thread lies: `name`.js beside the running bundle, or one folder up from a chunk of it; else the source, likewise.
 * @param here folder of the module that starts the thread
 */
export function threadEntry(name: string, here: string): string {
  const places = ['js', 'ts'].flatMap((type) => [join(here, `${name}.${type}`), join(here, '..', `${name}.${type}`)])
  return places.find((path) => existsSync(path)) ?? join(here, `${name}.ts`)
}

/** The next message of a thread that is meant; undefined where the thread has ended. */
export async function nextMessage<Message, Meant extends Message = Message>(
  thread: Worker,
  isMeant: (message: Message) => message is Meant,
): Promise<Meant | undefined> {
  const next = Promise.withResolvers<Meant | undefined>()
  const hear = (message: Message): void => void (isMeant(message) && next.resolve(message))
  const leave = (): void => next.resolve(undefined)
  thread.on('message', hear).on('exit', leave)
  const message = await next.promise
  thread.off('message', hear).off('exit', leave)
  return message
}

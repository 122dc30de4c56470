import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ReadAheadReply, ReadAheadRequest } from './read-ahead.ts'

/** Threads that read one view: enough that the disk has something to do while another makes a checksum. */
const READERS = 2
/** A team that waits keeps its memory up to this size: what threads share is freed late, so it is better used again. */
const KEPT_BYTES = 64 << 20

/** Teams that wait for a view; starting one takes longer than reading a small view. */
const idle: ReaderTeam[] = []

/** Threads of read-ahead-worker.ts that read for one user, and the memory that they read into. */
export class ReaderTeam {
  readonly arena: Uint8Array
  readonly #threads: readonly Worker[]

  private constructor(threads: readonly Worker[], arenaBytes: number) {
    this.#threads = threads
    this.arena = new Uint8Array(new SharedArrayBuffer(arenaBytes))
    for (const thread of threads) thread.on('error', () => this.#forget()).on('exit', () => this.#forget())
  }

  /** A team that waits and has so much memory, or a new one. @throws Error when its threads cannot start */
  static async take(arenaBytes: number): Promise<ReaderTeam> {
    const at = idle.findIndex(({ arena }) => arena.length >= arenaBytes)
    if (at >= 0) return idle.splice(at, 1)[0]!
    // One whose memory is too small makes way: teams do not become more and more.
    idle.pop()?.end()
    return new ReaderTeam(await Promise.all(Array.from({ length: READERS }, startThread)), arenaBytes)
  }

  tell(request: ReadAheadRequest): void {
    for (const thread of this.#threads) thread.postMessage(request)
  }

  /** What the threads did since they were opened; then they wait for other work, or end. */
  async close(): Promise<ReadAheadReply[]> {
    const replies = await Promise.all(this.#threads.map(closeThread))
    const found = replies.filter((reply) => reply !== undefined)
    if (found.length === replies.length && this.arena.length <= KEPT_BYTES) idle.push(this)
    else this.end()
    return found
  }

  end(): void {
    this.tell({ type: 'end' })
  }

  /** A team of which a thread ended while it waited must not be given work. */
  #forget(): void {
    const at = idle.indexOf(this)
    if (at >= 0) idle.splice(at, 1)
  }
}

async function startThread(): Promise<Worker> {
  const thread = new Worker(entry(), { name: 'read-ahead' })
  await new Promise<void>((resolve, reject) => {
    thread.once('message', () => resolve()).once('error', reject)
  })
  return thread
}

/** Undefined where the thread has ended. */
async function closeThread(thread: Worker): Promise<ReadAheadReply | undefined> {
  const closed = Promise.withResolvers<ReadAheadReply | undefined>()
  const hear = (reply: ReadAheadReply | undefined): void => closed.resolve(reply)
  const leave = (): void => closed.resolve(undefined)
  thread.on('message', hear).on('exit', leave)
  thread.postMessage({ type: 'close' } satisfies ReadAheadRequest)
  const reply = await closed.promise
  thread.off('message', hear).off('exit', leave)
  return reply
}

/** read-ahead-worker.js beside the running bundle or one folder up from a chunk of it; else the source. */
function entry(): string {
  const here = import.meta.dirname
  const places = [join(here, 'read-ahead-worker.js'), join(here, '..', 'read-ahead-worker.js')]
  return places.find((path) => existsSync(path)) ?? join(here, 'read-ahead-worker.ts')
}

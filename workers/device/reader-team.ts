import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { nextMessage, threadEntry } from '../threads.ts'
import type { ReadAheadMessage, ReadAheadReply, ReadAheadRequest } from './read-ahead.ts'

/** The threads of a team: one reads, so that the disk always has something to do, while the others make checksums, each its share of the jobs. */
export type TeamRole =
  { readonly does: 'read' } | { readonly does: 'check'; readonly checker: number; readonly checkers: number }
/**
 * With two processors the user of a team makes the checksums: a reader that waits for a processor each time when the disk has something
 * reads two thirds as fast, and reading is what the others wait for. With many, one checker alone would be what the others wait for where
 * the file is in the system's cache: it makes 4.6 GB/s of checksums where 8.5 are read.
 */
const MOST_CHECKERS = 3
const CHECKERS = checkersOf(availableParallelism())
/** A team that waits keeps its memory up to this size: what threads share is freed late, so it is better used again. */
const KEPT_BYTES = 64 << 20

/** Teams that wait for a view; starting one takes longer than reading a small view. */
const idle: ReaderTeam[] = []
/** The team that is being started for whoever comes first; settles when it waits among the others, or could not start. */
let starting: Promise<void> | undefined

/** Threads of read-ahead-worker.ts that read for one user, and the memory that they read into. */
export class ReaderTeam {
  /** Threads that make checksums; without any, whoever uses what was read does. */
  readonly checkers: number
  readonly #threads: readonly Worker[]
  #arena: Uint8Array | undefined

  private constructor(threads: readonly Worker[], checkers: number) {
    this.checkers = checkers
    this.#threads = threads
    for (const thread of threads) thread.on('error', () => this.#forget()).on('exit', () => this.#forget())
  }

  /** Has a team wait for whoever takes one soon: its threads start while the caller does something else. */
  static ready(): void {
    if (idle.length > 0 || starting !== undefined) return
    starting = ReaderTeam.#start(CHECKERS)
      .then((team) => void idle.push(team))
      // Whoever takes a team then tries it again, and is told.
      .catch(() => {})
      .finally(() => (starting = undefined))
  }

  /** A team that waits and has so much memory, or a new one. @throws Error when its threads cannot start */
  static async take(arenaBytes: number, checkers = CHECKERS): Promise<ReaderTeam> {
    await starting
    const at = [
      idle.findIndex(
        (team) => team.checkers === checkers && team.#arena !== undefined && team.#arena.length >= arenaBytes,
      ),
      idle.findIndex((team) => team.checkers === checkers && team.#arena === undefined),
    ].find((found) => found >= 0)
    // One whose memory is too small makes way: teams do not become more and more.
    if (at === undefined) idle.pop()?.end()
    const team = at === undefined ? await ReaderTeam.#start(checkers) : idle.splice(at, 1)[0]!
    team.#arena ??= new Uint8Array(new SharedArrayBuffer(arenaBytes))
    return team
  }

  static async #start(checkers: number): Promise<ReaderTeam> {
    const checking = Array.from({ length: checkers }, (_, checker): TeamRole => ({ does: 'check', checker, checkers }))
    return new ReaderTeam(await Promise.all([{ does: 'read' } as const, ...checking].map(startThread)), checkers)
  }

  get arena(): Uint8Array {
    if (this.#arena === undefined) throw new Error('nobody took this team')
    return this.#arena
  }

  tell(request: ReadAheadRequest): void {
    for (const thread of this.#threads) thread.postMessage(request)
  }

  /** Has all threads begin for a user; settles when they wait for what is to be read. */
  async open(request: Extract<ReadAheadRequest, { type: 'open' }>): Promise<void> {
    const opened = Promise.all(
      this.#threads.map((thread) => nextMessage(thread, (message: ReadAheadMessage) => message === 'opened')),
    )
    this.tell(request)
    await opened
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

function checkersOf(processors: number): number {
  return processors <= 2 ? 0 : Math.min(MOST_CHECKERS, 1 + Math.floor(processors / 8))
}

async function startThread(role: TeamRole): Promise<Worker> {
  const thread = new Worker(threadEntry('read-ahead-worker', import.meta.dirname), {
    name: 'read-ahead',
    workerData: role,
  })
  await new Promise<void>((resolve, reject) => {
    thread.once('message', () => resolve()).once('error', reject)
  })
  return thread
}

/** Undefined where the thread has ended. */
function closeThread(thread: Worker): Promise<ReadAheadReply | undefined> {
  const reply = nextMessage(thread, (message: ReadAheadMessage) => typeof message === 'object')
  thread.postMessage({ type: 'close' } satisfies ReadAheadRequest)
  return reply
}

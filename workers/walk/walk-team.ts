import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { SectionSum } from '../graph/section-sums.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { TraceSpan } from '../trace.ts'
import { nextMessage, threadEntry } from '../threads.ts'
import type { Duty } from './walk-board.ts'
import type { WalkMemory } from './walk-memory.ts'
import { WalkBoard } from './walk-board.ts'
import type { WalkOpen } from './walker.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import { PIECES, pieceRange } from './walk-plan.ts'

export type WalkRequest = WalkOpen | 'end'
/** That a thread has started, that it is open for a run, or what it did. */
export type WalkReply = 'ready' | 'opened' | readonly TraceSpan[]

/** Of the processors, for these threads at least; where there are more, each worker and the rest of the program keep one. */
const THREADS_SHARE = 3 / 4
const MOST_THREADS = 16
/** For so many threads that walk first one reads first: the disk has always something to do, which takes little of a processor. */
const WALKERS_A_READER = 3

/** Threads that wait for a run; starting one takes longer than walking a small view. */
const idle: Worker[] = []

/** @param workers devices beside which they walk */
export function defaultWalkers(workers: number): number {
  const processors = availableParallelism()
  const most = Math.max(Math.floor(THREADS_SHARE * processors), processors - workers - 1)
  return Math.max(1, Math.min(MOST_THREADS * workers, most))
}

/** What each of so many threads looks for first. */
function dutiesOf(threads: number): Duty[] {
  const readers = Math.floor(threads / (WALKERS_A_READER + 1))
  return Array.from({ length: threads }, (_, thread) => {
    if (readers === 0) return 'all'
    if (thread >= readers) return 'walk'
    return thread % 2 === 0 ? 'heads' : 'behind'
  })
}

/** Threads of walk-worker.ts, and what they share with whoever drives the device. */
export class WalkTeam {
  readonly board: WalkBoard
  readonly memory: WalkMemory
  readonly #threads: readonly Worker[]
  readonly #replies: Promise<readonly TraceSpan[] | undefined>[]

  private constructor(memory: WalkMemory, threads: readonly Worker[]) {
    this.memory = memory
    this.board = new WalkBoard(memory)
    this.#threads = threads
    this.#replies = threads.map((thread) => nextMessage(thread, (message: WalkReply) => typeof message === 'object'))
    const lose = (): void =>
      this.board.fail({ code: 'fault', what: 'a thread that reads ended', remedy: 'Please report it.' })
    for (const reply of this.#replies) void reply.then((spans) => spans ?? lose())
  }

  /** Threads that are started and wait; made ready while the caller does something else. */
  static async threads(count: number): Promise<Worker[]> {
    const kept = idle.splice(0, count)
    const more = await Promise.all(Array.from({ length: count - kept.length }, startThread))
    return [...kept, ...more]
  }

  /** Takes back a thread that nobody used. */
  static keep(thread: Worker): void {
    idle.push(thread)
  }

  /** Settles when every thread waits for {@link WalkBoard.go}. @param threads are the team's from now on */
  static async open(memory: WalkMemory, threads: readonly Worker[], path: string, traced: boolean): Promise<WalkTeam> {
    const team = new WalkTeam(memory, threads)
    const opened = threads.map((thread) => nextMessage(thread, (message: WalkReply) => message === 'opened'))
    const duties = dutiesOf(threads.length)
    for (const [walker, thread] of threads.entries()) {
      const duty = duties[walker]!
      thread.postMessage({ memory, walker, walkers: threads.length, duty, path, traced } satisfies WalkRequest)
    }
    await Promise.all(opened)
    return team
  }

  /** Bytes that the threads read so far. */
  get bytesRead(): number {
    return this.memory.bytesRead.reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Checksums of what was read of the sections that are read whole, once all is done. */
  sums({ header }: ViewFile): SectionSum<'heads' | 'behind'>[] {
    const { plan, sums } = this.memory
    const of = (section: 'heads' | 'behind', groups: Iterable<number>, words: number, from: number) =>
      [...groups].flatMap((group) =>
        Array.from({ length: PIECES }, (_, piece): SectionSum<'heads' | 'behind'> => {
          const { first, end } = pieceRange(plan, group, piece)
          const crc32 = sums[from + PIECES * group + piece]!
          return { section, at: 4 * words * (first - header.front), bytes: 4 * words * (end - first), crc32 }
        }),
      )
    return [
      ...of('heads', plan.turns, HEAD_WIDTH, 0),
      ...of('behind', Array(plan.groups).keys(), 1, PIECES * plan.groups),
    ]
  }

  /** Stops the threads, whatever they do. @returns what they did, for the trace */
  async close(): Promise<readonly TraceSpan[]> {
    this.board.stop()
    const replies = await Promise.all(this.#replies)
    for (const [i, thread] of this.#threads.entries()) if (replies[i] !== undefined) idle.push(thread)
    return replies.flatMap((spans) => spans ?? [])
  }
}

async function startThread(): Promise<Worker> {
  const thread = new Worker(threadEntry('walk-worker', import.meta.dirname), { name: 'walk' })
  const forget = (): void => {
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
  }
  thread.on('error', forget).on('exit', forget)
  const ready = await nextMessage(thread, (message: WalkReply) => message === 'ready')
  if (ready === undefined) throw new Error('a thread did not start')
  return thread
}

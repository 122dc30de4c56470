/**
 * A board in shared memory by which threads share the chunks of one piece of work after another, the calling thread among them: a turn opens,
 * each thread takes chunks until none is left, and the turn ends once all have. Between turns threads spin for some tens of microseconds, then
 * park. No result may depend on which thread takes a chunk. Kernels of processors (device/launch-threads.ts) and searches (algorithms/quality)
 * use it; scans of a file have a board of their own (streaming/piece-scan.ts).
 */

import { NO_DEVICE, runInThread } from './thread-pool.ts'

/** Words of the board, in cache lines apart; more may follow them. */
export const BOARD_WORDS = 32
const OPEN = 0
const ACTIVE = 1
const TURN = 2
const STOP = 3
const FAILED = 4
const TAKEN = 16
/** More chunks than any work has, and places for those that threads still take. */
const NONE_LEFT = 1 << 30
/** Looks at a word before a thread parks: some tens of microseconds. */
const LOOKS = 1 << 12

/** Takes the next chunk of a board that no thread took. */
export const takeChunk = (board: Int32Array): number => Atomics.add(board, TAKEN, 1)

/** Takes part in each turn, in a thread of its own, until the board is closed. @param work takes chunks until none is left */
export function followBoard(board: Int32Array, work: () => void): void {
  while (Atomics.load(board, STOP) === 0) {
    const turn = Atomics.load(board, TURN)
    Atomics.add(board, ACTIVE, 1)
    try {
      if (Atomics.load(board, OPEN) === 1) work()
    } catch (error) {
      Atomics.store(board, FAILED, 1)
      throw error
    } finally {
      Atomics.sub(board, ACTIVE, 1)
      Atomics.notify(board, ACTIVE)
    }
    untilOther(board, TURN, turn)
  }
}

function untilOther(board: Int32Array, word: number, value: number): void {
  for (let looks = 0; looks < LOOKS; looks++) if (Atomics.load(board, word) !== value) return
  Atomics.wait(board, word, value)
}

/** Threads that share the chunks of one piece of work after another, the calling one among them. Which ones take part changes no result. */
export class WorkBoard {
  readonly board: Int32Array
  #lost: unknown

  constructor(words = BOARD_WORDS) {
    this.board = new Int32Array(new SharedArrayBuffer(4 * words))
  }

  /** Starts a thread that is to follow. */
  start(task: string, argument: unknown): void {
    runInThread(task, argument, NO_DEVICE, true).catch((error: unknown) => (this.#lost ??= error))
  }

  /** @param work of this thread @throws what a thread failed with */
  turn(work: () => void, isShared = true): void {
    const { board } = this
    if (this.#lost !== undefined) throw this.#lost
    Atomics.store(board, TAKEN, 0)
    if (!isShared) return work()
    Atomics.store(board, OPEN, 1)
    Atomics.add(board, TURN, 1)
    Atomics.notify(board, TURN)
    try {
      work()
    } catch (error) {
      // The others stop soon.
      Atomics.store(board, TAKEN, NONE_LEFT)
      throw error
    } finally {
      Atomics.store(board, OPEN, 0)
      for (let active = Atomics.load(board, ACTIVE); active > 0; active = Atomics.load(board, ACTIVE))
        untilOther(board, ACTIVE, active)
    }
    if (this.hasFailed) throw this.#lost ?? new Error('a thread failed in its part')
  }

  /** Whether a thread failed in its part. */
  get hasFailed(): boolean {
    return Atomics.load(this.board, FAILED) !== 0
  }

  close(): void {
    const { board } = this
    Atomics.store(board, STOP, 1)
    Atomics.add(board, TURN, 1)
    Atomics.notify(board, TURN)
  }
}

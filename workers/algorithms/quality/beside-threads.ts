/**
 * Threads that search beside the main one where a search ends by time: each begins a round from the same set, as a plan and its own number say, and
 * ends it soon after the main one does. What is better anywhere in one of their sets is taken over by mergeSets (annealing.ts). By steps the main
 * thread is alone, so that its set is that of any machine. cooling-threads.ts has the rounds of sets of many members, weighted-searches.ts those of
 * heavy ones.
 */

import { sharedWords } from '../../base/words.ts'
import { NO_DEVICE, runInThread } from '../../threads/thread-pool.ts'
import { threadsOf } from '../plan-request.ts'
import { LARGE } from './annealing.ts'
import type { Adjacency } from './in-memory-graph.ts'

/** Words that threads and the main one have for each other. */
const CONTROL = { turn: 0, done: 1, stops: 2, hurries: 3, failed: 4, ready: 5 } as const
const CONTROL_WORDS = 8
/** Numbers of a plan at most. */
const PLAN_NUMBERS = 8
/** Between two looks at whether a thread failed. */
const WAIT_MS = 100

/** What a thread gets. */
export interface BesideTask {
  readonly control: Int32Array
  /** What a round follows from. */
  readonly plan: Float64Array
  /** The set to begin from, and the one that this thread found; a bit a vertex. */
  readonly begun: Uint32Array
  readonly found: Uint32Array
  /** The number of the thread, from 1 on. */
  readonly thread: number
}

/** How many threads may search beside the main one: none by steps, or where the graph is large or not in memory that threads share. */
export function threadsBeside({ vertices, targets }: Adjacency, steps: number | undefined): number {
  if (steps !== Infinity || vertices >= LARGE || !(targets.buffer instanceof SharedArrayBuffer)) return 0
  return threadsOf({ arcs: Infinity }, 1) - 1
}

/** Whether the round is to end. */
export const isHurried = (control: Int32Array): boolean => Atomics.load(control, CONTROL.hurries) !== 0

/** Makes rounds until the search ends, in a thread of its own. @param round finds a set */
export function followRounds({ control }: BesideTask, round: () => void): Promise<void> {
  Atomics.add(control, CONTROL.ready, 1)
  try {
    for (let turn = 0; ;) {
      Atomics.wait(control, CONTROL.turn, turn)
      if (Atomics.load(control, CONTROL.stops) !== 0) return Promise.resolve()
      turn = Atomics.load(control, CONTROL.turn)
      round()
      Atomics.add(control, CONTROL.done, 1)
      Atomics.notify(control, CONTROL.done)
    }
  } catch (error) {
    Atomics.store(control, CONTROL.failed, 1)
    Atomics.add(control, CONTROL.done, 1)
    Atomics.notify(control, CONTROL.done)
    throw error
  }
}

/** The other threads of a search. */
export class BesideThreads {
  readonly #control = new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS))
  readonly #plan = new Float64Array(new SharedArrayBuffer(8 * PLAN_NUMBERS))
  readonly #begun: Uint32Array
  readonly #found: readonly Uint32Array[]
  #isAtWork = false

  /** @param shared what the task of each thread has besides, in memory that threads share @param words of a set */
  constructor(name: string, shared: object, words: number, threads: number) {
    this.#begun = sharedWords(words)
    this.#found = Array.from({ length: threads }, () => sharedWords(words))
    for (const [i, found] of this.#found.entries()) {
      const task: BesideTask = { control: this.#control, plan: this.#plan, begun: this.#begun, found, thread: i + 1 }
      // One that is lost is noticed by its mark.
      runInThread(name, { ...shared, ...task }, NO_DEVICE, true).catch(() => {})
    }
  }

  /** Whether all have started: before that a round is the main thread's alone. */
  get areReady(): boolean {
    return Atomics.load(this.#control, CONTROL.ready) === this.#found.length
  }

  /** Begins a round in all threads, from a set. */
  beginRound(members: Uint32Array, plan: readonly number[]): void {
    this.#begun.set(members)
    this.#plan.set(plan)
    Atomics.store(this.#control, CONTROL.done, 0)
    Atomics.store(this.#control, CONTROL.hurries, 0)
    Atomics.add(this.#control, CONTROL.turn, 1)
    Atomics.notify(this.#control, CONTROL.turn)
    this.#isAtWork = true
  }

  /** Sets that the threads found in this round, once the last of them has ended. */
  end(): readonly Uint32Array[] {
    if (!this.#isAtWork) return []
    this.#isAtWork = false
    const control = this.#control
    Atomics.store(control, CONTROL.hurries, 1)
    for (let done = Atomics.load(control, CONTROL.done); done < this.#found.length;) {
      if (Atomics.load(control, CONTROL.failed) !== 0) return []
      Atomics.wait(control, CONTROL.done, done, WAIT_MS)
      done = Atomics.load(control, CONTROL.done)
    }
    return this.#found.map((found) => found.slice())
  }

  close(): void {
    Atomics.store(this.#control, CONTROL.stops, 1)
    Atomics.store(this.#control, CONTROL.hurries, 1)
    Atomics.add(this.#control, CONTROL.turn, 1)
    Atomics.notify(this.#control, CONTROL.turn)
  }
}

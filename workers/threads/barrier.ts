/**
 * What lets workers of one computation meet: a barrier in shared memory, sums over all workers, and the end of all once one of them fails or the
 * job is cancelled. A worker that waits parks, and looks every 20 ms whether it is to stop; the coordinator, which receives that workers ended,
 * waits without blocking its thread. Workers of several ranks meet by exchange/ instead.
 */

import { Failure, REPEAT } from '../base/failure.ts'
import { type JobContext, quietJob, type StopSignal, stopWord, throwIfCancelled } from '../base/job.ts'
import { allDone } from './thread-pool.ts'

export interface Barrier {
  readonly waitMs: number
  /** @throws Failure (cancelled) when the run is to stop */
  arrive(): Promise<void>
}

/** More may follow them. */
export const BARRIER_WORDS = 3
const STOP = 0
const ARRIVED = 1
const GENERATION = 2
/** The time after which a parked thread looks whether it is to stop. */
const PARK_MS = 20

export function stopWaiting(control: Int32Array): void {
  Atomics.store(control, STOP, 1)
  Atomics.notify(control, GENERATION)
}

export function shouldStop(control: Int32Array): boolean {
  return Atomics.load(control, STOP) !== 0
}

export class SharedBarrier implements Barrier {
  waitMs = 0
  readonly #control: Int32Array
  readonly #workers: number
  readonly #signal: StopSignal | undefined

  /** @param signal of the coordinator */
  constructor(control: Int32Array, workers: number, signal?: StopSignal) {
    this.#control = control
    this.#signal = signal
    this.#workers = workers
  }

  async arrive(): Promise<void> {
    const control = this.#control
    const generation = Atomics.load(control, GENERATION)
    if (Atomics.add(control, ARRIVED, 1) < this.#workers - 1) return this.waitForChange(control, GENERATION, generation)
    Atomics.store(control, ARRIVED, 0)
    Atomics.add(control, GENERATION, 1)
    Atomics.notify(control, GENERATION)
  }

  /** The thread that changes a word notifies. @throws Failure (cancelled) when the run is to stop */
  async waitForChange(words: Int32Array, at: number, from: number): Promise<void> {
    const startMs = performance.now()
    while (Atomics.load(words, at) === from) {
      this.#throwIfStopped()
      if (this.#signal === undefined) Atomics.wait(words, at, from, PARK_MS)
      else {
        // The coordinator must receive meanwhile that a worker ended.
        const waiting = Atomics.waitAsync(words, at, from, PARK_MS)
        if (waiting.async) await waiting.value
      }
    }
    this.waitMs += performance.now() - startMs
  }

  #throwIfStopped(): void {
    if (this.#signal?.aborted === true) {
      stopWaiting(this.#control)
      throwIfCancelled(this.#signal)
    }
    if (shouldStop(this.#control))
      throw new Failure({ code: 'cancelled', what: 'another worker of this run stopped', remedy: '', fixes: [REPEAT] })
  }
}

/**
 * Settles when all have. A failure or a cancelled job makes the others stop waiting. @throws what the first of them
 * failed with
 */
export async function coordinate<Own, Report>(
  control: Int32Array,
  { signal }: Pick<JobContext, 'signal'>,
  workers: readonly Promise<Report>[],
  work: () => Promise<Own>,
): Promise<{ readonly own: Own; readonly reports: readonly Report[] }> {
  const own = work()
  const stop = (): void => stopWaiting(control)
  await allDone<unknown>([own, ...workers], { stop }, () => signal.aborted && stop())
  return { own: await own, reports: await Promise.all(workers) }
}

/** The coordinator alone reports progress. */
export function workerJob(control: Int32Array): JobContext {
  return { ...quietJob, signal: stopWord(control, STOP) }
}

/** Values that a worker gives at a time, at most. */
const MOST_VALUES = 64

/** The words of a barrier and of the sums of workers that meet at it. */
export interface SharedSums {
  readonly control: Int32Array
  /** Two turns, so that a worker may give its next values while others read the last ones. */
  readonly sums: Float64Array
}

export const shareSums = (workers: number): SharedSums => ({
  control: new Int32Array(new SharedArrayBuffer(4 * BARRIER_WORDS)),
  sums: new Float64Array(new SharedArrayBuffer(8 * 2 * MOST_VALUES * workers)),
})

/** Sums over workers, each of which makes the same calls. */
export class AllReduce {
  readonly #sums: Float64Array
  readonly #worker: number
  readonly #barrier: Barrier
  #turn = 0

  /** One of so many workers with a barrier of their own. @param signal of the coordinator */
  static of({ control, sums }: SharedSums, worker: number, workers: number, signal: StopSignal): AllReduce {
    return new AllReduce(sums, worker, new SharedBarrier(control, workers, signal))
  }

  constructor(sums: Float64Array, worker: number, barrier: Barrier) {
    this.#sums = sums
    this.#worker = worker
    this.#barrier = barrier
  }

  /** Adds up, over the workers, the values at each place. */
  async sum(own: readonly number[]): Promise<number[]> {
    const half = this.#sums.length / 2
    const all = this.#sums.subarray(this.#turn * half, (this.#turn + 1) * half)
    this.#turn = 1 - this.#turn
    all.set(own, MOST_VALUES * this.#worker)
    await this.#barrier.arrive()
    return own.map((_, place) => {
      let total = 0
      for (let at = place; at < half; at += MOST_VALUES) total += all[at]!
      return total
    })
  }
}

import { availableParallelism } from 'node:os'
import { Failure, REPEAT } from '../base/failure.ts'
import type { StopSignal } from '../base/job.ts'

/** A place where the workers of a run wait for one another. */
export interface Barrier {
  /** Milliseconds spent here so far. */
  readonly waitMs: number
  /** Returns when every worker has come. @throws Failure (cancelled) when the run is to stop. */
  arrive(): Promise<void>
  /** Wakes the workers that wait for something that this one wrote. */
  tell(): void
  /** Returns when `isSo`, which is asked again whenever a worker tells. @throws Failure (cancelled) when the run is to stop. */
  until(isSo: () => boolean): Promise<void>
  /**
   * Returns when a word of shared memory is not `from`; a thread that changes it notifies those that wait at it (Atomics.notify). Unlike `until` it
   * wakes no other thread. @throws Failure (cancelled) when the run is to stop.
   */
  untilChanged(words: Int32Array, at: number, from: number): Promise<void>
}

/** Words of shared memory that a barrier takes: [0] stop, [1] arrived, [2] generation, [3] news, [4] who sleeps. More may follow them. */
export const BARRIER_WORDS = 5
const STOP = 0
const ARRIVED = 1
const GENERATION = 2
const NEWS = 3
const SLEEPERS = 4
const LOOK_MS = 20

/**
 * Before it sleeps a thread looks so long whether it may go on: waking sixty threads, one after the other, takes several milliseconds, and
 * most waits of a matching's rounds are shorter. See docs/decisions/0019-waiting-threads-look-first.md.
 */
const SPIN_MS = 0.5
/** Looks between two glances at the clock. */
const LOOKS = 64
/** Processors that must be left where threads look before they sleep. */
const LEFT_FREE = 2

/** Makes every worker that waits, or comes to wait, give up. */
export function stopWaiting(control: Int32Array): void {
  Atomics.store(control, STOP, 1)
  Atomics.notify(control, GENERATION)
  Atomics.notify(control, NEWS)
}

export function shouldStop(control: Int32Array): boolean {
  return Atomics.load(control, STOP) !== 0
}

/**
 * A barrier between threads. A thread that waits sleeps, and where each has a processor of its own looks for a while before that: with more
 * workers than processors this would hold up the others.
 */
export class SharedBarrier implements Barrier {
  readonly #control: Int32Array
  readonly #workers: number
  readonly #signal: StopSignal | undefined
  readonly #spinMs: number
  #waitMs = 0

  /**
   * @param signal of the leading worker, whose thread hears of nothing else while it waits: it stops all of them
   * @param processors of the machine
   */
  constructor(control: Int32Array, workers: number, signal?: StopSignal, processors = availableParallelism()) {
    this.#control = control
    this.#signal = signal
    this.#workers = workers
    this.#spinMs = workers + LEFT_FREE <= processors ? SPIN_MS : 0
  }

  get waitMs(): number {
    return this.#waitMs
  }

  async arrive(): Promise<void> {
    const control = this.#control
    const startMs = performance.now()
    const generation = Atomics.load(control, GENERATION)
    if (Atomics.add(control, ARRIVED, 1) === this.#workers - 1) {
      Atomics.store(control, ARRIVED, 0)
      Atomics.add(control, GENERATION, 1)
      this.#wake(GENERATION)
    } else await this.#untilChanged(control, GENERATION, generation)
    this.#waitMs += performance.now() - startMs
  }

  tell(): void {
    Atomics.add(this.#control, NEWS, 1)
    this.#wake(NEWS)
  }

  /** Callbacks of the thread's device run meanwhile: other workers may wait for what they write. */
  async until(isSo: () => boolean): Promise<void> {
    const startMs = performance.now()
    for (;;) {
      const news = Atomics.load(this.#control, NEWS)
      if (isSo()) break
      await this.#sleep(this.#control, NEWS, news, true, true)
    }
    this.#waitMs += performance.now() - startMs
  }

  async untilChanged(words: Int32Array, at: number, from: number): Promise<void> {
    const startMs = performance.now()
    await this.#untilChanged(words, at, from)
    this.#waitMs += performance.now() - startMs
  }

  async #untilChanged(words: Int32Array, at: number, from: number): Promise<void> {
    if (!this.#looks(words, at, from)) await this.#sleep(words, at, from, this.#signal !== undefined)
  }

  /** Looks for a while whether a word is not what it was. */
  #looks(words: Int32Array, at: number, from: number): boolean {
    if (this.#spinMs === 0) return Atomics.load(words, at) !== from
    const endMs = performance.now() + this.#spinMs
    do {
      for (let look = 0; look < LOOKS; look++) {
        if (Atomics.load(words, at) !== from) return true
        Atomics.pause()
      }
    } while (performance.now() < endMs)
    return false
  }

  /**
   * Sleeps until a word is not what it was. The leading worker's thread must hear meanwhile that another one ended, and a thread that drives a
   * device what that says; the others have nothing to hear.
   * @param isOnce returns after a while in any case
   */
  async #sleep(words: Int32Array, at: number, from: number, hears: boolean, isOnce = false): Promise<void> {
    this.#throwIfStopped()
    Atomics.add(this.#control, SLEEPERS, 1)
    try {
      while (Atomics.load(words, at) === from) {
        this.#throwIfStopped()
        if (!hears) Atomics.wait(words, at, from, LOOK_MS)
        else {
          const waiting = Atomics.waitAsync(words, at, from, LOOK_MS)
          if (waiting.async) await waiting.value
        }
        if (isOnce) return
      }
    } finally {
      Atomics.sub(this.#control, SLEEPERS, 1)
    }
  }

  /** A thread that begins to sleep from here on sees that the word is another. */
  #wake(at: number): void {
    if (Atomics.load(this.#control, SLEEPERS) > 0) Atomics.notify(this.#control, at)
  }

  #throwIfStopped(): void {
    if (this.#signal?.aborted === true) stopWaiting(this.#control)
    if (shouldStop(this.#control)) throw stopped()
  }
}

function stopped(): Failure {
  return new Failure({ code: 'cancelled', what: 'another worker of this run stopped', remedy: '', fixes: [REPEAT] })
}

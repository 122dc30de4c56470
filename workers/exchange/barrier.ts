import { Failure } from '../failure.ts'
import type { StopSignal } from '../job.ts'

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
}

/** Words of shared memory that a barrier takes: [0] stop, [1] arrived, [2] generation, [3] news. More may follow them. */
export const BARRIER_WORDS = 4
const STOP = 0
const ARRIVED = 1
const GENERATION = 2
const NEWS = 3
const LOOK_MS = 20

/** Makes every worker that waits, or comes to wait, give up. */
export function stopWaiting(control: Int32Array): void {
  Atomics.store(control, STOP, 1)
  Atomics.notify(control, GENERATION)
  Atomics.notify(control, NEWS)
}

export function shouldStop(control: Int32Array): boolean {
  return Atomics.load(control, STOP) !== 0
}

/** A barrier between threads. A thread that waits sleeps: with more workers than cores, spinning would hold up the others. */
export class SharedBarrier implements Barrier {
  readonly #control: Int32Array
  readonly #workers: number
  readonly #signal: StopSignal | undefined
  #waitMs = 0

  /** @param signal of the leading worker, whose thread hears of nothing else while it waits: it stops all of them */
  constructor(control: Int32Array, workers: number, signal?: StopSignal) {
    this.#control = control
    this.#signal = signal
    this.#workers = workers
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
      Atomics.notify(control, GENERATION)
    }
    while (Atomics.load(control, GENERATION) === generation) {
      this.#throwIfStopped()
      await this.#wait(generation)
    }
    this.#waitMs += performance.now() - startMs
  }

  tell(): void {
    Atomics.add(this.#control, NEWS, 1)
    Atomics.notify(this.#control, NEWS)
  }

  /** The thread hears of its own device meanwhile, also a following one: others may wait for what that says. */
  async until(isSo: () => boolean): Promise<void> {
    const startMs = performance.now()
    for (;;) {
      const news = Atomics.load(this.#control, NEWS)
      if (isSo()) break
      this.#throwIfStopped()
      const waiting = Atomics.waitAsync(this.#control, NEWS, news, LOOK_MS)
      if (waiting.async) await waiting.value
    }
    this.#waitMs += performance.now() - startMs
  }

  #throwIfStopped(): void {
    if (this.#signal?.aborted === true) stopWaiting(this.#control)
    if (shouldStop(this.#control)) throw stopped()
  }

  /** The leading worker's thread must hear meanwhile that another one ended; the others have nothing to hear. */
  async #wait(generation: number): Promise<void> {
    if (this.#signal === undefined) {
      Atomics.wait(this.#control, GENERATION, generation, LOOK_MS)
      return
    }
    const waiting = Atomics.waitAsync(this.#control, GENERATION, generation, LOOK_MS)
    if (waiting.async) await waiting.value
  }
}

function stopped(): Failure {
  return new Failure({ code: 'cancelled', what: 'another worker of this run stopped', remedy: 'Run it again.' })
}

import type { Barrier } from '../../workers/threads/barrier.ts'

/** A barrier for workers that take turns on one thread, so that thousands of small runs need no threads. */
export class LocalBarrier implements Barrier {
  readonly waitMs = 0
  readonly #workers: number
  #waiting: (() => void)[] = []

  constructor(workers: number) {
    this.#workers = workers
  }

  arrive(): Promise<void> {
    if (this.#waiting.length === this.#workers - 1) {
      const all = this.#waiting
      this.#waiting = []
      for (const go of all) go()
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

import type { Barrier } from '../../workers/threads/barrier.ts'

/** A barrier for workers that take turns on one thread, so that thousands of small runs need no threads. */
export class LocalBarrier implements Barrier {
  readonly waitMs = 0
  readonly #workers: number
  #waiting: (() => void)[] = []
  #listening: (() => void)[] = []

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

  tell(): void {
    for (const hear of this.#listening.splice(0)) hear()
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#listening.push(resolve))
  }

  async untilChanged(words: Int32Array, at: number, from: number): Promise<void> {
    while (Atomics.load(words, at) === from) await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

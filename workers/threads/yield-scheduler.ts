import { setImmediate as nextTurn } from 'node:timers/promises'
import { type JobContext, type Progress, throwIfCancelled } from '../base/job.ts'

const TURN_MS = 20

/** Between slices of a long loop, each well under 100 ms; reports progress. */
export class YieldScheduler {
  readonly #job: JobContext
  #lastMs = performance.now()

  constructor(job: JobContext) {
    this.#job = job
  }

  /** @throws Failure (cancelled) */
  async yield(progress: Progress): Promise<void> {
    if (performance.now() - this.#lastMs < TURN_MS) return
    this.#job.progress(progress)
    await nextTurn()
    throwIfCancelled(this.#job.signal)
    this.#lastMs = performance.now()
  }

  async over(total: number, step: number, progress: Progress, slice: (first: number, last: number) => void) {
    for (let first = 0; first < total; first += step) {
      slice(first, Math.min(total, first + step))
      await this.yield(progress)
    }
  }
}

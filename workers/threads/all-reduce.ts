import type { Barrier } from './barrier.ts'

/** Values that a worker gives at a time, at most. */
const MOST_VALUES = 64

/** Of {@link AllReduce}: two turns, so that a worker may give its next values while others read the last ones. */
export const sumsOf = (workers: number): Float64Array =>
  new Float64Array(new SharedArrayBuffer(8 * 2 * MOST_VALUES * workers))

/** Sums over workers, each of which makes the same calls. */
export class AllReduce {
  readonly #sums: Float64Array
  readonly #worker: number
  readonly #barrier: Barrier
  #turn = 0

  constructor(sums: Float64Array, worker: number, barrier: Barrier) {
    this.#sums = sums
    this.#worker = worker
    this.#barrier = barrier
  }

  /** By place. */
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

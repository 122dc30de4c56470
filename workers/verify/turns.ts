import { BARRIER_WORDS } from '../threads/barrier.ts'

const CURSOR = 0
const SETTLED = 1
const WORDS = 2

/** Words behind those of the barrier for so many passes. */
export const turnWords = (passes: number): number => BARRIER_WORDS + WORDS * passes

/** How threads share the vertices of a graph in a pass: ranges are taken in ascending order, and settled in that order too. */
export class Turns {
  readonly #words: Int32Array

  /** @param control shared words, of {@link turnWords} */
  constructor(control: Int32Array, pass: number) {
    const at = BARRIER_WORDS + WORDS * pass
    this.#words = control.subarray(at, at + WORDS)
  }

  /** The first vertex that no thread took. */
  get cursor(): number {
    return Atomics.load(this.#words, CURSOR) >>> 0
  }

  /** Takes the range [first, end); false: another thread took `first` meanwhile. */
  claim(first: number, end: number): boolean {
    return Atomics.compareExchange(this.#words, CURSOR, first | 0, end | 0) === (first | 0)
  }

  /** All vertices before it are settled, and what was written of them can be seen. */
  get settled(): number {
    return Atomics.load(this.#words, SETTLED) >>> 0
  }

  /** Passes the turn on to the range that begins there. */
  settle(end: number): void {
    Atomics.store(this.#words, SETTLED, end | 0)
  }
}

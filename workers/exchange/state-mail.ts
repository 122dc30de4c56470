import type { SharedStates } from './shared-states.ts'
import { WHOLE } from './shared-states.ts'

/**
 * What one worker tells the others in a pass. A list has two words a change (which word, and the bits it gained), so it is shorter
 * than all owned words while fewer than half of them changed: 1 in 32 of the worker's vertices. After that all words go.
 */
export class StateMail {
  readonly #shared: SharedStates
  readonly #worker: number

  constructor(shared: SharedStates, worker: number) {
    this.#shared = shared
    this.#worker = worker
  }

  /** Words that this worker owns. */
  get ownedWords(): number {
    return this.#shared.owned[this.#worker]!.reduce((sum, { words }) => sum + words, 0)
  }

  /**
   * Writes what changed in the owned words since `known`, and brings `known` up to it.
   * @param states the words [from, from + states.length) of this worker's states
   * @returns the number of changes, or WHOLE
   */
  write(states: Uint32Array, from: number, known: Uint32Array, parity: number): number {
    const { owned, mail } = this.#shared
    const start = this.#start(this.#worker, parity)
    const most = Math.floor(this.ownedWords / 2)
    let changes = 0
    for (const { first, words } of owned[this.#worker]!) {
      for (let word = first; word < first + words; word++) {
        const gained = states[word - from]! & ~known[word]!
        if (gained === 0) continue
        if (changes < most) {
          mail[start + 2 * changes] = word
          mail[start + 2 * changes + 1] = gained
        }
        changes++
        known[word]! |= gained
      }
    }
    if (changes <= most) return changes
    this.#writeWhole(known, start)
    return WHOLE
  }

  /** The changes of a worker as pairs of words. */
  changes(worker: number, parity: number, count: number): Uint32Array {
    const start = this.#start(worker, parity)
    return this.#shared.mail.subarray(start, start + 2 * count)
  }

  /** Brings `known` up to what a worker told. @returns bytes that it told */
  take(worker: number, parity: number, count: number, known: Uint32Array): number {
    if (count !== WHOLE) {
      const pairs = this.changes(worker, parity, count)
      for (let at = 0; at < pairs.length; at += 2) known[pairs[at]!]! |= pairs[at + 1]!
      return pairs.byteLength
    }
    let at = this.#start(worker, parity)
    const begin = at
    for (const { first, words } of this.#shared.owned[worker]!) {
      known.set(this.#shared.mail.subarray(at, at + words), first)
      at += words
    }
    return 4 * (at - begin)
  }

  #writeWhole(known: Uint32Array, start: number): void {
    let at = start
    for (const { first, words } of this.#shared.owned[this.#worker]!) {
      this.#shared.mail.set(known.subarray(first, first + words), at)
      at += words
    }
  }

  #start(worker: number, parity: number): number {
    return parity * this.#shared.words + this.#shared.mailAt[worker]!
  }
}

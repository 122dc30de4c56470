import type { SharedStates } from './shared-states.ts'
import { WHOLE } from './shared-states.ts'

/**
 * What workers tell each other of a batch in a pass. A list has two words a change (which word, and the bits it gained), so it is
 * shorter than all words of the batch while fewer than half of them changed: 1 in 32 of its vertices. After that all words go.
 */
export class StateMail {
  readonly #shared: SharedStates

  constructor(shared: SharedStates) {
    this.#shared = shared
  }

  /** Where all words of a batch go as they come from the device; then `know` them. */
  whole(batch: number, parity: number): Uint32Array {
    return this.#mailOf(batch, parity)
  }

  /** Brings `known` up to the words of a batch that lie in its mail. @returns what stands for the number of changes */
  know(batch: number, known: Uint32Array, parity: number): number {
    known.set(this.#mailOf(batch, parity), this.#shared.stretches[batch]!.first)
    return WHOLE
  }

  /**
   * Writes what changed in a batch since `known`, and brings `known` up to it.
   * @param states the words of the batch
   * @param batch its index
   * @returns the number of changes, or WHOLE
   */
  write(states: Uint32Array, batch: number, known: Uint32Array, parity: number): number {
    const { first, words } = this.#shared.stretches[batch]!
    const mail = this.#mailOf(batch, parity)
    const most = words >>> 1
    let changes = 0
    for (let i = 0; i < words; i++) {
      const gained = states[i]! & ~known[first + i]!
      if (gained === 0) continue
      if (changes < most) {
        mail[2 * changes] = first + i
        mail[2 * changes + 1] = gained
      }
      changes++
      known[first + i]! |= gained
    }
    if (changes <= most) return changes
    mail.set(states)
    return WHOLE
  }

  /** The changes of a batch as pairs of words. */
  changes(batch: number, parity: number, count: number): Uint32Array {
    return this.#mailOf(batch, parity).subarray(0, 2 * count)
  }

  /** Brings `known` up to what is told of a batch. @returns bytes that were told */
  take(batch: number, parity: number, count: number, known: Uint32Array): number {
    if (count === WHOLE) {
      const mail = this.#mailOf(batch, parity)
      known.set(mail, this.#shared.stretches[batch]!.first)
      return mail.byteLength
    }
    const pairs = this.changes(batch, parity, count)
    for (let at = 0; at < pairs.length; at += 2) known[pairs[at]!]! |= pairs[at + 1]!
    return pairs.byteLength
  }

  /** Writes to all memory that this worker's mail will take: the first touch of a page takes longer than what is written to it. */
  touch(worker: number): void {
    const { stretches, workers } = this.#shared
    for (let batch = worker; batch < stretches.length; batch += workers)
      for (const parity of [0, 1]) this.#mailOf(batch, parity).fill(0)
  }

  /** Room for the mail of a batch: as many words as it has, at the same place. The second half is for odd passes. */
  #mailOf(batch: number, parity: number): Uint32Array {
    const { first, words } = this.#shared.stretches[batch]!
    const start = parity * this.#shared.words + first
    return this.#shared.mail.subarray(start, start + words)
  }
}

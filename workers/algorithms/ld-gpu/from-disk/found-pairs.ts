import type { HostState } from './host-state.ts'

const WORDS = 3

/** A matching phase of one of several threads, in two halves: nothing changes while others look. */
export class FoundPairs {
  readonly #state: HostState
  /** Both vertices of each pair, and its round. */
  #found = new Uint32Array(0)
  #words = 0

  constructor(state: HostState) {
    this.#state = state
  }

  /** The first half: finds whose new pointer is answered. */
  find(changed: Uint32Array): void {
    const { pointers, stamps } = this.#state
    if (this.#found.length < WORDS * changed.length) this.#found = new Uint32Array(WORDS * changed.length)
    const found = this.#found
    let words = 0
    for (const v of changed) {
      const mate = pointers[v]!
      if (pointers[mate] !== v) continue
      found[words++] = v
      found[words++] = mate
      found[words++] = 1 + Math.max(stamps[v]!, stamps[mate]!)
    }
    this.#words = words
  }

  /** The second half. Where both pointers of a pair are new, it is found twice, and marked twice alike. */
  mark(): void {
    const found = this.#found
    for (let at = 0; at < this.#words; at += WORDS) {
      this.#mark(found[at]!, found[at + 2]!)
      this.#mark(found[at + 1]!, found[at + 2]!)
    }
  }

  #mark(v: number, round: number): void {
    const { stamps, matched } = this.#state
    stamps[v] = round
    // Threads share words of bits.
    Atomics.or(matched, v >>> 5, 1 << (v & 31))
  }
}

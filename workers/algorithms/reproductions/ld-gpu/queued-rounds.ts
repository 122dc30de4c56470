/** Some consecutive rounds that are on a device, and their counters once it is done with them. */
interface Queued {
  readonly from: number
  readonly count: number
  readonly counters: Promise<Uint32Array>
}

/** Rounds that a device was given and that were not read yet: it runs these while the host puts together the next. */
export class QueuedRounds {
  readonly #queued: Queued[] = []

  add(queued: Queued): void {
    // Where one fails, so do those behind it.
    queued.counters.catch(() => {})
    this.#queued.push(queued)
  }

  /** Takes them, the oldest first, until `ahead` are left. */
  async take(ahead: number, look: (words: Uint32Array, from: number, count: number) => void): Promise<void> {
    while (this.#queued.length > ahead) {
      const { from, count, counters } = this.#queued.shift()!
      look(await counters, from, count)
    }
  }
}

/**
 * Which of a worker's vertices may ask. All of them, as in the paper, as long as their questions find room in the buffers. Where
 * they do not, the same vertices would ask in vain round after round and keep the others out for ever; so the window halves
 * until it fits, and then moves on round the vertices and grows again. A window of one vertex always fits, hence every vertex
 * comes to ask.
 */
export class QueryWindow {
  readonly #owned: number
  /** The first vertex that may ask, counted from the worker's first, and how many from there on. */
  open = 0
  width: number

  constructor(owned: number) {
    this.#owned = owned
    this.width = owned
  }

  /** Takes what the round showed: whether some pairs found no room. */
  turn(overflowed: boolean): void {
    if (overflowed) {
      this.width = Math.max(1, this.width >>> 1)
      return
    }
    this.open = this.#owned === 0 ? 0 : (this.open + this.width) % this.#owned
    this.width = Math.min(this.#owned, 2 * this.width)
  }
}

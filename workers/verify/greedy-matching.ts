/**
 * A maximal matching by the order of the vertices: each takes its free neighbour of smallest degree, which is the hardest to match later; of
 * several the lowest. passes.ts has batches scanned side by side and settled in order. set-check.wat has the twin.
 */

import type { Batch } from './passes.ts'
import { CHOICES, SHARED_RANKS, MATCHED } from './set-check.ts'

/** The best free neighbours of vertex first + i, the best first. */
interface Choices {
  readonly counts: Uint8Array
  readonly targets: Uint32Array
}

/**
 * No matched vertex becomes free again: the best free neighbours when a list is scanned hold the best one when the vertex is settled, unless all
 * of them are matched by then; then the list is scanned again. So the matching is that of a single thread.
 */
export class GreedyMatching {
  pairs = 0
  readonly #ranks: Uint8Array
  readonly #degrees: Uint32Array
  readonly #mates: Uint32Array
  readonly #choices: Choices[] = []
  readonly #best = new Uint32Array(CHOICES)
  readonly #least = new Float64Array(CHOICES)

  /** @param ranks shared by all workers: matched vertices are marked @param mates likewise; empty: not noted */
  constructor(ranks: Uint8Array, degrees: Uint32Array, mates: Uint32Array) {
    this.#ranks = ranks
    this.#degrees = degrees
    this.#mates = mates
  }

  scan(batch: Batch): void {
    const { slot, first, end, starts, targets, capacity } = batch
    const { counts, targets: choices } = (this.#choices[slot] ??= {
      counts: new Uint8Array(capacity),
      targets: new Uint32Array(CHOICES * capacity),
    })
    for (let v = first; v < end; v++) {
      const i = v - first
      const count = this.#isMatched(v) ? 0 : this.#choose(targets, starts[i]!, starts[i + 1]!)
      counts[i] = count
      for (let place = 0; place < count; place++) choices[CHOICES * i + place] = this.#best[place]!
    }
  }

  settle({ slot, first, end, starts, targets }: Batch): void {
    const { counts, targets: choices } = this.#choices[slot]!
    for (let v = first; v < end; v++) {
      const i = v - first
      const count = counts[i]!
      if (count === 0 || this.#isMatched(v)) continue
      let place = 0
      while (place < count && this.#isMatched(choices[CHOICES * i + place]!)) place++
      if (place < count) this.#match(v, choices[CHOICES * i + place]!)
      else if (count === CHOICES && this.#choose(targets, starts[i]!, starts[i + 1]!) > 0)
        this.#match(v, this.#best[0]!)
    }
  }

  #choose(targets: Uint32Array, start: number, end: number): number {
    const ranks = this.#ranks
    let count = 0
    /** Vertices of this rank or more are matched, or no better than those that are noted. */
    let limit = MATCHED
    for (let arc = start; arc < end; arc++) {
      const u = targets[arc]!
      const rank = ranks[u]!
      if (rank >= limit) continue
      count = this.#note(u, rank, count)
      if (count === CHOICES) limit = Math.min(this.#least[CHOICES - 1]!, MATCHED)
      // No neighbour has a degree below 1.
      if (limit === 1) break
    }
    return count
  }

  #note(u: number, rank: number, count: number): number {
    const [best, least] = [this.#best, this.#least]
    const degree = rank >= SHARED_RANKS ? this.#degrees[u]! : rank
    if (count === CHOICES && degree >= least[CHOICES - 1]!) return count
    let place = Math.min(count, CHOICES - 1)
    for (; place > 0 && degree < least[place - 1]!; place--) {
      best[place] = best[place - 1]!
      least[place] = least[place - 1]!
    }
    best[place] = u
    least[place] = degree
    return Math.min(count + 1, CHOICES)
  }

  #match(v: number, mate: number): void {
    this.#ranks[v] = MATCHED
    this.#ranks[mate] = MATCHED
    if (this.#mates.length > 0) {
      this.#mates[v] = mate
      this.#mates[mate] = v
    }
    this.pairs++
  }

  #isMatched(v: number): boolean {
    return this.#ranks[v] === MATCHED
  }
}

import type { Batch } from './pass.ts'

/** One of them is nearly always free when the vertex is settled. */
const CHOICES = 4
/** The rank of a vertex is its degree, but for large ones and matched vertices. */
const LARGE = 254
const MATCHED = 255

export const rankOf = (degree: number): number => Math.min(degree, LARGE)

/** Of vertex first + i, the best first. */
interface Choices {
  readonly counts: Uint8Array
  readonly targets: Uint32Array
}

/**
 * A maximal matching: each vertex in order takes its free neighbour of smallest degree, which is the hardest to match later; of several
 * the lowest. No matched vertex becomes free again: the best free neighbours when a list is scanned hold the best one when the vertex
 * is settled, unless all of them are matched by then; then the list is scanned again. So the matching is that of a single thread.
 */
export class GreedyMatching {
  pairs = 0
  readonly #ranks: Uint8Array
  readonly #degrees: Uint32Array
  readonly #choices: Choices[] = []
  readonly #best = new Uint32Array(CHOICES)
  readonly #least = new Float64Array(CHOICES)

  /** @param ranks shared by all workers: matched vertices are marked */
  constructor(ranks: Uint8Array, degrees: Uint32Array) {
    this.#ranks = ranks
    this.#degrees = degrees
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
    }
    return count
  }

  #note(u: number, rank: number, count: number): number {
    const [best, least] = [this.#best, this.#least]
    const degree = rank === LARGE ? this.#degrees[u]! : rank
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
    this.pairs++
  }

  #isMatched(v: number): boolean {
    return this.#ranks[v] === MATCHED
  }
}

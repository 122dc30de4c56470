import type { Piece } from './pieces.ts'

/** Neighbours that are noted of each vertex. Few others want those of small degree: one of them is nearly always left. */
const CHOICES = 4
/** In a byte for each vertex: its degree, but for large ones and those of vertices that are matched. One byte tells most neighbours apart. */
const LARGE = 254
const MATCHED = 255

export const rankOf = (degree: number): number => Math.min(degree, LARGE)

/** What was found of the vertices of a piece: `counts[i]` neighbours of vertex first + i, the best first. */
class Choices {
  readonly counts: Uint8Array
  readonly targets: Uint32Array

  constructor({ capacity }: Piece) {
    this.counts = new Uint8Array(capacity)
    this.targets = new Uint32Array(CHOICES * capacity)
  }
}

/**
 * A maximal matching: each vertex in turn takes its free neighbour of smallest degree, which is the hardest to match later; of several
 * the lowest. No vertex that is taken becomes free again: the free neighbours that are best when a list is looked at, earlier than its turn,
 * hold the one that is best then, unless all of them have been taken; then the list is looked at once more. So
 * the matching is that of one thread that takes vertex after vertex.
 */
export class GreedyMatching {
  /** Pairs that this thread added. */
  pairs = 0
  readonly #ranks: Uint8Array
  readonly #degrees: Uint32Array
  readonly #rooms: Choices[] = []
  readonly #best = new Uint32Array(CHOICES)
  readonly #least = new Float64Array(CHOICES)

  /** @param ranks of all vertices; all threads share it, and vertices that are matched are marked in it */
  constructor(ranks: Uint8Array, degrees: Uint32Array) {
    this.#ranks = ranks
    this.#degrees = degrees
  }

  /** Looks at a piece before its turn. */
  scan(piece: Piece): void {
    const { room, first, end, starts, targets } = piece
    const { counts, targets: choices } = (this.#rooms[room] ??= new Choices(piece))
    for (let v = first; v < end; v++) {
      const i = v - first
      const count = this.#isMatched(v) ? 0 : this.#choose(targets, starts[i]!, starts[i + 1]!)
      counts[i] = count
      for (let place = 0; place < count; place++) choices[CHOICES * i + place] = this.#best[place]!
    }
  }

  /** Matches the vertices of a piece; all lower ones had their turn. */
  settle({ room, first, end, starts, targets }: Piece): void {
    const { counts, targets: choices } = this.#rooms[room]!
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

  /** Notes the best free neighbours. @returns how many */
  #choose(targets: Uint32Array, start: number, end: number): number {
    const ranks = this.#ranks
    let count = 0
    /** Who is not below it is matched, or no better than what is noted. */
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

  /** Notes a free neighbour where it is among the best. @returns how many there are then, of `count` before */
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

import type { Piece } from './pieces.ts'

/** Neighbours that are noted of each vertex. Few others want those of small degree: one of them is nearly always left. */
const CHOICES = 4

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
 * the lowest. Nobody who is taken becomes free again: the free neighbours that are best when a list is looked at, earlier than its turn,
 * hold the one that is best then, unless all of them have been taken; then the list is looked at once more. So
 * the matching is that of one thread that takes vertex after vertex.
 */
export class GreedyMatching {
  /** Pairs that this thread added. */
  pairs = 0
  readonly #matched: Uint32Array
  readonly #degrees: Uint32Array
  readonly #rooms: Choices[] = []
  readonly #best = new Uint32Array(CHOICES)
  readonly #least = new Float64Array(CHOICES)

  /** @param matched a bit for each vertex, which all threads share */
  constructor(matched: Uint32Array, degrees: Uint32Array) {
    this.#matched = matched
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
    const [matched, degrees, best, least] = [this.#matched, this.#degrees, this.#best, this.#least]
    least.fill(Infinity)
    let count = 0
    let worst = Infinity
    for (let arc = start; arc < end; arc++) {
      const u = targets[arc]!
      if (((matched[u >>> 5]! >>> (u & 31)) & 1) === 1) continue
      const degree = degrees[u]!
      if (degree >= worst) continue
      let place = count < CHOICES ? count++ : CHOICES - 1
      for (; place > 0 && degree < least[place - 1]!; place--) {
        best[place] = best[place - 1]!
        least[place] = least[place - 1]!
      }
      best[place] = u
      least[place] = degree
      worst = least[CHOICES - 1]!
    }
    return count
  }

  #match(v: number, mate: number): void {
    this.#matched[v >>> 5]! |= 1 << (v & 31)
    this.#matched[mate >>> 5]! |= 1 << (mate & 31)
    this.pairs++
  }

  #isMatched(v: number): boolean {
    return ((this.#matched[v >>> 5]! >>> (v & 31)) & 1) === 1
  }
}

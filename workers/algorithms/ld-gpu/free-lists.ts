import type { NeighbourPlace } from '../../../kernels/parts/best-scanner.ts'
import { isMatched } from '../../../kernels/matching/match-state.ts'
import { type WaitingVertices, placeAmongWaiting } from './waiting-vertices.ts'

/** The residual graph of a matching, in shared memory: free neighbours of waiting vertices. Threads append lists side by side. */
export interface FreeLists {
  readonly waiting: WaitingVertices
  /** Of each waiting vertex: one more than the word of `targets` where its list begins; 0: no room. */
  readonly places: Uint32Array
  /** Each list: its length, then its neighbours. */
  readonly targets: Uint32Array
  /** Beside the targets, for weights of the file. */
  readonly weights: Uint32Array
  /** Words of the targets in use. */
  readonly taken: Int32Array
}

/**
 * @param count of waiting vertices
 * @param bytes for the lists; places take 4 for each waiting vertex
 */
export function shareFreeLists(waiting: WaitingVertices, count: number, bytes: number, weighted: boolean): FreeLists {
  const shared = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))
  const words = Math.min(2 ** 31 - 1, Math.floor(bytes / (weighted ? 8 : 4)))
  return {
    waiting,
    places: shared(count),
    targets: shared(words),
    weights: shared(weighted ? words : 0),
    taken: new Int32Array(new SharedArrayBuffer(4)),
  }
}

/** undefined: there was no room */
export function freeListOf(lists: FreeLists, v: number): NeighbourPlace | undefined {
  const { waiting, places, targets, weights } = lists
  const at = placeAmongWaiting(waiting, v)
  const place = at < 0 ? 0 : places[at]!
  if (place === 0) return undefined
  return { targets, weights, start: place, weightsStart: place, count: targets[place - 1]! }
}

/** The lists of one thread are copied together: 32 threads that took room for each list took 6 microseconds a list. */
const FLUSHED_WORDS = 1 << 14

/** Writes the free lists of one thread. */
export class FreeListsWriter {
  readonly #lists: FreeLists
  readonly #matched: Uint32Array
  /** As in the residual graph, not copied yet. */
  #targets = new Uint32Array(2 * FLUSHED_WORDS)
  #weights = new Uint32Array(0)
  #length = 0
  /** Vertices of these lists, and where each list begins. */
  #vertices: number[] = []
  #begins: number[] = []

  constructor(lists: FreeLists, matched: Uint32Array) {
    this.#lists = lists
    this.#matched = matched
    if (lists.weights.length > 0) this.#weights = new Uint32Array(this.#targets.length)
  }

  begin(v: number): void {
    this.#vertices.push(v)
    this.#begins.push(this.#length)
    this.#reserve(1)
    this.#length++
  }

  /** Adds the free ones of `count` neighbours from word `at` on to the list begun last. */
  add(targets: Uint32Array, weights: Uint32Array, at: number, weightsAt: number, count: number): void {
    this.#reserve(count)
    const matched = this.#matched
    const into = this.#targets
    const bits = this.#weights
    let length = this.#length
    for (let i = 0; i < count; i++) {
      const u = targets[at + i]!
      if (isMatched(matched, u)) continue
      into[length] = u
      if (bits.length > 0) bits[length] = weights[weightsAt + i]!
      length++
    }
    this.#length = length
  }

  end(): void {
    const begin = this.#begins.at(-1)!
    this.#targets[begin] = this.#length - begin - 1
    if (this.#length >= FLUSHED_WORDS) this.flush()
  }

  /** Copies the lists, as far as there is room. */
  flush(): void {
    const begins = [...this.#begins, this.#length]
    const lists = this.#begins.length
    if (!this.#copy(0, lists, begins)) for (let list = 0; list < lists; list++) this.#copy(list, list + 1, begins)
    this.#length = 0
    this.#vertices = []
    this.#begins = []
  }

  /** @returns false where these lists together have no room */
  #copy(first: number, end: number, begins: readonly number[]): boolean {
    const { waiting, places, targets, weights, taken } = this.#lists
    const from = begins[first]!
    const upTo = begins[end]!
    const words = upTo - from
    let at = Atomics.load(taken, 0)
    for (let seen = -1; seen !== at;) {
      if (at + words > targets.length) return false
      seen = at
      at = Atomics.compareExchange(taken, 0, seen, seen + words)
    }
    targets.set(this.#targets.subarray(from, upTo), at)
    if (weights.length > 0) weights.set(this.#weights.subarray(from, upTo), at)
    for (let list = first; list < end; list++)
      places[placeAmongWaiting(waiting, this.#vertices[list]!)] = at + begins[list]! - from + 1
    return true
  }

  #reserve(count: number): void {
    let words = this.#targets.length
    while (this.#length + count > words) words *= 2
    if (words === this.#targets.length) return
    const larger = (old: Uint32Array): Uint32Array<ArrayBuffer> => {
      const grown = new Uint32Array(words)
      grown.set(old)
      return grown
    }
    this.#targets = larger(this.#targets)
    if (this.#weights.length > 0) this.#weights = larger(this.#weights)
  }
}

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

/** Writes the free lists of one thread. */
export class FreeListsWriter {
  readonly #lists: FreeLists
  readonly #matched: Uint32Array
  #targets = new Uint32Array(1 << 12)
  #weights = new Uint32Array(0)
  #length = 0

  constructor(lists: FreeLists, matched: Uint32Array) {
    this.#lists = lists
    this.#matched = matched
    if (lists.weights.length > 0) this.#weights = new Uint32Array(this.#targets.length)
  }

  begin(): void {
    this.#length = 0
  }

  /** Adds the free ones of `count` neighbours from word `at` on. */
  add(targets: Uint32Array, weights: Uint32Array, at: number, weightsAt: number, count: number): void {
    while (this.#length + count > this.#targets.length) this.#grow()
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

  /** Drops the list where there is no room. */
  end(v: number): void {
    const { waiting, places, targets, weights, taken } = this.#lists
    const length = this.#length
    if (Atomics.load(taken, 0) + length + 1 > targets.length) return
    const at = Atomics.add(taken, 0, length + 1)
    if (at + length + 1 > targets.length) {
      Atomics.sub(taken, 0, length + 1)
      return
    }
    targets[at] = length
    targets.set(this.#targets.subarray(0, length), at + 1)
    if (weights.length > 0) weights.set(this.#weights.subarray(0, length), at + 1)
    places[placeAmongWaiting(waiting, v)] = at + 1
  }

  #grow(): void {
    const larger = (words: Uint32Array): Uint32Array<ArrayBuffer> => {
      const grown = new Uint32Array(2 * words.length)
      grown.set(words)
      return grown
    }
    this.#targets = larger(this.#targets)
    this.#weights = larger(this.#weights)
  }
}

import type { NeighbourPlace } from '../../../kernels/parts/best-scanner.ts'
import { isMatched } from '../../../kernels/matching/match-state.ts'
import { type WaitingVertices, placeAmongWaiting } from './waiting-vertices.ts'

/**
 * Free neighbours of the vertices that may yet find a mate: the residual graph of a matching, in shared memory. Threads write lists side by
 * side, each where there is room when it is written.
 */
export interface FreeLists {
  /** The vertices that wait for their lists. */
  readonly waiting: WaitingVertices
  /** Of each that waits, one more than the word of `targets` where its list begins; 0: there was no room. */
  readonly places: Uint32Array
  /** The length of each list, and its neighbours. */
  readonly targets: Uint32Array
  /** Beside the targets, where weights of the file are compared. */
  readonly weights: Uint32Array
  /** Words of the targets that are taken. */
  readonly taken: Int32Array
}

/**
 * Room for the lists of all vertices that wait.
 * @param count of these
 * @param bytes for the lists; beside them 4 are taken for each that waits
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

/** undefined: it was not collected */
export function freeListOf(lists: FreeLists, v: number): NeighbourPlace | undefined {
  const { waiting, places, targets, weights } = lists
  const at = placeAmongWaiting(waiting, v)
  const place = at < 0 ? 0 : places[at]!
  if (place === 0) return undefined
  return { targets, weights, start: place, weightsStart: place, count: targets[place - 1]! }
}

/** Writes free lists, one thread's, as long as there is room. */
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

  /** Takes the free ones of `count` neighbours from word `at` on. @param weightsAt where the weight of the first one is */
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

  /** A list that there is no room for is not taken. */
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

import type { NeighbourPlace } from '../../../kernels/parts/best-scanner.ts'
import { isMatched } from '../../../kernels/matching/match-state.ts'

/**
 * Free neighbours of the vertices that may yet find a mate: the residual graph of a matching, in shared memory. Threads write lists side by
 * side, each where there is room when it is written.
 */
export interface FreeLists {
  /** A bit for each vertex that waits for its list, and how many do before each word of these. */
  readonly waiting: Uint32Array
  readonly before: Uint32Array
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
 * @param bytes for the lists; beside them a quarter of one is taken for each vertex, and 4 for each that waits
 */
export function shareFreeLists(
  vertices: number,
  waits: (v: number) => boolean,
  bytes: number,
  weighted: boolean,
): FreeLists {
  const shared = (words: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * words))
  const [waiting, before] = [shared(Math.ceil(vertices / 32)), shared(Math.ceil(vertices / 32))]
  let count = 0
  for (let word = 0; word < waiting.length; word++) {
    before[word] = count
    for (let v = 32 * word; v < Math.min(vertices, 32 * word + 32); v++) {
      if (!waits(v)) continue
      waiting[word]! |= 1 << (v & 31)
      count++
    }
  }
  const words = Math.min(2 ** 31 - 1, Math.floor(bytes / (weighted ? 8 : 4)))
  return {
    waiting,
    before,
    places: shared(count),
    targets: shared(words),
    weights: shared(weighted ? words : 0),
    taken: new Int32Array(new SharedArrayBuffer(4)),
  }
}

/** Which of the vertices that wait this one is; -1: it does not. */
function placeOf({ waiting, before }: FreeLists, v: number): number {
  const word = waiting[v >>> 5]!
  if (((word >>> (v & 31)) & 1) === 0) return -1
  return before[v >>> 5]! + ones(word & ((1 << (v & 31)) - 1))
}

function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** undefined: it was not collected */
export function freeListOf(lists: FreeLists, v: number): NeighbourPlace | undefined {
  const { places, targets, weights } = lists
  const at = placeOf(lists, v)
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
    const { places, targets, weights, taken } = this.#lists
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
    places[placeOf(this.#lists, v)] = at + 1
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

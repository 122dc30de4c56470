import { isMatched } from '../../../kernels/matching/codes.ts'

/** Free neighbours of some vertices: the residual graph of a matching. Plain arrays, to be sent. */
export interface FreeLists {
  /** Ascending. */
  readonly vertices: Uint32Array
  /** Where the list of each ends. */
  readonly ends: Uint32Array
  readonly targets: Uint32Array
  /** Beside the targets, where they are compared. */
  readonly weights: Uint32Array
}

/** Entries that room is taken for at a time. */
const BLOCK = 1 << 10

/** Room for free lists that several threads take from: blocks of entries that are left. */
export const sharedRoom = (bytes: number, weighted: boolean): Int32Array => {
  const room = new Int32Array(new SharedArrayBuffer(4))
  room[0] = Math.min(2 ** 31 - 1, Math.floor(bytes / ((weighted ? 8 : 4) * BLOCK)))
  return room
}

/** Writes free lists, as many as there is room for. */
export class FreeListsWriter {
  readonly #room: Int32Array
  /** Entries that room was taken for. */
  #taken = 0
  readonly #weighted: boolean
  readonly #vertices: number[] = []
  readonly #ends: number[] = []
  #targets = new Uint32Array(1 << 10)
  #weights = new Uint32Array(0)
  #length = 0
  #start = 0
  #isFull = false

  constructor(room: Int32Array, weighted: boolean) {
    this.#room = room
    this.#weighted = weighted
    if (weighted) this.#weights = new Uint32Array(this.#targets.length)
  }

  begin(): void {
    this.#start = this.#length
  }

  /** Takes the free ones of `count` neighbours from word `at` on. @param weightsAt where the weight of the first one is */
  add(
    targets: Uint32Array,
    weights: Uint32Array,
    at: number,
    weightsAt: number,
    count: number,
    matched: Uint32Array,
  ): void {
    for (let i = 0; i < count && !this.#isFull; i++) {
      const u = targets[at + i]!
      if (isMatched(matched, u)) continue
      if (this.#length === this.#taken && !this.#takeRoom()) this.#isFull = true
      else {
        if (this.#length === this.#targets.length) this.#grow()
        this.#targets[this.#length] = u
        if (this.#weighted) this.#weights[this.#length] = weights[weightsAt + i]!
        this.#length++
      }
    }
  }

  /** A list that was not taken whole is not taken at all, nor are those behind it. */
  end(v: number): void {
    if (this.#isFull) {
      this.#length = this.#start
      return
    }
    this.#vertices.push(v)
    this.#ends.push(this.#length)
  }

  take(): FreeLists {
    return {
      vertices: Uint32Array.from(this.#vertices),
      ends: Uint32Array.from(this.#ends),
      targets: this.#targets.slice(0, this.#length),
      weights: this.#weighted ? this.#weights.slice(0, this.#length) : this.#weights,
    }
  }

  #takeRoom(): boolean {
    if (Atomics.sub(this.#room, 0, 1) <= 0) return false
    this.#taken += BLOCK
    return true
  }

  #grow(): void {
    const larger = (words: Uint32Array): Uint32Array<ArrayBuffer> => {
      const grown = new Uint32Array(2 * words.length)
      grown.set(words)
      return grown
    }
    this.#targets = larger(this.#targets)
    if (this.#weighted) this.#weights = larger(this.#weights)
  }
}

/** Words among which a vertex finds its neighbours, and their weights. */
export interface NeighbourPlace {
  readonly targets: Uint32Array
  readonly weights: Uint32Array
  readonly start: number
  readonly weightsStart: number
  readonly count: number
}

/** Finds the lists of vertices in what several threads collected, each in the order of the vertices. */
export class CollectedLists {
  readonly #parts: readonly FreeLists[]

  constructor(parts: readonly FreeLists[]) {
    this.#parts = parts
  }

  /** undefined: it was not collected */
  find(v: number): NeighbourPlace | undefined {
    for (const { vertices, ends, targets, weights } of this.#parts) {
      const place = placeOf(vertices, v)
      if (vertices[place] !== v) continue
      const start = place === 0 ? 0 : ends[place - 1]!
      return { targets, weights, start, weightsStart: start, count: ends[place]! - start }
    }
    return undefined
  }
}

/** Where v stands, or would, among ascending vertices. */
function placeOf(vertices: Uint32Array, v: number): number {
  let [low, high] = [0, vertices.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (vertices[middle]! < v) low = middle + 1
    else high = middle
  }
  return low
}

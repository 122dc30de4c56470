import type { NeighbourPlace } from '../../../kernels/parts/best-scanner.ts'
import { isMatched } from '../../../kernels/matching/match-state.ts'
import { WordList } from '../../base/words.ts'
import type { HostLists } from './host-lists.ts'
import { type MatchSetup, listPlace, readsWeights, residentOrigins } from './match-setup.ts'

/** Free neighbours of some vertices, as match-collect.wgsl writes them: the length of a list, its neighbours, their weights of the file. */
export interface CollectedLists {
  readonly words: Uint32Array
  /** Vertices, and where their neighbours begin in the words. */
  readonly entries: Uint32Array
}

/** Collects lists, each given in parts. */
export class FreeListsWriter {
  readonly #matched: Uint32Array
  readonly #isWeighted: boolean
  readonly #words = new WordList()
  readonly #entries = new WordList()
  /** Of the current list: where its neighbours begin, and their weights. */
  #place = 0
  readonly #weights = new WordList()

  constructor({ memory, order }: MatchSetup) {
    this.#matched = memory.matched
    this.#isWeighted = readsWeights(order)
  }

  get length(): number {
    return this.#words.length
  }

  begin(v: number): void {
    this.#words.push(0)
    this.#place = this.#words.length
    this.#entries.push(v)
    this.#entries.push(this.#place)
  }

  /** Adds the free ones of some neighbours to the list begun last. */
  add({ targets, weights, start, weightsStart, count }: NeighbourPlace): void {
    for (let i = 0; i < count; i++) {
      const u = targets[start + i]!
      if (isMatched(this.#matched, u)) continue
      this.#words.push(u)
      if (this.#isWeighted) this.#weights.push(weights[weightsStart + i]!)
    }
  }

  end(): void {
    this.#words.values[this.#place - 1] = this.#words.length - this.#place
    this.#words.append(this.#weights)
    this.#weights.length = 0
  }

  /** The free neighbours of a vertex whose list reaches behind its piece, or is longer than a batch. */
  addLong(v: number, lists: HostLists): void {
    this.begin(v)
    lists.readLong(v, (part) => this.add(part))
    this.end()
  }

  /** All lists; it has none then. */
  take(): CollectedLists {
    return { words: this.#words.take(), entries: this.#entries.take() }
  }
}

/** The residual graph of a matching, in memory that processors share; the places of its lists are in {@link MatchMemory}. */
export interface FreeLists {
  readonly words: Uint32Array
  /** Words in use. */
  readonly taken: Int32Array
}

/** @param bytes for the lists */
export const shareFreeLists = (bytes: number): FreeLists => ({
  words: new Uint32Array(new SharedArrayBuffer(4 * Math.min(2 ** 31 - 1, Math.floor(bytes / 4)))),
  taken: new Int32Array(new SharedArrayBuffer(4)),
})

/**
 * Adds lists of one thread, as far as there is room: all together, as 32 threads that took room for each took 6 microseconds a list; else one by
 * one.
 */
export function addLists(free: FreeLists, places: Uint32Array, { words, entries }: CollectedLists): void {
  if (isAdded(free, places, { words, entries })) return
  for (let i = 0; i < entries.length; i += 2) {
    const list = words.subarray(entries[i + 1]! - 1, i + 2 < entries.length ? entries[i + 3]! - 1 : words.length)
    isAdded(free, places, { words: list, entries: Uint32Array.of(entries[i]!, 1) })
  }
}

/** Whether there was room. */
function isAdded({ words: all, taken }: FreeLists, places: Uint32Array, { words, entries }: CollectedLists): boolean {
  let at = Atomics.load(taken, 0)
  for (let seen = -1; seen !== at;) {
    if (at + words.length > all.length) return false
    seen = at
    at = Atomics.compareExchange(taken, 0, seen, seen + words.length)
  }
  all.set(words, at)
  for (let i = 0; i < entries.length; i += 2) places[entries[i]!] = at + entries[i + 1]!
  return true
}

/** undefined: the list is not in memory */
export type FindList = (v: number) => NeighbourPlace | undefined

/** Finds lists in the processors' memory: all are there, or those that were collected. */
export function listFinder({ graph, memory, order }: MatchSetup, free: FreeLists | undefined): FindList {
  const { ends, lists, places } = memory
  const all = lists ?? free?.words
  if (all === undefined) return () => undefined
  const found = { targets: all, weights: readsWeights(order) ? all : new Uint32Array(0) }
  if (lists === undefined)
    return (v) => {
      const start = places[v]!
      if (start === 0) return undefined
      const count = all[start - 1]!
      return { ...found, start, weightsStart: start + count, count }
    }
  const held = { ...residentOrigins(graph), targets: all, weightBits: found.weights }
  return (v) => listPlace(ends, v, held)
}

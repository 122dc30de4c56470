/**
 * Rounds (LD-GPU: Mandulak, Ghosh, Ferdous, Halappanavar, Slota, SC 2024, Algorithm 1) over those vertices alone whose pointer was matched to
 * another: in a long chain of dependent vertices a round costs what it changes, not a look at all. A list that is scanned again is sorted by the
 * order of edges, so none is scanned a third time. One thread of each rank; match-on-hosts.ts turns to it when a round changes little,
 * and carries what crosses a cut.
 */

import { NONE, isMatched, keptWords, cursor } from '../../../kernels/matching/match-state.ts'
import { WordList } from '../../base/words.ts'
import { type EdgeOrder, ListSorter } from '../../graph/edge-order.ts'
import type { Range } from '../../base/ranges.ts'
import type { FindList, MatchMemory, MatchSetup } from './match-setup.ts'

type VisitVertices = (visit: (v: number) => void) => void

/** The active vertices of this rank and their sorted lists. */
export class Chains {
  /** Vertices without a list in memory. */
  left = 0
  /** Arcs scanned in this round. */
  arcs = 0
  readonly #memory: MatchMemory
  readonly #candidates: number
  readonly #findList: FindList
  readonly #sorter: ListSorter
  /**
   * Linked lists of the own vertices that point at each own vertex, and at those others that share a place: first and next, id + 1, 0 for none.
   * `next` is by vertex, in words that are not used meanwhile.
   */
  readonly #firstWaiting: Uint32Array
  readonly #firstWaitingForOthers: Uint32Array
  readonly #nextWaiting: Uint32Array
  readonly #areIntegers: boolean
  readonly #float = new Float32Array(1)
  /** Sorted lists, each its cursor and its end, then neighbours in order; and where that of each own vertex is, + 1, 0 for none. */
  readonly #sorted = new WordList()
  readonly #choices: Uint32Array
  readonly #own: Range
  /** Whether there are other ranks. */
  readonly #isShared: boolean
  readonly #moved = new WordList()
  #open = 0
  /** Vertices whose new pointer leads to another rank; matched ones since the last look, own and others. */
  readonly #crossing = new WordList()
  readonly #matchedOwn = new WordList()
  readonly #matchedOthers = new WordList()

  /**
   * @param degrees of all vertices, where they break ties
   * @param from visits at least all active vertices, ascending within a chunk
   */
  constructor(setup: MatchSetup, order: EdgeOrder, degrees: Uint32Array, findList: FindList, from: VisitVertices) {
    const { memory, candidates } = setup
    this.#memory = memory
    this.#own = setup.own.vertices
    this.#isShared = this.#own.end - this.#own.first < memory.pointers.length
    this.#areIntegers = setup.readsWeights && setup.graph.weights?.kind === 'i32'
    this.#candidates = candidates
    this.#findList = findList
    this.#sorter = new ListSorter(order, degrees)
    const vertices = this.#own.end - this.#own.first
    this.#firstWaiting = new Uint32Array(vertices)
    this.#firstWaitingForOthers = new Uint32Array(this.#isShared ? Math.max(1, vertices) : 0)
    this.#nextWaiting = memory.lists === undefined ? memory.open : memory.places
    this.#choices = new Uint32Array(vertices)
    from((v) => this.#enter(v))
  }

  /** Unmatched vertices with a pointer. */
  get open(): number {
    return this.#open
  }

  /** Vertices of the next round: those whose pointer was matched. */
  get moving(): number {
    return this.#moved.length
  }

  /** @returns how many vertices were matched */
  round(): number {
    const { matched, pointers } = this.#memory
    this.arcs = 0
    const met = new WordList()
    for (const v of this.#moved.take()) {
      const before = pointers[v] !== NONE
      const u = this.#choose(v)
      if (before && u === NONE) this.#open--
      if (!before && u !== NONE) this.#open++
      if (u === NONE) continue
      this.#wait(v, u)
      if (!this.#isOwn(u)) this.#crossing.push(v)
      else if (pointers[u] === v) met.push(v)
    }
    const news = new WordList()
    for (const v of met.words) {
      const u = pointers[v]!
      // Either end may have been matched or have advanced since.
      if (isMatched(matched, v) || pointers[u] !== v) continue
      news.push(v)
      news.push(u)
      this.#match(v)
      this.#match(u)
    }
    for (const each of news.words) this.#move(each)
    return news.length
  }

  /** Vertices of this rank that point at one of another, new since the last call. */
  crossing(): Uint32Array {
    const { matched, pointers } = this.#memory
    return this.#crossing.take().filter((v) => !isMatched(matched, v) && pointers[v] !== NONE)
  }

  /** A vertex v of another rank points at u of this one: they match if u points back. */
  meet(v: number, u: number): void {
    const { matched, pointers } = this.#memory
    if (isMatched(matched, u) || pointers[u] !== v) return
    for (const each of [u, v]) {
      this.#match(each)
      this.#move(each)
    }
  }

  /** A vertex that another rank matched. */
  learn(v: number): void {
    if (isMatched(this.#memory.matched, v)) return
    this.#mark(v)
    this.#move(v)
  }

  /** Vertices that were matched since the last call: of this rank, and of others. */
  news(): { readonly own: Uint32Array; readonly others: Uint32Array } {
    return { own: this.#matchedOwn.take(), others: this.#matchedOthers.take() }
  }

  #isOwn(v: number): boolean {
    return v >= this.#own.first && v < this.#own.end
  }

  #match(v: number): void {
    this.#mark(v)
    if (this.#isShared) (this.#isOwn(v) ? this.#matchedOwn : this.#matchedOthers).push(v)
  }

  #mark(v: number): void {
    this.#memory.matched[v >>> 5]! |= 1 << (v & 31)
    if (this.#isOwn(v)) this.#open--
  }

  /** Those that point at a matched vertex look for another. */
  #move(v: number): void {
    const { matched, pointers } = this.#memory
    const [lists, place] = this.#waitingFor(v)
    let others = 0
    for (let waiting = lists[place]!, next = 0; waiting !== 0; waiting = next) {
      next = this.#nextWaiting[waiting - 1]!
      if (pointers[waiting - 1] !== v) {
        this.#nextWaiting[waiting - 1] = others
        others = waiting
      } else if (!isMatched(matched, waiting - 1)) this.#moved.push(waiting - 1)
    }
    lists[place] = others
  }

  #enter(v: number): void {
    const { kept, matched, pointers } = this.#memory
    if (isMatched(matched, v) || (kept[keptWords(this.#candidates) * v]! & cursor.ENDED) !== 0) return
    const pointer = pointers[v]!
    if (pointer !== NONE) this.#open++
    if (pointer === NONE || isMatched(matched, pointer)) this.#moved.push(v)
    else {
      this.#wait(v, pointer)
      if (!this.#isOwn(pointer)) this.#crossing.push(v)
    }
  }

  #wait(v: number, pointer: number): void {
    const [lists, place] = this.#waitingFor(pointer)
    this.#nextWaiting[v] = lists[place]!
    lists[place] = v + 1
  }

  #waitingFor(pointer: number): readonly [lists: Uint32Array, place: number] {
    if (this.#isOwn(pointer)) return [this.#firstWaiting, pointer - this.#own.first]
    return [this.#firstWaitingForOthers, pointer % this.#firstWaitingForOthers.length]
  }

  #choose(v: number): number {
    const { kept, matched, pointers } = this.#memory
    const base = keptWords(this.#candidates) * v
    const word = kept[base]!
    for (let passed = word & cursor.PASSED; passed < this.#candidates; passed++) {
      const u = kept[base + 1 + passed]!
      if (u === NONE) break
      if (isMatched(matched, u)) continue
      kept[base] = (word & ~cursor.PASSED) | passed
      return (pointers[v] = u)
    }
    pointers[v] = NONE
    if ((word & cursor.MORE) === 0) {
      kept[base] = word | cursor.ENDED
      return NONE
    }
    kept[base] = word | cursor.PASSED
    const choices = (this.#choices[v - this.#own.first] ||= this.#sort(v)) - 1
    if (choices < 0) {
      this.left++
      return NONE
    }
    const list = this.#sorted.values
    const end = list[choices + 1]!
    let at = list[choices]!
    while (at < end && isMatched(matched, list[at]!)) at++
    list[choices] = at
    if (at < end) return (pointers[v] = list[at]!)
    kept[base] = word | cursor.ENDED
    return NONE
  }

  /** @returns where its sorted list is, + 1, or 0 where there is none in memory */
  #sort(v: number): number {
    const place = this.#findList(v)
    if (place === undefined) return 0
    this.arcs += place.count
    const { targets, weights, start, weightsStart, count } = place
    const { matched } = this.#memory
    const free = new Uint32Array(count)
    const bits = new Uint32Array(weights.length === 0 ? 0 : count)
    let length = 0
    for (let i = 0; i < count; i++) {
      if (isMatched(matched, targets[start + i]!)) continue
      if (bits.length > 0) bits[length] = this.#floatBits(weights[weightsStart + i]!)
      free[length++] = targets[start + i]!
    }
    const sorted = this.#sorter.sort(v, free, bits, 0, length)
    // Edges that the order leaves out are behind the others.
    const end = sorted.subarray(0, length).indexOf(NONE)
    const kept = end < 0 ? length : end
    const choices = this.#sorted.length
    this.#sorted.push(choices + 2)
    this.#sorted.push(choices + 2 + kept)
    for (let i = 0; i < kept; i++) this.#sorted.push(sorted[i]!)
    return choices + 1
  }

  #floatBits(word: number): number {
    if (!this.#areIntegers) return word
    this.#float[0] = word | 0
    return new Uint32Array(this.#float.buffer)[0]!
  }
}

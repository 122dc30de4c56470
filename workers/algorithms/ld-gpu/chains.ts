import { ENDED, MORE, NONE, PASSED, isMatched, keptWords } from '../../../kernels/matching/match-state.ts'
import { weightRules } from '../../../kernels/parts/edge-order.ts'
import { ListSorter } from '../../graph/list-sorter.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import type { NeighbourPlace } from '../../../kernels/parts/best-scanner.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import type { MatchMemory, MatchSetup } from './match-setup.ts'

/** undefined: the list is not in memory */
export type FindList = (v: number) => NeighbourPlace | undefined

export type VisitVertices = (visit: (v: number) => void) => void

/** The neighbours of a vertex in order, and its cursor. */
interface Choices {
  readonly neighbours: Uint32Array
  at: number
}

/**
 * Rounds (LD-GPU, SC 2024, Algorithm 1) over those vertices alone whose pointer was matched to another: in long chains a round costs what it
 * changes. A list that is scanned again is sorted, so none is scanned a third time.
 */
export class Chains {
  /** Vertices without a list in memory. */
  left = 0
  /** Arcs scanned in this round. */
  arcs = 0
  readonly #memory: MatchMemory
  readonly #candidates: number
  readonly #findList: FindList
  readonly #sorter: ListSorter
  /** Linked lists of the vertices that point at each vertex: first and next, id + 1, 0 for none. */
  readonly #firstWaiting: Uint32Array
  readonly #nextWaiting: Uint32Array
  readonly #areIntegers: boolean
  readonly #float = new Float32Array(1)
  readonly #choices = new Map<number, Choices>()
  readonly #own: Range
  /** Among ranks. */
  readonly #isShared: boolean
  #moved: number[] = []
  #open = 0
  /** Vertices whose new pointer leads to another rank; matched ones since the last look, own and others. */
  #crossing: number[] = []
  #matchedOwn: number[] = []
  #matchedOthers: number[] = []

  /**
   * @param degrees of all vertices, where they break ties
   * @param from visits at least all active vertices, ascending within a chunk
   */
  constructor(setup: MatchSetup, order: EdgeOrder, degrees: Uint32Array, findList: FindList, from: VisitVertices) {
    const { memory, candidates } = setup
    this.#memory = memory
    this.#own = setup.own.vertices
    this.#isShared = this.#own.end - this.#own.first < memory.pointers.length
    this.#areIntegers = setup.order.weights === weightRules.integers
    this.#candidates = candidates
    this.#findList = findList
    this.#sorter = new ListSorter(order, degrees)
    const vertices = memory.pointers.length
    this.#firstWaiting = new Uint32Array(vertices)
    this.#nextWaiting = new Uint32Array(vertices)
    from((v) => this.#enter(v))
  }

  /** Unmatched vertices with a pointer. */
  get open(): number {
    return this.#open
  }

  /** Whether no vertex is left whose pointer was matched. */
  get isIdle(): boolean {
    return this.#moved.length === 0
  }

  /** @returns how many vertices were matched */
  round(): number {
    const { matched, pointers } = this.#memory
    this.arcs = 0
    const met: number[] = []
    for (const v of this.#moved) {
      const before = pointers[v] !== NONE
      const u = this.#choose(v)
      if (before && u === NONE) this.#open--
      if (!before && u !== NONE) this.#open++
      if (u === NONE) continue
      this.#wait(v, u)
      if (!this.#isOwn(u)) this.#crossing.push(v)
      else if (pointers[u] === v) met.push(v)
    }
    const news: number[] = []
    for (const v of met) {
      const u = pointers[v]!
      // Either end may have been matched or have advanced since.
      if (isMatched(matched, v) || pointers[u] !== v) continue
      news.push(v, u)
      this.#match(v)
      this.#match(u)
    }
    this.#moved = []
    for (const each of news) this.#move(each)
    return news.length
  }

  /** Pairs v, u where v of this rank points at u of another, new since the last call. */
  crossing(): readonly (readonly [number, number])[] {
    const { matched, pointers } = this.#memory
    const found = this.#crossing
      .filter((v) => !isMatched(matched, v) && pointers[v] !== NONE)
      .map((v) => [v, pointers[v]!] as const)
    this.#crossing = []
    return found
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
  news(): { readonly own: readonly number[]; readonly others: readonly number[] } {
    const found = { own: this.#matchedOwn, others: this.#matchedOthers }
    this.#matchedOwn = []
    this.#matchedOthers = []
    return found
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
    for (let waiting = this.#firstWaiting[v]!; waiting !== 0; waiting = this.#nextWaiting[waiting - 1]!)
      if (!isMatched(this.#memory.matched, waiting - 1)) this.#moved.push(waiting - 1)
    this.#firstWaiting[v] = 0
  }

  #enter(v: number): void {
    const { kept, matched, pointers } = this.#memory
    if (isMatched(matched, v) || (kept[keptWords(this.#candidates) * v]! & ENDED) !== 0) return
    const pointer = pointers[v]!
    if (pointer !== NONE) this.#open++
    if (pointer === NONE || isMatched(matched, pointer)) this.#moved.push(v)
    else {
      this.#wait(v, pointer)
      if (!this.#isOwn(pointer)) this.#crossing.push(v)
    }
  }

  #wait(v: number, pointer: number): void {
    this.#nextWaiting[v] = this.#firstWaiting[pointer]!
    this.#firstWaiting[pointer] = v + 1
  }

  #choose(v: number): number {
    const { kept, matched, pointers } = this.#memory
    const base = keptWords(this.#candidates) * v
    const word = kept[base]!
    for (let passed = word & PASSED; passed < this.#candidates; passed++) {
      const u = kept[base + 1 + passed]!
      if (u === NONE) break
      if (isMatched(matched, u)) continue
      kept[base] = (word & ~PASSED) | passed
      return (pointers[v] = u)
    }
    pointers[v] = NONE
    if ((word & MORE) === 0) {
      kept[base] = word | ENDED
      return NONE
    }
    kept[base] = word | PASSED
    const choices = this.#choicesOf(v)
    if (choices === undefined) {
      this.left++
      return NONE
    }
    const { neighbours } = choices
    while (choices.at < neighbours.length && isMatched(matched, neighbours[choices.at]!)) choices.at++
    if (choices.at < neighbours.length) return (pointers[v] = neighbours[choices.at]!)
    kept[base] = word | ENDED
    this.#choices.delete(v)
    return NONE
  }

  #choicesOf(v: number): Choices | undefined {
    const known = this.#choices.get(v)
    if (known !== undefined) return known
    const place = this.#findList(v)
    if (place === undefined) return undefined
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
    const choices = { neighbours: sorted.slice(0, end < 0 ? length : end), at: 0 }
    this.#choices.set(v, choices)
    return choices
  }

  #floatBits(word: number): number {
    if (!this.#areIntegers) return word
    this.#float[0] = word | 0
    return new Uint32Array(this.#float.buffer)[0]!
  }
}

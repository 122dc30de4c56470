/**
 * NuMVC (Cai, Su, Luo, Sattar: NuMVC: An Efficient Local Search Algorithm for Minimum Vertex Cover, JAIR 46, 2013), of the independent set in place
 * of the cover that its vertices outside are. The set is one larger than the best one, so that edges between members, its conflicts, are left. A step
 * lets the vertex join that makes the lightest conflicts, and takes an end of a random conflict out (two-stage exchange) that a neighbour has moved
 * beside (configuration checking); each conflict that stays becomes heavier by 1, and now and then all become lighter (forgetting).
 * A step takes the time of reading two lists, as loops over them only add: what they meet is looked at behind them. The vertices of the lowest scores
 * are listed apart, so that the next to join is found among some dozens. It suits graphs of long lists, where annealing (annealed-search.ts) finds
 * nothing. conflict-searches.ts runs several side by side.
 */

import { placeOf } from '../../base/ranges.ts'
import { Xorshift } from '../../generate/random.ts'
import type { Adjacency } from './in-memory-graph.ts'

/** A member's score is this much larger: it is never among the lowest. */
const MEMBER = 1 << 30
const NONE = -1
/** The least scores that are listed once they are collected, and times as many, or so many, before they are collected anew. */
const LOWEST = { least: 12, growth: 3, most: 48 }
/** Weights shrink to the first part where their mean is this part of the number of vertices, or their sum the third. */
const FORGETTING = { rest: 0.3, ofVertices: 0.5, most: 2 ** 28 }
/**
 * A graph of more vertices is searched place by place: where weights have spread to so many conflicts, it begins from the best set again; and where more
 * than so many vertices are listed, some are drawn, and the lightest of these joins (Cai, Balance between Complexity and Quality, IJCAI 2015).
 */
const LARGE = { vertices: 1 << 14, conflicts: 64, listed: 512, drawn: 64 }
/** Members that a step may take out: where sizes differ one may be too small to make up for what joined. */
const MOST_OUT = 2

/** What a search knows between two calls, in memory that threads share. */
export interface ConflictState {
  /** See {@link AT}. */
  readonly numbers: Int32Array
  readonly scores: Int32Array
  /** The step in which a vertex joined or left. */
  readonly stamps: Uint32Array
  /** Whether a neighbour joined or left since it joined. */
  readonly isChanged: Uint8Array
  /** Vertices of low scores, and perhaps of some that have risen; whether each is among them. */
  readonly lowest: Uint32Array
  readonly isListed: Uint8Array
  /** Weights of arcs, times the factor of the target: both of an edge weigh the same otherwise. */
  readonly weights: Uint32Array
  /** The two arcs of each conflict. */
  readonly arcs: Uint32Array
  readonly backs: Uint32Array
  /** The best set, one byte a vertex. */
  readonly best: Uint8Array
}

/**
 * Places of numbers: the size that is to be exceeded, and of the best set, are `beaten` and `best`; vertices of a score up to `low` are listed; the
 * vertex that left last does not join at once.
 */
export const AT = {
  step: 0,
  members: 1,
  size: 2,
  beaten: 3,
  best: 4,
  left: 5,
  low: 6,
  listed: 7,
  most: 8,
  conflicts: 9,
  sum: 10,
}
const NAMES = Object.keys(AT) as (keyof typeof AT)[]

export function conflictState({ vertices, targets }: Adjacency): ConflictState {
  const bytes = (count: number): SharedArrayBuffer => new SharedArrayBuffer(count)
  const edges = targets.length / 2
  return {
    numbers: new Int32Array(bytes(4 * NAMES.length)),
    scores: new Int32Array(bytes(4 * vertices)),
    stamps: new Uint32Array(bytes(4 * vertices)),
    isChanged: new Uint8Array(bytes(vertices)),
    lowest: new Uint32Array(bytes(4 * vertices)),
    isListed: new Uint8Array(bytes(vertices)),
    weights: new Uint32Array(bytes(4 * targets.length)),
    arcs: new Uint32Array(bytes(4 * edges)),
    backs: new Uint32Array(bytes(4 * edges)),
    best: new Uint8Array(bytes(vertices)),
  }
}

/** The size of the best set. */
export const bestSize = ({ numbers }: ConflictState): number => numbers[AT.best]!

/** What a vertex counts for: 1 each where there are no sizes. Scores are multiplied by `factors`, such that size times factor is the same for all. */
export interface VertexSizes {
  readonly sizes: Uint32Array
  readonly factors: Uint32Array
}

export const unitSizes = (vertices: number): VertexSizes => {
  const ones = new Uint32Array(vertices).fill(1)
  return { sizes: ones, factors: ones }
}

/** A search from one set. A vertex's score is the weight of its conflicts, for each unit of its size. The same graph, set, seeds and steps give the same set. */
export class ConflictSearch {
  readonly #adjacency: Adjacency
  readonly #state: ConflictState
  readonly #sizes: Uint32Array
  readonly #factors: Uint32Array
  readonly #isLarge: boolean
  #random = new Xorshift(0)
  /** The numbers of the state while it runs. */
  readonly #at = { ...AT }

  /** @param adjacency whose lists ascend */
  constructor(adjacency: Adjacency, state: ConflictState, { sizes, factors }: VertexSizes) {
    this.#adjacency = adjacency
    this.#isLarge = adjacency.vertices > LARGE.vertices
    this.#state = state
    this.#sizes = sizes
    this.#factors = factors
  }

  /** Begins anew. @param members an independent set, one byte a vertex */
  begin(members: Uint8Array): void {
    const { stamps, best } = this.#state
    stamps.fill(0)
    best.set(members)
    this.#at.step = 0
    this.#reset()
    this.#at.best = this.#at.beaten = this.#at.size
    this.#store()
  }

  /** Takes the best set again, with weights as they were. */
  #reset(): void {
    const { weights, isChanged, isListed, best } = this.#state
    for (let i = 0; i < weights.length; i++) weights[i] = this.#factors[this.#adjacency.targets[i]!]!
    isChanged.fill(1)
    isListed.fill(0)
    this.#at.members = this.#at.size = this.#at.low = this.#at.listed = this.#at.conflicts = 0
    this.#at.left = NONE
    this.#at.sum = this.#adjacency.targets.length / 2
    for (let v = 0; v < best.length; v++) {
      if (best[v] === 0) continue
      this.#at.members++
      this.#at.size += this.#sizes[v]!
    }
    this.#score(best)
  }

  /** Continues for so many steps, to beat sets of a size. @returns the size of its best set */
  run(steps: number, seed: number, beaten: number): number {
    this.#load()
    this.#random = new Xorshift(seed)
    // It begins again from a set of its own, which may be far from what others have.
    if (!this.#isLarge) this.#at.beaten = Math.max(this.#at.beaten, beaten)
    for (let end = this.#at.step + steps; this.#at.step < end;) {
      if (this.#at.conflicts === 0 && !this.#enlarge()) break
      this.#at.step++
      this.#exchange()
      if (this.#isLarge && this.#at.conflicts > LARGE.conflicts) this.#reset()
    }
    if (this.#at.conflicts === 0 && this.#at.size > this.#at.beaten) this.#keep()
    this.#store()
    return this.#at.best
  }

  /** Lets vertices join until there are conflicts. @returns false where all are members */
  #enlarge(): boolean {
    if (this.#at.size > this.#at.beaten) this.#at.left = NONE
    while (this.#at.conflicts === 0) {
      if (this.#at.size > this.#at.beaten) this.#keep()
      const v = this.#lightest()
      if (v === NONE) return false
      this.#join(v)
    }
    return true
  }

  #keep(): void {
    const { scores, best } = this.#state
    this.#at.best = this.#at.beaten = this.#at.size
    for (let v = 0; v < best.length; v++) best[v] = scores[v]! >= MEMBER ? 1 : 0
  }

  #exchange(): void {
    const v = this.#lightest()
    if (v !== NONE) this.#join(v)
    for (let out = 0; out < MOST_OUT && this.#at.conflicts > 0; out++) {
      const u = this.#conflicting()
      if (this.#at.size - this.#sizes[u]! <= this.#at.beaten) break
      this.#leave(u)
      this.#at.left = u
    }
    this.#weigh()
  }

  /** An end of a random conflict: that may leave, has the higher score, has not moved for the longest. */
  #conflicting(): number {
    const { arcs, backs, isChanged, scores, stamps } = this.#state
    const { targets } = this.#adjacency
    const conflict = this.#random.draw(this.#at.conflicts)
    const [v, u] = [targets[arcs[conflict]!]!, targets[backs[conflict]!]!]
    if (isChanged[v] === 0) return u
    if (isChanged[u] === 0) return v
    if (scores[v] !== scores[u]) return scores[v]! > scores[u]! ? v : u
    return stamps[v]! < stamps[u]! ? v : u
  }

  /** The vertex outside of the lowest score that has not moved for the longest; NONE if there is none. */
  #lightest(): number {
    if (this.#at.listed > this.#at.most) this.#collect()
    const found = this.#lightestListed()
    if (this.#at.listed > 1) return found
    this.#collect()
    return this.#lightestListed()
  }

  /** Looks at all that are listed, or draws some of many. Those whose scores have risen leave the list. */
  #lightestListed(): number {
    const { scores, stamps, lowest, isListed } = this.#state
    let [found, score, stamp] = [NONE, MEMBER, 0]
    const [left, low] = [this.#at.left, this.#at.low]
    let listed = this.#at.listed
    const isDrawn = this.#isLarge && listed > LARGE.listed
    let i = 0
    for (let looks = isDrawn ? LARGE.drawn : listed; looks > 0 && listed > 0; looks--) {
      if (isDrawn) i = this.#random.draw(listed)
      const v = lowest[i]!
      const own = scores[v]!
      if (own > low) {
        isListed[v] = 0
        lowest[i] = lowest[--listed]!
        continue
      }
      i++
      if (own > score || v === left) continue
      if (own === score && stamps[v]! >= stamp) continue
      found = v
      score = own
      stamp = stamps[v]!
    }
    this.#at.listed = listed
    return found
  }

  /** Lists the vertices of the lowest scores. */
  #collect(): void {
    const { scores, isListed, lowest } = this.#state
    const { vertices } = this.#adjacency
    for (let i = 0; i < this.#at.listed; i++) isListed[lowest[i]!] = 0
    const wanted = Math.min(LOWEST.least, vertices - this.#at.members)
    let low = this.#at.low >>> 1
    for (;;) {
      let listed = 0
      for (let v = 0; v < vertices; v++) if (scores[v]! <= low) lowest[listed++] = v
      this.#at.listed = listed
      if (listed >= wanted) break
      low += 1 + (low >>> 3)
    }
    this.#at.low = low
    this.#at.most = Math.max(LOWEST.most, LOWEST.growth * this.#at.listed)
    for (let i = 0; i < this.#at.listed; i++) isListed[lowest[i]!] = 1
  }

  #join(v: number): void {
    const { starts, targets } = this.#adjacency
    const { scores, isChanged, weights, stamps, arcs, backs } = this.#state
    this.#at.members++
    this.#at.size += this.#sizes[v]!
    scores[v]! += MEMBER
    stamps[v] = this.#at.step
    isChanged[v] = 0
    const first = this.#at.conflicts
    let past = first
    for (let i = starts[v]!, end = starts[v + 1]!; i < end; i++) {
      const u = targets[i]!
      const score = scores[u]!
      scores[u] = score + weights[i]!
      if (score >= MEMBER) arcs[past++] = i
    }
    for (let i = first; i < past; i++) {
      const u = targets[arcs[i]!]!
      isChanged[u] = 1
      backs[i] = placeOf(targets, starts[u]!, starts[u + 1]!, v)
    }
    this.#at.conflicts = past
  }

  #leave(v: number): void {
    const { starts, targets } = this.#adjacency
    const { scores, isChanged, weights, stamps, arcs, backs } = this.#state
    const low = this.#at.low
    this.#at.members--
    this.#at.size -= this.#sizes[v]!
    scores[v]! -= MEMBER
    stamps[v] = this.#at.step
    if (scores[v]! <= low) this.#list(v)
    const [start, end] = [starts[v]!, starts[v + 1]!]
    for (let i = start; i < end; i++) {
      const u = targets[i]!
      const score = (scores[u]! -= weights[i]!)
      if (score <= low) this.#list(u)
    }
    let kept = 0
    for (let i = 0; i < this.#at.conflicts; i++) {
      const [arc, back] = [arcs[i]!, backs[i]!]
      if (arc >= start && arc < end) isChanged[targets[arc]!] = 1
      else if (back >= start && back < end) isChanged[targets[back]!] = 1
      else {
        arcs[kept] = arc
        backs[kept++] = back
      }
    }
    this.#at.conflicts = kept
  }

  #list(v: number): void {
    const { isListed, lowest } = this.#state
    if (isListed[v] === 1) return
    isListed[v] = 1
    lowest[this.#at.listed++] = v
  }

  /** Conflicts become heavier; all edges lighter where it is time. */
  #weigh(): void {
    const { vertices, targets } = this.#adjacency
    const { arcs, backs, weights, scores } = this.#state
    const factors = this.#factors
    for (let i = 0; i < this.#at.conflicts; i++) {
      const [arc, back] = [arcs[i]!, backs[i]!]
      for (const each of [arc, back]) {
        const factor = factors[targets[each]!]!
        weights[each]! += factor
        scores[targets[each]!]! += factor
      }
    }
    this.#at.sum += this.#at.conflicts
    const { rest, ofVertices, most } = FORGETTING
    const edges = targets.length / 2
    if (this.#at.sum <= Math.max(2 * edges, Math.min(most, ofVertices * vertices * edges))) return
    let sum = 0
    for (let i = 0; i < weights.length; i++) {
      const factor = factors[targets[i]!]!
      const weight = Math.floor((rest * weights[i]!) / factor)
      weights[i] = weight * factor
      sum += weight
    }
    this.#at.sum = sum / 2
    this.#score(scores.map((score) => (score >= MEMBER ? 1 : 0)))
  }

  /** Scores of all vertices from a set. */
  #score(members: Uint8Array | Int32Array): void {
    const { vertices, starts, targets } = this.#adjacency
    const { scores, weights } = this.#state
    for (let v = 0; v < vertices; v++) scores[v] = members[v] === 1 ? MEMBER : 0
    for (let v = 0; v < vertices; v++) {
      if (members[v] === 0) continue
      for (let i = starts[v]!; i < starts[v + 1]!; i++) scores[targets[i]!]! += weights[i]!
    }
    this.#collect()
  }

  #load(): void {
    for (const name of NAMES) this.#at[name] = this.#state.numbers[AT[name]]!
  }

  #store(): void {
    for (const name of NAMES) this.#state.numbers[AT[name]] = this.#at[name]
  }
}

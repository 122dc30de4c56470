import type { Adjacency } from './residual-graph.ts'
import { WordStack } from './word-stack.ts'

/** Vertices outside that are drawn for one to be forced in. */
const DRAWN = 4
/** Bits of a step count that pass between two looks at the clock. */
const PAUSE_MASK = 0xff

/** When a search ends. */
export interface SearchLimits {
  readonly steps: number
  /** Called every few hundred steps; true ends the search. What it throws is thrown. */
  readonly pause: () => boolean
}

/**
 * Iterated local search for large independent sets of a graph in memory (Andrade, Resende, Werneck: Fast local search for the maximum
 * independent set problem, Journal of Heuristics 18, 2012, sections 3 and 4). A step forces a vertex in, fills up, makes all swaps of one
 * member for two of its neighbours that this allows, and is taken back where the set became much smaller.
 *
 * In place of the lists of section 3.1 a vertex has its tightness, the number of members next to it, and the exclusive or of their ids: of a
 * vertex with one such member that is the member. Of the vertices drawn, the one that costs the fewest members is forced in, and among those
 * the one that has been outside the longest.
 *
 * The same graph, set, seed and number of steps give the same set.
 */
export class LocalSearch {
  readonly #starts: Uint32Array
  readonly #targets: Uint32Array
  readonly #members: Uint8Array
  readonly #tight: Uint32Array
  readonly #around: Uint32Array
  /** The step in which a vertex left the set. */
  readonly #left: Uint32Array
  readonly #marks: Uint32Array
  #mark = 0
  readonly #candidates: Uint32Array
  readonly #isCandidate: Uint8Array
  #candidateCount = 0
  readonly #free: number[] = []
  readonly #neighbours: number[] = []
  /** What a step did: v for one that joined, ~v for one that left. */
  readonly #step = new WordStack()
  /** Likewise since the set was the best. */
  readonly #sinceBest = new WordStack()
  #size = 0
  #best = 0
  #random = 0

  constructor({ vertices, starts, targets }: Adjacency) {
    this.#starts = starts
    this.#targets = targets
    this.#members = new Uint8Array(vertices)
    this.#tight = new Uint32Array(vertices)
    this.#around = new Uint32Array(vertices)
    this.#left = new Uint32Array(vertices)
    this.#marks = new Uint32Array(vertices)
    this.#candidates = new Uint32Array(vertices)
    this.#isCandidate = new Uint8Array(vertices)
  }

  /** Of the largest set so far. */
  get best(): number {
    return this.#best
  }

  /**
   * Searches from a set, which it replaces by the largest one that was found. It is a local optimum at least: no member can be swapped for two.
   * @param members one byte a vertex; an independent set
   * @returns the steps that were made
   */
  run(members: Uint8Array, seed: number, { steps, pause }: SearchLimits): number {
    this.#start(members, seed)
    this.#settle(pause)
    this.#best = this.#size
    this.#step.length = 0
    let made = 0
    const vertices = members.length
    // Nothing to force in where all vertices are members.
    while (made < steps && this.#size < vertices) {
      if ((made & PAUSE_MASK) === 0 && pause()) break
      made++
      this.#improve(made)
    }
    this.#undo(this.#sinceBest, 0)
    members.set(this.#members)
    return made
  }

  #start(members: Uint8Array, seed: number): void {
    this.#members.fill(0)
    this.#tight.fill(0)
    this.#around.fill(0)
    this.#left.fill(0)
    this.#size = 0
    this.#sinceBest.length = 0
    // xorshift32 stays at 0.
    this.#random = (Math.imul(seed, 0x9e3779b9) ^ 0x5bd1e995) | 0 || 1
    for (let v = 0; v < members.length; v++) {
      if (members[v] === 0) continue
      this.#join(v)
      this.#propose(v)
    }
    for (let v = 0; v < members.length; v++) if (members[v] === 0 && this.#tight[v] === 0) this.#joinIfFree(v)
  }

  #improve(step: number): void {
    const before = this.#size
    this.#step.length = 0
    this.#perturb(step)
    this.#fillUp()
    this.#settle()
    if (this.#size >= this.#best) {
      this.#best = this.#size
      this.#sinceBest.length = 0
      return
    }
    const lost = before - this.#size
    // Section 4: a smaller set is gone on from the less likely the farther it is from this set and from the best.
    if (lost > 0 && this.#draw(1 + lost * (this.#best - this.#size)) !== 0) this.#undo(this.#step, 0)
    else this.#sinceBest.append(this.#step)
  }

  /** Mostly one vertex; i + 1 vertices with a chance of 1 in 2^i, once in 2 |S| steps. */
  #perturb(step: number): void {
    let count = 1
    if (this.#draw(2 * this.#size) === 0)
      do count++
      while (this.#draw(2) === 0)
    for (let i = 0; i < count && this.#size < this.#members.length; i++) this.#force(this.#drawOutside(), step)
  }

  #drawOutside(): number {
    const vertices = this.#members.length
    let chosen = -1
    for (let i = 0; i < DRAWN; i++) {
      let v: number
      do v = this.#draw(vertices)
      while (this.#members[v] === 1)
      if (chosen < 0 || this.#isBefore(v, chosen)) chosen = v
    }
    return chosen
  }

  #isBefore(v: number, u: number): boolean {
    const a = this.#tight[v]!
    const b = this.#tight[u]!
    return a === b ? this.#left[v]! < this.#left[u]! : a < b
  }

  #force(v: number, step: number): void {
    const targets = this.#targets
    const members = this.#members
    // Looked at last: it could be swapped for the members that leave, and nothing would have changed.
    this.#propose(v)
    const end = this.#starts[v + 1]!
    for (let i = this.#starts[v]!; i < end; i++) {
      const u = targets[i]!
      if (members[u] === 0) continue
      this.#leave(u)
      this.#left[u] = step
    }
    this.#join(v)
  }

  /** Lets free vertices join, in random order. */
  #fillUp(): void {
    const free = this.#free
    while (free.length > 0) {
      const at = this.#draw(free.length)
      const v = free[at]!
      free[at] = free[free.length - 1]!
      free.pop()
      this.#joinIfFree(v)
    }
  }

  #joinIfFree(v: number): void {
    if (this.#members[v] === 1 || this.#tight[v] !== 0) return
    this.#join(v)
    this.#propose(v)
  }

  /** Swaps until no member that was proposed can be swapped for two. */
  #settle(pause?: () => boolean): void {
    for (let looks = 1; this.#candidateCount > 0; looks++) {
      if (pause !== undefined && (looks & 0xffff) === 0 && pause()) return
      const v = this.#candidates[--this.#candidateCount]!
      this.#isCandidate[v] = 0
      if (this.#members[v] === 1) this.#swap(v)
      if (this.#free.length > 0) this.#fillUp()
    }
  }

  /** A member whose neighbours may have become swappable. */
  #propose(v: number): void {
    if (this.#isCandidate[v] === 1) return
    this.#isCandidate[v] = 1
    this.#candidates[this.#candidateCount++] = v
  }

  /** Swaps a member for two neighbours that are not adjacent and have no other member next to them, if there are any. */
  #swap(member: number): void {
    const single = this.#neighbours
    single.length = 0
    const targets = this.#targets
    const tight = this.#tight
    const end = this.#starts[member + 1]!
    for (let i = this.#starts[member]!; i < end; i++) {
      const u = targets[i]!
      if (tight[u] === 1) single.push(u)
    }
    for (let i = 0; i + 1 < single.length; i++) {
      const v = single[i]!
      const mark = this.#markAround(v)
      for (let j = i + 1; j < single.length; j++) {
        if (this.#marks[single[j]!] === mark) continue
        this.#leave(member)
        this.#join(v)
        this.#propose(v)
        for (; j < single.length; j++) this.#joinIfFree(single[j]!)
        return
      }
    }
  }

  #markAround(v: number): number {
    const targets = this.#targets
    const marks = this.#marks
    const mark = ++this.#mark
    const end = this.#starts[v + 1]!
    for (let i = this.#starts[v]!; i < end; i++) marks[targets[i]!] = mark
    return mark
  }

  #join(v: number): void {
    this.#members[v] = 1
    this.#size++
    this.#step.push(v)
    const targets = this.#targets
    const tight = this.#tight
    const around = this.#around
    const end = this.#starts[v + 1]!
    for (let i = this.#starts[v]!; i < end; i++) {
      const u = targets[i]!
      tight[u]!++
      around[u]! ^= v
    }
  }

  #leave(v: number): void {
    this.#members[v] = 0
    this.#size--
    this.#step.push(~v)
    const targets = this.#targets
    const tight = this.#tight
    const around = this.#around
    const members = this.#members
    const end = this.#starts[v + 1]!
    for (let i = this.#starts[v]!; i < end; i++) {
      const u = targets[i]!
      around[u]! ^= v
      const left = --tight[u]!
      if (left === 0) this.#free.push(u)
      else if (left === 1 && members[u] === 0) this.#propose(around[u]!)
    }
  }

  /** Takes back what a journal holds from `from` on, the last first. */
  #undo(journal: WordStack, from: number): void {
    const { values } = journal
    for (let i = journal.length - 1; i >= from; i--) {
      const entry = values[i]! | 0
      const v = entry < 0 ? ~entry : entry
      const joined = entry < 0
      const step = joined ? 1 : -1
      this.#members[v] = joined ? 1 : 0
      this.#size += step
      const end = this.#starts[v + 1]!
      for (let at = this.#starts[v]!; at < end; at++) {
        const u = this.#targets[at]!
        this.#tight[u]! += step
        this.#around[u]! ^= v
      }
    }
    journal.length = from
    this.#free.length = 0
    while (this.#candidateCount > 0) this.#isCandidate[this.#candidates[--this.#candidateCount]!] = 0
  }

  /** 0 to below - 1; xorshift32 (Marsaglia 2003). */
  #draw(below: number): number {
    let x = this.#random
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#random = x
    return (x >>> 0) % below
  }
}

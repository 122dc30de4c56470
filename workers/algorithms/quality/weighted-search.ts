/**
 * Iterated local search for heavy independent sets (Nogueira, Pinheiro, Subramanian: A hybrid iterated local search heuristic for the maximum
 * weight independent set problem, Optimization Letters 12, 2018): a vertex that is heavier than the members next to it takes their place, and so
 * do two of a member's neighbours that are heavier together. The same graph, set, seed and number of steps give the same set.
 * search-start.ts makes its start, after the reductions of reduced-graph.ts.
 */

import { placeOf } from '../../base/ranges.ts'
import type { Adjacency } from './in-memory-graph.ts'
import type { SearchLimits } from './quality-option.ts'
import { WordList } from '../../base/words.ts'
import { Xorshift } from '../../generate/random.ts'

/** Steps after which the search begins anew from its best set, and can be resumed. */
const EPOCH = 1 << 20
/** Vertices outside that are drawn for one to be forced in. */
const DRAWN = 4
/** Bits of a step count that pass between two looks at the clock. */
const PAUSE_MASK = 0xff
/** Bits of a count of vertices that were looked at that pass between two looks at the clock. */
const LOOKS_MASK = 0xfff
/** The factor of weight by which a change is an improvement: sums are rounded. */
const MARGIN = 1 + 1e-9

/** A search for a heavy set from one start. */
export class WeightedSearch {
  readonly epochSteps = EPOCH
  readonly #adjacency: Adjacency
  readonly #weights: Float64Array
  readonly #members: Uint8Array
  /** Members next to a vertex, the exclusive or of them, and their weight. */
  readonly #tight: Uint32Array
  readonly #around: Uint32Array
  readonly #weightAround: Float64Array
  /** The step in which a vertex left the set. */
  readonly #left: Uint32Array
  /** Vertices that may be better the other way, each once. */
  readonly #queue = new WordList()
  readonly #isQueued: Uint8Array
  readonly #step = new WordList()
  readonly #sinceBest = new WordList()
  #size = 0
  #weight = 0
  #best = 0
  #random = new Xorshift(0)

  constructor(adjacency: Adjacency, weights: Float64Array) {
    const { vertices } = adjacency
    this.#adjacency = adjacency
    this.#weights = weights
    this.#members = new Uint8Array(vertices)
    this.#tight = new Uint32Array(vertices)
    this.#around = new Uint32Array(vertices)
    this.#weightAround = new Float64Array(vertices)
    this.#left = new Uint32Array(vertices)
    this.#isQueued = new Uint8Array(vertices)
  }

  /** Weight of the heaviest set so far. */
  get best(): number {
    return this.#best
  }

  /** Searches from a set, which it replaces by the heaviest one that was found. @returns the steps that were made */
  run(members: Uint8Array, seed: number, { steps, pause }: SearchLimits): number {
    for (const array of [this.#members, this.#tight, this.#around, this.#weightAround, this.#left]) array.fill(0)
    this.#size = this.#weight = this.#step.length = this.#sinceBest.length = 0
    this.#random = new Xorshift(seed)
    for (let v = 0; v < members.length; v++) if (members[v] === 1) this.#join(v)
    for (let v = members.length - 1; v >= 0; v--) this.#put(v)
    this.#settle(pause)
    this.#best = this.#weight
    let made = 0
    while (made < steps && this.#size < members.length) {
      if ((made & PAUSE_MASK) === 0 && pause()) break
      made++
      this.#improve(made)
    }
    this.#undo(this.#sinceBest)
    members.set(this.#members)
    return made
  }

  #improve(step: number): void {
    const before = this.#weight
    this.#step.length = 0
    const forced = this.#drawOutside()
    // Looked at last.
    this.#put(forced)
    this.#force(forced, step)
    this.#settle()
    if (this.#weight >= this.#best) {
      this.#best = this.#weight
      this.#sinceBest.length = 0
      return
    }
    const unit = this.#weight / this.#size
    const lost = (before - this.#weight) / unit
    const behind = (this.#best - this.#weight) / unit
    // As in a search for the largest set, a member being what one weighs on average.
    if (lost > 0 && this.#random.draw(1 << 20) * (1 + lost * behind) >= 1 << 20) this.#undo(this.#step)
    else this.#sinceBest.append(this.#step)
  }

  #drawOutside(): number {
    let chosen = -1
    let most = -Infinity
    for (let i = 0; i < DRAWN; i++) {
      let v: number
      do v = this.#random.draw(this.#members.length)
      while (this.#members[v] === 1)
      const gain = this.#weights[v]! - this.#weightAround[v]!
      if (gain < most || (gain === most && this.#left[v]! >= this.#left[chosen]!)) continue
      chosen = v
      most = gain
    }
    return chosen
  }

  #force(v: number, step: number): void {
    const { starts, targets } = this.#adjacency
    for (let i = starts[v]!; this.#tight[v]! > 0; i++) {
      const u = targets[i]!
      if (this.#members[u] === 0) continue
      this.#left[u] = step
      this.#leave(u)
    }
    this.#join(v)
  }

  #settle(pause?: () => boolean): void {
    for (let looks = 1, v = this.#queue.pop(); v !== undefined; looks++, v = this.#queue.pop()) {
      this.#isQueued[v] = 0
      if (this.#members[v] === 1) this.#swap(v)
      else if (this.#tight[v] === 0 || this.#weights[v]! > MARGIN * this.#weightAround[v]!) this.#force(v, 0)
      if (pause !== undefined && (looks & LOOKS_MASK) === 0 && pause()) return
    }
  }

  #put(v: number): void {
    if (this.#isQueued[v] === 1) return
    this.#isQueued[v] = 1
    this.#queue.push(v)
  }

  /** Swaps a member for two neighbours that are not adjacent and have no other member next to them, if they are heavier. */
  #swap(member: number): void {
    const { starts, targets } = this.#adjacency
    const weights = this.#weights
    const least = MARGIN * weights[member]!
    const single = [...targets.subarray(starts[member], starts[member + 1])].filter((u) => this.#tight[u] === 1)
    // One of the two is among these. They are few, or two of them are not adjacent: a hub is not compared in all pairs.
    const heavy = single.filter((u) => 2 * weights[u]! > least)
    for (const v of single) {
      const isApart = (u: number): boolean => placeOf(targets, starts[v]!, starts[v + 1]!, u) < 0
      const others = 2 * weights[v]! > least ? single : heavy
      const partner = others.find((u) => u > v && weights[u]! + weights[v]! > least && isApart(u))
      if (partner === undefined) continue
      this.#leave(member)
      this.#join(v)
      this.#join(partner)
      return
    }
  }

  #join(v: number): void {
    this.#step.push(v)
    this.#change(v, 1)
    this.#put(v)
  }

  #leave(v: number): void {
    this.#step.push(~v)
    this.#change(v, -1)
    const { starts, targets } = this.#adjacency
    this.#put(v)
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      this.#put(targets[i]!)
      if (this.#tight[targets[i]!] === 1) this.#put(this.#around[targets[i]!]!)
    }
  }

  #change(v: number, sign: 1 | -1): void {
    const { starts, targets } = this.#adjacency
    const weight = sign * this.#weights[v]!
    this.#members[v] = sign === 1 ? 1 : 0
    this.#size += sign
    this.#weight += weight
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      const u = targets[i]!
      this.#tight[u]! += sign
      this.#around[u]! ^= v
      // The sum of nothing is exactly 0.
      this.#weightAround[u] = this.#tight[u] === 0 ? 0 : this.#weightAround[u]! + weight
    }
  }

  #undo(journal: WordList): void {
    for (let i = journal.length - 1; i >= 0; i--) {
      const entry = journal.values[i]! | 0
      this.#change(entry < 0 ? ~entry : entry, entry < 0 ? 1 : -1)
    }
    journal.length = 0
  }
}

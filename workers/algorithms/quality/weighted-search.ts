/**
 * Iterated local search for heavy independent sets. A climb's step forces some vertices in that lie near one another and lets moves settle what that
 * changed; where the set has become lighter the step is taken back (Großmann, Langedal, Schulz: Concurrent Iterated Local Search for the Maximum
 * Weight Independent Set Problem, SEA 2025). The moves: a vertex that is heavier than the members next to it takes their place; two of a
 * member's neighbours that are heavier together do (Nogueira, Pinheiro, Subramanian, Optimization Letters 12, 2018); and along a path on which
 * members and others alternate, all change their places (Dong, Goldberg, Noe, Parotsidis, Resende, Spaen: A Local Search Algorithm for Large
 * Maximum Weight Independent Set Problems, 2022). Rounds of climbs take turns with others, and the kind that gains more goes on: on a large graph
 * walks, whose steps force one vertex in and may make the set lighter, as they seldom meet; on a small one climbs from a set that a kick made
 * lighter. The same graph, set, seed and number of steps give the same set. search-start.ts makes its start, after the reductions of
 * reduced-graph.ts.
 */

import { placeOf } from '../../base/ranges.ts'
import type { Adjacency } from './in-memory-graph.ts'
import type { SearchLimits } from './quality-option.ts'
import { WordList } from '../../base/words.ts'
import { Xorshift } from '../../generate/random.ts'

/** Steps after which the search can be resumed. */
const EPOCH = 1 << 20
/** A graph of more vertices has walks. */
const LARGE = 1 << 16
/** The steps of a round read so many times the entries of all lists; of so many rounds one is of the kind that gained less. */
const ROUND = { entries: 8, kick: 256, worse: 8 }
/** Vertices that a kick forces in. */
const KICKED = 8
/** Vertices that a step forces in, at most. */
const MOST_FORCED = 8
/** Vertices outside that are drawn for one to be forced in on a walk. */
const DRAWN = 4
/** Members on a path, at most. */
const MOST_ON_PATH = 8
/** Bits of a step count that pass between two looks at the clock. */
const PAUSE_MASK = 0xf
/** Bits of a count of vertices that were looked at that pass between two looks at the clock. */
const LOOKS_MASK = 0xfff
/** The factor of weight by which a change is an improvement: sums are rounded. */
const MARGIN = 1 + 1e-9
const NONE = -1

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
  /** Vertices that may be better the other way, each once. */
  readonly #queue = new WordList()
  readonly #isQueued: Uint8Array
  /** The number of the last path that a vertex was on or next to: none of them may join it. */
  readonly #pathOf: Uint32Array
  #paths = 0
  /** Neighbours of a member that have no other member next to them. */
  readonly #single = new WordList()
  /** What joined, and the complement of what left, since the step began. */
  readonly #step = new WordList()
  /** The same since the set was the heaviest. */
  readonly #sinceBest = new WordList()
  #size = 0
  #weight = 0
  #best = 0
  #isWalk = false
  /** Entries of lists that were read. */
  #read = 0
  #random = new Xorshift(0)

  constructor(adjacency: Adjacency, weights: Float64Array) {
    const { vertices } = adjacency
    this.#adjacency = adjacency
    this.#weights = weights
    this.#members = new Uint8Array(vertices)
    this.#tight = new Uint32Array(vertices)
    this.#around = new Uint32Array(vertices)
    this.#weightAround = new Float64Array(vertices)
    this.#isQueued = new Uint8Array(vertices)
    this.#pathOf = new Uint32Array(vertices)
  }

  /** Weight of the heaviest set so far. */
  get best(): number {
    return this.#best
  }

  /** Searches from a set, which it replaces by the heaviest one that was found. @returns the steps that were made */
  run(members: Uint8Array, seed: number, { steps, pause }: SearchLimits): number {
    for (const array of [this.#members, this.#tight, this.#around, this.#weightAround]) array.fill(0)
    this.#size = this.#weight = this.#sinceBest.length = 0
    this.#random = new Xorshift(seed)
    this.#isWalk = false
    for (let v = 0; v < members.length; v++) if (members[v] === 1) this.#join(v)
    for (let v = members.length - 1; v >= 0; v--) this.#put(v)
    this.#settle(pause)
    this.#best = this.#weight
    let [made, isOver] = [0, false]
    const isLarge = members.length > LARGE
    // Walks pay from the start, kicks only once a climb gains nothing.
    const gains = { climb: Infinity, other: isLarge ? Infinity : 0 }
    for (let round = 1; !isOver && made < steps && this.#size < members.length; round++) {
      const [better, worse] = gains.other >= gains.climb ? (['other', 'climb'] as const) : (['climb', 'other'] as const)
      const kind = round % ROUND.worse === 0 ? worse : better
      const before = this.#best
      const isKick = kind === 'other' && !isLarge
      this.#isWalk = kind === 'other' && isLarge
      if (!this.#isWalk) this.#goBack()
      if (isKick) this.#kick()
      const entries = (isKick ? ROUND.kick : ROUND.entries) * this.#adjacency.targets.length
      for (this.#read = 0; made < steps && this.#read < entries; made++) {
        if ((made & PAUSE_MASK) === 0 && pause()) {
          isOver = true
          break
        }
        this.#improve()
      }
      gains[kind] = this.#best - before
    }
    this.#goBack()
    members.set(this.#members)
    return made
  }

  /** Forces vertices anywhere in: steps then climb from a lighter set. */
  #kick(): void {
    this.#step.length = 0
    for (let i = 0; i < KICKED && this.#size < this.#members.length; i++) this.#force(this.#drawOutside())
    this.#settle()
    this.#sinceBest.append(this.#step)
  }

  /** Makes the set the heaviest one again. */
  #goBack(): void {
    this.#undo(this.#sinceBest)
    this.#weight = this.#best
  }

  #improve(): void {
    const before = this.#weight
    this.#step.length = 0
    const first = this.#isWalk ? this.#drawGaining() : this.#drawOutside()
    this.#force(first)
    for (let more = this.#isWalk ? 0 : this.#random.draw(MOST_FORCED); more > 0; more--) {
      const v = this.#drawNeighbour(this.#drawNeighbour(first))
      if (this.#members[v] === 0 && !this.#isNextTo(first, v)) this.#force(v)
    }
    this.#settle()
    if (this.#weight >= this.#best) {
      this.#best = this.#weight
      this.#sinceBest.length = 0
    } else if (this.#weight >= before || (this.#isWalk && this.#isTaken(before))) {
      this.#sinceBest.append(this.#step)
    } else {
      this.#undo(this.#step)
      this.#weight = before
    }
  }

  /** Whether a walk goes on from a lighter set: the less often, the more it lost, and the further behind the best one it is. */
  #isTaken(before: number): boolean {
    const unit = this.#weight / this.#size
    const lost = (before - this.#weight) / unit
    const behind = (this.#best - this.#weight) / unit
    return lost <= 0 || this.#random.draw(1 << 20) * (1 + lost * behind) < 1 << 20
  }

  /** The vertex that gains most of some outside. */
  #drawGaining(): number {
    let [chosen, most] = [NONE, -Infinity]
    for (let i = 0; i < DRAWN; i++) {
      const v = this.#drawOutside()
      const gain = this.#weights[v]! - this.#weightAround[v]!
      if (gain <= most) continue
      chosen = v
      most = gain
    }
    return chosen
  }

  #drawOutside(): number {
    let v: number
    do v = this.#random.draw(this.#members.length)
    while (this.#members[v] === 1)
    return v
  }

  #drawNeighbour(v: number): number {
    const { starts, targets } = this.#adjacency
    return targets[starts[v]! + this.#random.draw(starts[v + 1]! - starts[v]!)]!
  }

  #isNextTo(v: number, u: number): boolean {
    const { starts, targets } = this.#adjacency
    return placeOf(targets, starts[v]!, starts[v + 1]!, u) >= 0
  }

  #force(v: number): void {
    const { starts, targets } = this.#adjacency
    for (let i = starts[v]!; this.#tight[v]! > 0; i++) if (this.#members[targets[i]!] === 1) this.#leave(targets[i]!)
    this.#join(v)
  }

  #settle(pause?: () => boolean): void {
    for (let looks = 1, v = this.#queue.pop(); v !== undefined; looks++, v = this.#queue.pop()) {
      this.#isQueued[v] = 0
      if (this.#members[v] === 0) {
        if (this.#tight[v] === 0 || this.#weights[v]! > MARGIN * this.#weightAround[v]!) this.#force(v)
      } else if (!this.#swap(v) && !this.#isWalk) this.#flipPath(v)
      if (pause !== undefined && (looks & LOOKS_MASK) === 0 && pause()) break
    }
    for (let v = this.#queue.pop(); v !== undefined; v = this.#queue.pop()) this.#isQueued[v] = 0
  }

  #put(v: number): void {
    if (this.#isQueued[v] === 1) return
    this.#isQueued[v] = 1
    this.#queue.push(v)
  }

  /** Swaps a member for two neighbours that are not adjacent and have no other member next to them, if they are heavier. */
  #swap(member: number): boolean {
    const { starts, targets } = this.#adjacency
    const [weights, tight, single] = [this.#weights, this.#tight, this.#single]
    const [from, end] = [starts[member]!, starts[member + 1]!]
    const least = MARGIN * weights[member]!
    single.length = 0
    this.#read += end - from
    // One of the two is among the heavy, which come first. They are few, or two of them are not adjacent: a hub is not compared in all pairs.
    for (let i = from; i < end; i++)
      if (tight[targets[i]!] === 1 && 2 * weights[targets[i]!]! > least) single.push(targets[i]!)
    const heavy = single.length
    if (heavy === 0) return false
    for (let i = from; i < end; i++)
      if (tight[targets[i]!] === 1 && 2 * weights[targets[i]!]! <= least) single.push(targets[i]!)
    for (let i = 0; i < heavy; i++) {
      const v = single.values[i]!
      for (let j = i + 1; j < single.length; j++) {
        const u = single.values[j]!
        if (weights[u]! + weights[v]! <= least || this.#isNextTo(v, u)) continue
        this.#leave(member)
        this.#join(v)
        this.#join(u)
        return true
      }
    }
    return false
  }

  /**
   * Members leave along a path from one of them, and those between them join, if these are heavier: each has two members next to it, of the path. At
   * either end there may be a vertex with one. From each member the path goes on where it gains most.
   */
  #flipPath(member: number): void {
    const weights = this.#weights
    const path = ++this.#paths
    const [leaving, joining] = [[member], [] as number[]]
    let gain = -weights[member]!
    this.#pathOf[member] = path
    const { single, next: beside } = this.#aheadOf(member, path)
    let next = beside
    if (single !== NONE) {
      gain += this.#joinPath(single, path, joining)
      next = this.#aheadOf(member, path).next
    }
    // A path of one member is a swap.
    let [most, last, kept] = [(MARGIN - 1) * weights[member]!, NONE, 0]
    for (let tip = member; next !== NONE && leaving.length < MOST_ON_PATH;) {
      tip ^= this.#around[next]!
      leaving.push(tip)
      gain += this.#joinPath(next, path, joining) - weights[tip]!
      this.#pathOf[tip] = path
      const ahead = this.#aheadOf(tip, path)
      next = ahead.next
      const whole = ahead.single === NONE ? gain : gain + weights[ahead.single]!
      if (whole <= most) continue
      most = whole
      last = ahead.single
      kept = leaving.length
    }
    if (kept === 0) return
    const more = single === NONE ? kept - 1 : kept
    for (let i = 0; i < kept; i++) this.#leave(leaving[i]!)
    for (let i = 0; i < more; i++) this.#join(joining[i]!)
    if (last !== NONE) this.#join(last)
  }

  /** Lets a vertex join a path. @returns its weight */
  #joinPath(v: number, path: number, joining: number[]): number {
    const { starts, targets } = this.#adjacency
    const [pathOf, members] = [this.#pathOf, this.#members]
    joining.push(v)
    pathOf[v] = path
    this.#read += starts[v + 1]! - starts[v]!
    for (let i = starts[v]!, end = starts[v + 1]!; i < end; i++)
      if (members[targets[i]!] === 0) pathOf[targets[i]!] = path
    return this.#weights[v]!
  }

  /**
   * The vertices by which a path may leave a member: the heaviest neighbour without another member next to it; and the one over which it gains most, of those with
   * one other member next to them. All are apart from the path.
   */
  #aheadOf(member: number, path: number): { readonly single: number; readonly next: number } {
    const { starts, targets } = this.#adjacency
    const [weights, tight, pathOf] = [this.#weights, this.#tight, this.#pathOf]
    let [single, next, heaviest, most] = [NONE, NONE, -Infinity, -Infinity]
    this.#read += starts[member + 1]! - starts[member]!
    for (let i = starts[member]!, end = starts[member + 1]!; i < end; i++) {
      const v = targets[i]!
      const members = tight[v]!
      if (members > 2 || pathOf[v] === path) continue
      if (members === 1 && weights[v]! > heaviest) {
        heaviest = weights[v]!
        single = v
      } else if (members === 2) {
        const other = this.#around[v]! ^ member
        const gain = weights[v]! - weights[other]!
        if (gain <= most || pathOf[other] === path) continue
        most = gain
        next = v
      }
    }
    return { single, next }
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
    const [tight, weights, weightAround] = [this.#tight, this.#weights, this.#weightAround]
    this.#put(v)
    for (let i = starts[v]!, end = starts[v + 1]!; i < end; i++) {
      const u = targets[i]!
      if (tight[u] === 0 || weights[u]! > MARGIN * weightAround[u]!) this.#put(u)
      else if (tight[u] === 1) this.#put(this.#around[u]!)
    }
  }

  #change(v: number, sign: 1 | -1): void {
    const { starts, targets } = this.#adjacency
    const [tight, around, weightAround] = [this.#tight, this.#around, this.#weightAround]
    const weight = sign * this.#weights[v]!
    this.#read += starts[v + 1]! - starts[v]!
    this.#members[v] = sign === 1 ? 1 : 0
    this.#size += sign
    this.#weight += weight
    for (let i = starts[v]!, end = starts[v + 1]!; i < end; i++) {
      const u = targets[i]!
      const members = (tight[u] = tight[u]! + sign)
      around[u]! ^= v
      // The sum of nothing is exactly 0.
      weightAround[u] = members === 0 ? 0 : weightAround[u]! + weight
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

import { Cluster } from './cluster.ts'
import type { Adjacency } from './held-graph.ts'
import { SwappableSet } from './swappable-set.ts'
import { WordList } from '../../base/words.ts'
import { Xorshift } from '../../generate/random.ts'

/** Vertices outside that are drawn for one to be forced in. */
export const DRAWN = 4
/** Bits of a step count that pass between two looks at the clock. */
export const PAUSE_MASK = 0xff
/** Steps after which clusters may take turns with forced vertices. */
const TURN_STEPS = 1 << 16
/** Where a turn of forced vertices gains more, clusters wait: they would take their time from it. */
const QUICK_GAIN = 16
/** Of a cluster: what takes as long as a step. */
const WORK_PER_STEP = 32
/** Of the size of a cluster that was not solved. */
const SHRINKAGE = 15 / 16

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
 * Of the vertices drawn, the one that costs the fewest members is forced in, less those that one of their other neighbours can replace; among
 * equals the one that has been outside the longest.
 *
 * Where that gains little, turns of it alternate with turns in which clusters are decided anew: see {@link Cluster}. One counts
 * as the steps that take about as long.
 *
 * The same graph, set, seed and number of steps give the same set.
 */
export class LocalSearch {
  readonly #adjacency: Adjacency
  readonly #starts: Uint32Array
  readonly #targets: Uint32Array
  readonly #vertices: number
  readonly #set: SwappableSet
  /** The step in which a vertex left the set. */
  readonly #left: Uint32Array
  /** What a step did: v for one that joined, ~v for one that left. */
  readonly #step = new WordList()
  /** Likewise since the set was the best. */
  readonly #sinceBest = new WordList()
  #best = 0
  /** Made where it is needed. */
  #cluster: Cluster | undefined
  #clusterSize = Cluster.sizes.first
  #random = new Xorshift(0)

  constructor(adjacency: Adjacency) {
    this.#adjacency = adjacency
    this.#starts = adjacency.starts
    this.#targets = adjacency.targets
    this.#vertices = adjacency.vertices
    this.#set = new SwappableSet(adjacency)
    this.#left = new Uint32Array(this.#vertices)
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
    this.#best = this.#set.size
    this.#step.length = 0
    let made = 0
    // Nothing to force in where all vertices are members.
    for (let isForced = true; made < steps && this.#set.size < this.#vertices;) {
      const before = this.#best
      const end = Math.min(steps, made + TURN_STEPS)
      made = isForced ? this.#forceUntil(made, end, pause) : this.#solveUntil(made, end, pause)
      if (made < end) break
      isForced = !isForced || this.#best - before > QUICK_GAIN
    }
    this.#undo(this.#sinceBest)
    this.#set.copyTo(members)
    return made
  }

  /** @returns `end`, or the steps made where it was paused */
  #forceUntil(from: number, end: number, pause: () => boolean): number {
    for (let made = from; made < end;) {
      if ((made & PAUSE_MASK) === 0 && pause()) return made
      made++
      this.#improve(made)
    }
    return end
  }

  /** Likewise: clusters around random vertices, larger where they are solved, smaller where not. */
  #solveUntil(from: number, end: number, pause: () => boolean): number {
    const cluster = (this.#cluster ??= new Cluster(this.#adjacency))
    const { least, most, growth } = Cluster.sizes
    for (let made = from; made < end;) {
      if (pause()) return made
      const gain = cluster.solve(this.#set, this.#random.draw(this.#vertices), this.#clusterSize, this.#random)
      made = Math.min(end, made + 1 + Math.ceil(cluster.work / WORK_PER_STEP))
      const isDone = gain !== undefined && gain >= 0
      if (isDone) this.#decideAnew(cluster)
      const size = this.#clusterSize * (isDone ? growth : SHRINKAGE)
      this.#clusterSize = Math.max(least, Math.min(most, size))
    }
    return end
  }

  #decideAnew(cluster: Cluster): void {
    const { vertices } = cluster
    this.#step.length = 0
    for (const v of vertices) if (this.#set.isMember(v)) this.#leave(v)
    vertices.forEach((v, i) => {
      if (cluster.isJoined(i)) this.#join(v)
    })
    this.#fillUp()
    this.#settle()
    this.#note()
  }

  #start(members: Uint8Array, seed: number): void {
    this.#set.clear()
    this.#left.fill(0)
    this.#sinceBest.length = 0
    this.#random = new Xorshift(seed)
    this.#clusterSize = Cluster.sizes.first
    for (let v = 0; v < members.length; v++) if (members[v] === 1) this.#join(v)
    for (let v = 0; v < members.length; v++) this.#joinIfFree(v)
  }

  #improve(step: number): void {
    const set = this.#set
    const before = set.size
    this.#step.length = 0
    this.#perturb(step)
    this.#fillUp()
    this.#settle()
    if (set.size >= this.#best) return this.#note()
    const lost = before - set.size
    // Section 4: the search continues from a smaller set the less likely the farther it is from this set and from the best.
    if (lost > 0 && this.#random.draw(1 + lost * (this.#best - set.size)) !== 0) this.#undo(this.#step)
    else this.#note()
  }

  /** Keeps what the step led to. */
  #note(): void {
    if (this.#set.size < this.#best) return this.#sinceBest.append(this.#step)
    this.#best = this.#set.size
    this.#sinceBest.length = 0
  }

  /** Mostly one vertex; i + 1 vertices with a chance of 1 in 2^i, once in 2 |S| steps. */
  #perturb(step: number): void {
    let count = 1
    if (this.#random.draw(2 * this.#set.size) === 0)
      do count++
      while (this.#random.draw(2) === 0)
    for (let i = 0; i < count && this.#set.size < this.#vertices; i++) this.#force(this.#drawOutside(), step)
  }

  #drawOutside(): number {
    let chosen = -1
    let least = Infinity
    for (let i = 0; i < DRAWN; i++) {
      let v: number
      do v = this.#random.draw(this.#vertices)
      while (this.#set.isMember(v))
      const loss = this.#set.loss(v)
      if (loss > least || (loss === least && this.#left[v]! >= this.#left[chosen]!)) continue
      chosen = v
      least = loss
    }
    return chosen
  }

  #force(v: number, step: number): void {
    // Looked at last: it could be swapped for the members that leave, and nothing would have changed.
    this.#set.propose(v)
    const end = this.#starts[v + 1]!
    for (let i = this.#starts[v]!; i < end; i++) {
      const u = this.#targets[i]!
      if (!this.#set.isMember(u)) continue
      this.#leave(u)
      this.#left[u] = step
    }
    this.#join(v)
  }

  /** Lets free vertices join, in random order. */
  #fillUp(): void {
    const { free } = this.#set
    while (free.length > 0) {
      const at = this.#random.draw(free.length)
      const v = free[at]!
      free[at] = free[free.length - 1]!
      free.pop()
      this.#joinIfFree(v)
    }
  }

  #joinIfFree(v: number): void {
    if (this.#set.isFree(v)) this.#join(v)
  }

  /** Swaps until no member that was proposed can be swapped for two. */
  #settle(pause?: () => boolean): void {
    for (let looks = 1, v = this.#set.takeProposed(); v !== undefined; looks++, v = this.#set.takeProposed()) {
      if (pause !== undefined && (looks & 0xffff) === 0 && pause()) return
      this.#swap(v)
      if (this.#set.free.length > 0) this.#fillUp()
    }
  }

  /** Swaps a member for two neighbours that are not adjacent and have no other member next to them, if there are any. */
  #swap(member: number): void {
    const instead = this.#set.replacements(member)
    if (instead.length === 0) return
    this.#leave(member)
    for (const v of instead) this.#joinIfFree(v)
  }

  #join(v: number): void {
    this.#step.push(v)
    this.#set.add(v)
    this.#set.propose(v)
  }

  #leave(v: number): void {
    this.#step.push(~v)
    this.#set.remove(v, true)
  }

  /** Takes back what a journal holds, the last first. */
  #undo(journal: WordList): void {
    const { values } = journal
    for (let i = journal.length - 1; i >= 0; i--) {
      const entry = values[i]! | 0
      if (entry < 0) this.#set.add(~entry)
      else this.#set.remove(entry, false)
    }
    journal.length = 0
    this.#set.forget()
  }
}

/**
 * A large independent set of a graph in memory by {@link Annealing}: a long cooling, then short ones of the best set, from lower temperatures, each of
 * which is merged with it: what became larger anywhere stays, what became smaller is taken back (see {@link mergeSets}).
 * The same graph, set, seeds and steps give the same set.
 * Time goes by sweeps, each linear in the arcs at most. By time, the other threads make each cooling, too (cooling-threads.ts). annealing.ts,
 * shared-annealing.ts and device-annealing.ts make the sweeps; set-search.ts calls this, and turns to searches of conflicts where it gains nothing.
 */

import { CounterHash } from '../../generate/random.ts'
import { LARGE, type Sweeps, packMembers, unpackMembers, countBits, joinFree, mergeSets } from './annealing.ts'
import { type CoolingThreads, coolingThreads, temperatureAt, thresholdAt } from './cooling-threads.ts'
import type { Adjacency } from './in-memory-graph.ts'

/**
 * Temperatures if a member costs 1; from one to the last they fall by the same part in each sweep. A quick cooling of a large graph that ends by time
 * begins colder: what its few sweeps make from a hot set is smaller.
 */
const TEMPERATURES = { first: 0.4, quick: 0.15, last: 0.07, again: [0.15, 0.18, 0.21, 0.24] }
/** Sweeps of coolings: of one that soon has a set to show, of the first, of each later one. */
const SWEEPS = { quick: 32, first: 1 << 12, firstOfLarge: 1 << 16, again: 32 }
/** Sweeps of a quick one that tell how long all of it takes. */
const LEAST_TOLD = 4
/** The search in which a quick one is made has so many times its sweeps. */
const LEAST_QUICK = 8
/** The share of a time limit that a quick one may take which decides whether to give up. */
const TRIAL_SHARE = 1 / 8
/** Later coolings become twice as long where a round of all temperatures gains nothing, up to so many times. */
const MOST_LONGER = 64
/** Sweeps of a long cooling after which its set becomes the best one if it is larger: what the search shows, and keeps. */
const SWEEPS_A_SET = 64
/** The last sweeps of a cooling that is broken off: sweeps at least, and milliseconds if there is time for more. */
const LAST = { sweeps: 8, ms: 250 }
/** Visits that count as a step, and between two looks at the clock, at least. */
const VISITS_A_STEP = 1 << 10
/** Seeds for the coolings of one seed of the search. */
const SEEDS = 1 << 20
const VISITS_A_LOOK = 1 << 12

/** How long a search is. */
export interface AnnealingTime {
  /** Steps of the whole search; Infinity: it ends by time. */
  readonly steps: number
  /** The part of its time that is over, 0 to 1. */
  readonly share: () => number
  /** Milliseconds until it ends; Infinity: it ends by steps. */
  readonly leftMs: () => number
}

/** When another search takes its place: its trial is the quick cooling; a round, which comes after it, has a cooling from each temperature. */
export type GivesUp = 'never' | 'at half' | 'where the trial gains nothing' | 'where a round gains nothing'

interface CoolingLimits {
  readonly steps: number
  readonly pause: () => boolean
  /** Whether the pause is for another attempt to resume from. */
  readonly isCancelled?: (() => boolean) | undefined
}

/** How far it has come. */
export interface CoolingsSoFar {
  /** Coolings that are done, and sweeps of the one that is not; sweeps of all. */
  readonly coolings: number
  readonly sweeps: number
  readonly made: number
  /** Whether the quick one found a larger set than there was. */
  readonly isQuickBetter: boolean
  /** The part of the search's time that was over when the last one began. */
  readonly begun: number
  /** Times the length of the first, for later coolings; and coolings in a row that gained nothing. */
  readonly longer: number
  readonly idle: number
}

/** What another attempt continues from. */
export interface KeptCooling extends CoolingsSoFar {
  /** The set that cools, and the best one; a bit a vertex. */
  readonly members: Uint32Array
  readonly best: Uint32Array
}

const START: CoolingsSoFar = { coolings: 0, sweeps: 0, made: 0, isQuickBetter: true, begun: 0, longer: 1, idle: 0 }

/** Coolings of one set, and how far they have come. */
export class AnnealedSearch {
  readonly #adjacency: Adjacency
  readonly #sweeps: Sweeps
  readonly #time: AnnealingTime
  readonly #givesUp: GivesUp
  /** The best set; undefined before the first call. */
  #bestMembers: Uint32Array | undefined
  /** Sweeps that the steps allow. */
  readonly #planned: number
  #best = 0
  #at: CoolingsSoFar
  /** Whether a piece was swept since the last cooling. */
  #isSwept = false
  #draws = new CounterHash(0)
  /** Pieces since the seed. */
  #drawn = 0
  #seed = 0
  /** Threads that cool beside this one, if there are any. */
  readonly #beside: CoolingThreads | undefined

  /** @param sweeps of the graph; ended with the search */
  constructor(adjacency: Adjacency, sweeps: Sweeps, time: AnnealingTime, givesUp: GivesUp, kept?: KeptCooling) {
    this.#adjacency = adjacency
    this.#sweeps = sweeps
    this.#time = time
    this.#givesUp = givesUp
    this.#planned = Math.max(1, Math.ceil((time.steps * VISITS_A_STEP) / Math.max(1, adjacency.vertices)))
    this.#at = { ...START, begun: time.share() }
    this.#beside = coolingThreads(adjacency, time.steps)
    if (kept === undefined) return
    const { members, best: _, ...at } = kept
    this.#at = at
    this.#sweeps.replace(members)
  }

  /** The size of the largest set so far. */
  get best(): number {
    return this.#best
  }

  /** Whether it gave up. */
  get isFutile(): boolean {
    if (this.#givesUp === 'never') return false
    const { isQuickBetter, longer, made } = this.#at
    if (this.#givesUp === 'at half') return 2 * made >= this.#planned
    return !isQuickBetter || (this.#givesUp === 'where a round gains nothing' && longer > 1)
  }

  /** The steps of the quick cooling that decides whether it gives up, until that is known; then, or if it does not, Infinity. */
  get trialSteps(): number {
    if (this.#givesUp === 'never' || this.#at.coolings > 0) return Infinity
    return Math.ceil((SWEEPS.quick * this.#adjacency.vertices) / VISITS_A_STEP)
  }

  async kept(): Promise<Omit<KeptCooling, 'best'>> {
    return { ...this.#at, members: await this.#sweeps.members() }
  }

  end(): void {
    this.#sweeps.end()
    this.#beside?.close()
  }

  /** @param members become the best set, where there was a call of {@link run} */
  writeBest(members: Uint8Array): void {
    if (this.#bestMembers !== undefined) members.set(unpackMembers(this.#bestMembers, members.length))
  }

  /**
   * Continues.
   * @param members one byte a vertex; the best set, which the first call begins from
   * @param limits steps after which a sweep is the last one for now
   * @returns the steps that were made
   */
  async run(
    members: Uint8Array,
    seed: number,
    { steps, pause, isCancelled = () => false }: CoolingLimits,
  ): Promise<number> {
    this.#begin(members)
    this.#draws = new CounterHash(seed)
    this.#drawn = 0
    this.#seed = seed
    const before = this.#steps()
    let isPaused = false
    const isOver = (): boolean => this.#at.made >= this.#planned || this.#best === members.length || this.isFutile
    while (!isPaused && !isOver() && this.#steps() - before < steps) isPaused = await this.#look(pause)
    // What is cancelled stays as hot as it is: a resumed search continues to cool it.
    if (isPaused && !isCancelled()) await this.#breakOff(pause)
    return this.#steps() - before
  }

  #begin(members: Uint8Array): void {
    if (this.#bestMembers !== undefined) return
    this.#bestMembers = packMembers(members)
    this.#best = countBits(this.#bestMembers)
    const { coolings, made } = this.#at
    if (coolings === 0 && made === 0) this.#sweeps.replace(this.#bestMembers)
  }

  #steps(): number {
    const made = Math.floor((this.#at.made * this.#adjacency.vertices) / VISITS_A_STEP)
    return this.#at.made >= this.#planned ? this.#time.steps : made
  }

  /** Sweeps until it is time to look at the clock. @returns whether the search is to end */
  async #look(pause: () => boolean): Promise<boolean> {
    const { pieces } = this.#sweeps
    if (this.#at.sweeps === 0) await this.#coolBeside()
    for (let visits = 0; visits < VISITS_A_LOOK; visits += this.#adjacency.vertices) {
      for (let piece = 0; piece < pieces; piece++) {
        const others = this.#sweep(piece, this.#over(piece / pieces))
        if (others !== undefined) await others
        if (piece < pieces - 1 && pause()) return true
      }
      const { sweeps, made } = this.#at
      this.#at = { ...this.#at, sweeps: sweeps + 1, made: made + 1 }
      const isOver = this.#over(0) >= 1
      if (isOver) await this.#end()
      else if (this.#isLong && (sweeps + 1) % SWEEPS_A_SET === 0) await this.#keepLarger()
      if (isOver || this.#at.made >= this.#planned) break
    }
    return pause()
  }

  /** Lets the other threads make the cooling that begins, too. */
  async #coolBeside(): Promise<void> {
    if (this.#beside?.areReady !== true) return
    const { last } = TEMPERATURES
    const leftMs = this.#time.leftMs() * (this.#isTrial ? TRIAL_SHARE : 1)
    const seed = SEEDS * this.#seed + this.#at.coolings
    const plan = { first: this.#hottest, last, sweeps: this.#length(), leftMs, seed }
    this.#beside.begin(await this.#sweeps.members(), plan)
  }

  /** @param over of this cooling */
  #sweep(piece: number, over: number): Promise<void> | undefined {
    this.#isSwept = true
    this.#draws.item(this.#drawn++)
    const threshold = thresholdAt(this.#temperature(over))
    return this.#sweeps.sweep(piece, { threshold, draws: this.#draws.word(0) })
  }

  /** The part of this cooling that is over. @param part of a sweep that is not in the count */
  #over(part: number): number {
    const { sweeps, begun } = this.#at
    const share = (this.#time.share() - begun) / Math.max(Number.EPSILON, 1 - begun)
    return Math.max((sweeps + part) / this.#length(), this.#isTrial ? share / TRIAL_SHARE : share)
  }

  get #isTrial(): boolean {
    return this.#at.coolings === 0 && this.#givesUp !== 'never'
  }

  /** Sets of a large graph take as long to merge, or to fill up, as many sweeps: the few vertices that a cooling leaves free join after the search. */
  get #isLarge(): boolean {
    return this.#adjacency.vertices >= LARGE
  }

  /** Sweeps of this cooling. */
  #length(): number {
    const { coolings, made, sweeps, longer } = this.#at
    const left = this.#planned - (made - sweeps)
    if (coolings === 0 && left > LEAST_QUICK * SWEEPS.quick) return this.#isOnly ? Infinity : SWEEPS.quick
    const first = this.#isLarge ? SWEEPS.firstOfLarge : SWEEPS.first
    return Math.min(left, this.#isFirst() ? first : longer * SWEEPS.again)
  }

  /** Whether the quick cooling is to take all of the time, as there were too little of it for another one: as far as its sweeps tell so far. */
  get #isOnly(): boolean {
    const { coolings, sweeps } = this.#at
    return coolings === 0 && sweeps >= LEAST_TOLD && SWEEPS.quick * this.#time.share() > sweeps / 2
  }

  get #isLong(): boolean {
    return this.#at.coolings === 1 && this.#isFirst()
  }

  /** Whether it begins hot. Where a quick one took more than half of the time there is too little left for another one. */
  #isFirst(): boolean {
    const { coolings, begun, isQuickBetter } = this.#at
    return coolings === 0 || (coolings === 1 && isQuickBetter && begun < 1 / 2)
  }

  #temperature(over: number): number {
    return temperatureAt(this.#hottest, TEMPERATURES.last, over)
  }

  /** The temperature from which this cooling begins. */
  get #hottest(): number {
    const { first, quick, again } = TEMPERATURES
    const { coolings } = this.#at
    if (!this.#isFirst()) return again[coolings % again.length]!
    return coolings === 0 && this.#isLarge && this.#planned === Infinity ? quick : first
  }

  /** While it cools. */
  async #keepLarger(): Promise<void> {
    const members = await this.#sweeps.members()
    if (!this.#isLarge) joinFree(this.#adjacency, members)
    const size = countBits(members)
    if (size <= this.#best) return
    this.#bestMembers = members
    this.#best = size
  }

  /** Ends a cooling: the search continues from the better set. */
  async #end(): Promise<void> {
    const best = this.#bestMembers!
    let members = await this.#sweeps.members()
    if (!this.#isLarge) joinFree(this.#adjacency, members)
    if (!this.#isFirst()) {
      mergeSets(this.#adjacency, members, best)
      if (!this.#isLarge) joinFree(this.#adjacency, members)
    } else if (countBits(members) < this.#best) members = best
    const own = countBits(members)
    for (const other of this.#beside?.end() ?? []) {
      joinFree(this.#adjacency, other)
      mergeSets(this.#adjacency, members, other)
      joinFree(this.#adjacency, members)
    }
    this.#sweeps.replace(members)
    const size = countBits(members)
    const { coolings, longer } = this.#at
    // Sets of several threads are merged to larger ones, which says nothing of what a cooling gains.
    const isQuickBetter = coolings === 0 ? own > this.#best : this.#at.isQuickBetter
    const idle = size > this.#best ? 0 : this.#at.idle + 1
    const isRound = idle === TEMPERATURES.again.length
    const next = { longer: isRound ? Math.min(MOST_LONGER, 2 * longer) : longer, idle: isRound ? 0 : idle }
    this.#at = { ...this.#at, ...next, isQuickBetter, coolings: coolings + 1, sweeps: 0, begun: this.#time.share() }
    best.set(members)
    this.#best = size
    this.#isSwept = false
  }

  /** Cools what is hot, in a few sweeps. */
  async #breakOff(pause: () => boolean): Promise<void> {
    if (!this.#isSwept) return
    const { pieces } = this.#sweeps
    const over = this.#over(0)
    const startMs = performance.now()
    for (let part = 0, i = 1; part < 1 && over < 1; i++) {
      part = Math.min(1, i / LAST.sweeps, (performance.now() - startMs) / LAST.ms)
      for (let piece = 0; piece < pieces; piece++) {
        await this.#sweep(piece, over + (1 - over) * part)
        pause()
      }
    }
    await this.#end()
  }
}

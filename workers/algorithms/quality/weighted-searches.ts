import { bitWords } from '../../base/words.ts'
import { mergeSets, packMembers, unpackMembers } from './annealing.ts'
import { BesideThreads, type BesideTask, followRounds, isHurried, threadsBeside } from './beside-threads.ts'
import type { Adjacency } from './in-memory-graph.ts'
import type { SearchLimits, SearchQuality } from './quality-option.ts'
import { WeightedSearch } from './weighted-search.ts'

const MOST_ROUNDS = 8
const LEAST_ROUND_MS = 1000
/** What a search keeps of each vertex. */
const STATE_BYTES = 40
/** Seeds for the threads of one round, and for the rounds of one call. */
const SEEDS = { round: 1 << 6, call: 1 << 20 }

interface WeightedTask extends BesideTask {
  readonly adjacency: Adjacency
  readonly weights: Float64Array
}

/** Searches again and again, in a thread of its own, until the search ends. */
export function weightedTask(task: WeightedTask): Promise<void> {
  const { adjacency, weights, control, plan, begun, found, thread } = task
  const own = new WeightedSearch(adjacency, weights)
  return followRounds(task, () => {
    const members = unpackMembers(begun, adjacency.vertices)
    own.run(members, plan[0]! + thread, { steps: Infinity, pause: () => isHurried(control) })
    found.set(packMembers(members))
  })
}

/**
 * Searches for a heavy set on all threads, by time: each searches for a round from the same set, by a seed of its own, and the main one continues from
 * what is heavier in each place where their sets differ.
 */
export class WeightedSearches {
  readonly #adjacency: Adjacency
  readonly #weights: Float64Array
  readonly #own: WeightedSearch
  readonly #roundMs: number
  readonly #beside: BesideThreads | undefined
  #best = 0

  /** @param adjacency in memory that threads share */
  constructor(adjacency: Adjacency, weights: Float64Array, { steps, limitMs }: SearchQuality) {
    this.#adjacency = adjacency
    this.#weights = weights
    this.#own = new WeightedSearch(adjacency, weights)
    this.#roundMs = Math.max(LEAST_ROUND_MS, limitMs / MOST_ROUNDS)
    const threads = weightedThreads(adjacency, steps)
    if (threads < 1) return
    const shared = { adjacency, weights: new Float64Array(new SharedArrayBuffer(weights.byteLength)) }
    shared.weights.set(weights)
    this.#beside = new BesideThreads('weigh-beside', shared, bitWords(adjacency.vertices), threads)
  }

  /** Whether other threads take part: they do once all have started. */
  get isShared(): boolean {
    return this.#beside?.areReady === true
  }

  get epochSteps(): number {
    return this.#own.epochSteps
  }

  /** Weight of the heaviest set so far. */
  get best(): number {
    return Math.max(this.#best, this.#own.best)
  }

  /** Searches from a set, which it replaces by the heaviest one that was found. @returns the steps of the main thread */
  run(members: Uint8Array, seed: number, limits: SearchLimits): number {
    const beside = this.#beside
    if (beside === undefined) return this.#own.run(members, seed, limits)
    let [made, isOver, isPaused] = [0, false, true]
    for (let round = 0; isPaused && !isOver && made < limits.steps; round++) {
      const own = SEEDS.call * seed + SEEDS.round * round
      if (beside.areReady) beside.beginRound(packMembers(members), [own])
      const endMs = performance.now() + this.#roundMs
      isPaused = false
      const pause = (): boolean => {
        isOver = limits.pause()
        isPaused = isOver || performance.now() >= endMs
        return isPaused
      }
      made += this.#own.run(members, own, { steps: limits.steps - made, pause })
      const merged = packMembers(members)
      for (const found of beside.end()) mergeSets(this.#adjacency, merged, found, this.#weights)
      members.set(unpackMembers(merged, members.length))
      this.#best = members.reduce((sum, bit, v) => (bit === 1 ? sum + this.#weights[v]! : sum), 0)
    }
    return made
  }

  end(): void {
    this.#beside?.close()
  }
}

/** How many threads search beside the main one. They take no more than the copy of the lists that is planned, which only large sets need. */
export function weightedThreads(adjacency: Adjacency, steps: number | undefined): number {
  const { vertices, targets } = adjacency
  const room = Math.floor(targets.buffer.byteLength / (STATE_BYTES * Math.max(1, vertices)))
  return Math.min(threadsBeside(adjacency, steps), room)
}

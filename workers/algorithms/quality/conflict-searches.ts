import { CounterHash } from '../../generate/random.ts'
import { type CliqueLists, CliqueSearch } from './clique-search.ts'
import { WorkBoard, followBoard, takeChunk } from '../../threads/work-board.ts'
import { threadsOf } from '../plan-request.ts'
import {
  type ConflictState,
  type VertexSizes,
  ConflictSearch,
  bestSize,
  conflictState,
  unitSizes,
} from './conflict-search.ts'
import type { Adjacency } from './in-memory-graph.ts'
import type { SearchLimits } from './quality-option.ts'

/** Searches of steps, on any machine; where there are few steps, one for so many; a step a vertex is for one. */
const SEARCHES = 4
const LEAST_STEPS = 1 << 16
/** Steps of each after which all begin anew from the best set, so that they can be resumed there; by time, so many times as many. */
const EPOCH = 1 << 20
const LONGER_BY_TIME = 16
/** Steps of each between two looks at what the others found: as many as read so many arcs, within bounds; by time, so many times as many. */
const ROUND = { arcs: 1 << 20, least: 1 << 6, most: 1 << 12, byTime: 8 }
/** Arcs for which several searches may keep weights. */
const MOST_ARCS = 1 << 25

function searchesOf({ vertices, targets }: Adjacency, steps: number): number {
  const byTime = threadsOf({ arcs: Infinity }, 1)
  const inSteps = steps <= vertices ? 1 : Math.min(SEARCHES, Math.ceil(steps / LEAST_STEPS))
  const wanted = steps === Infinity ? byTime : inSteps
  return Math.max(1, Math.min(wanted, Math.floor(MOST_ARCS / Math.max(1, targets.length))))
}

/** Steps of all searches after which they can be resumed. @param steps of the whole search */
export const conflictEpoch = (adjacency: Adjacency, steps: number): number => EPOCH * searchesOf(adjacency, steps)

/** What threads share. */
interface ConflictTask {
  readonly adjacency: Adjacency
  readonly states: readonly ConflictState[]
  readonly sizes: VertexSizes
  /** Every second search is one of these cliques, if there are any. */
  readonly cliques: CliqueLists | undefined
  readonly board: Int32Array
  /** What the round sets: steps of each search, the seed of the first, the size to be beaten. */
  readonly round: Float64Array
}

const [STEPS, SEED, BEATEN] = [0, 1, 2]
const ROUND_NOTES = 3

/** A thread's part in a round: takes searches until none is left. */
function takePart(task: ConflictTask): void {
  const { states, board, round } = task
  for (let i = takeChunk(board); i < states.length; i = takeChunk(board))
    searchOf(task, i).run(round[STEPS]!, round[SEED]! + i, round[BEATEN]!)
}

function searchOf({ adjacency, states, sizes, cliques }: ConflictTask, i: number): ConflictSearch | CliqueSearch {
  const state = states[i]!
  return cliques === undefined || i % 2 === 0
    ? new ConflictSearch(adjacency, state, sizes)
    : new CliqueSearch(adjacency, cliques, state)
}

/** Takes part, in a thread of its own, until the search ends. */
export function searchConflictsTask(task: ConflictTask): Promise<void> {
  followBoard(task.board, () => takePart(task))
  return Promise.resolve()
}

/**
 * Several searches of a graph from the same set, on all threads. After each round all learn how large the best set is; after an epoch, by time
 * after several, they begin anew from it. Which thread makes which search changes nothing: the same steps give the same set.
 */
export class ConflictSearches {
  readonly #task: ConflictTask
  readonly #board = new WorkBoard()
  readonly #round: number
  readonly #epochsOfOne: number
  #threads = 1
  #best = 0
  /** Calls of {@link run} since all began. */
  #epochs = 0

  /** @param adjacency in memory that threads share; its lists ascend @param steps of the whole search; Infinity: it ends by time */
  constructor(adjacency: Adjacency, steps: number, sizes = unitSizes(adjacency.vertices), cliques?: CliqueLists) {
    const { vertices, targets } = adjacency
    const states = Array.from({ length: searchesOf(adjacency, steps) }, () => conflictState(adjacency))
    const round = new Float64Array(new SharedArrayBuffer(8 * ROUND_NOTES))
    this.#task = { adjacency, states, sizes, cliques, board: this.#board.board, round }
    this.#epochsOfOne = steps === Infinity ? LONGER_BY_TIME : 1
    const arcsAStep = (2 * targets.length) / Math.max(1, vertices)
    const inSteps = Math.max(ROUND.least, Math.min(ROUND.most, Math.floor(ROUND.arcs / Math.max(1, arcsAStep))))
    this.#round = steps === Infinity ? ROUND.byTime * inSteps : inSteps
  }

  /** Size of the largest set so far. */
  get best(): number {
    return this.#best
  }

  /**
   * Searches from a set, which it replaces by the largest one that was found.
   * @param members one byte a vertex; an independent set
   * @returns the steps that were made
   */
  run(members: Uint8Array, seed: number, { steps, pause }: SearchLimits): number {
    const { adjacency, states, sizes, cliques, round } = this.#task
    const most = cliques === undefined ? adjacency.vertices : cliques.starts.length - 1
    const size = members.reduce((sum, bit, v) => (bit === 1 ? sum + sizes.sizes[v]! : sum), 0)
    const continues = this.#epochs++ % this.#epochsOfOne !== 0 && size === this.#best
    if (!continues) states.forEach((_, i) => searchOf(this.#task, i).begin(members))
    this.#best = size
    let made = 0
    const draws = new CounterHash(seed)
    for (let turn = 0; made < steps && this.#best < most && !pause(); turn++) {
      this.#start()
      const each = Math.min(this.#round, Math.ceil((steps - made) / states.length))
      draws.item(turn)
      round.set([each, draws.word(0), this.#best])
      this.#board.turn(() => takePart(this.#task))
      made = Math.min(steps, made + each * states.length)
      for (const state of states) {
        if (bestSize(state) <= this.#best) continue
        this.#best = bestSize(state)
        members.set(state.best)
      }
    }
    return made
  }

  end(): void {
    this.#board.close()
  }

  #start(): void {
    const threads = Math.min(this.#task.states.length, threadsOf({ arcs: Infinity }, 1))
    for (; this.#threads < threads; this.#threads++) this.#board.start('search-conflicts', this.#task)
  }
}

/**
 * Other threads that make the coolings of a small graph, too: each begins from the same set, draws by another seed and ends with the main thread.
 * What became larger anywhere in one of their sets is taken over by mergeSets (annealing.ts). They take part where a search ends by time; by steps
 * it is the main thread's alone, so that its set is that of any machine. annealed-search.ts begins and ends the coolings.
 */

import { CounterHash } from '../../generate/random.ts'
import { bitWords, sharedWords } from '../../base/words.ts'
import { NO_DEVICE, runInThread } from '../../threads/thread-pool.ts'
import { threadsOf } from '../plan-request.ts'
import { Annealing, LARGE } from './annealing.ts'
import type { Adjacency } from './in-memory-graph.ts'

/** Words that threads and the main one have for each other. */
const CONTROL = { turn: 0, done: 1, stops: 2, hurries: 3, failed: 4, ready: 5 } as const
const CONTROL_WORDS = 8
/** Numbers of a cooling: temperatures, the sweeps it takes at most, when it ends, and what the draws of the first thread follow from. */
const PLAN = { first: 0, last: 1, sweeps: 2, fromMs: 3, untilMs: 4, seed: 5 } as const
const PLAN_NUMBERS = 6
/** Visits of vertices between two looks at the clock. */
const VISITS_A_LOOK = 1 << 14
/** Sweeps in which a thread that is late ends its cooling. */
const LAST_SWEEPS = 8
/** Between two looks at whether a thread failed. */
const WAIT_MS = 100

/** A cooling, as all threads make it. */
interface CoolingPlan {
  readonly first: number
  readonly last: number
  readonly sweeps: number
  /** The time at which it would end, whatever its sweeps, from now on. */
  readonly leftMs: number
  readonly seed: number
}

interface CoolingTask {
  readonly adjacency: Adjacency
  readonly control: Int32Array
  readonly plan: Float64Array
  /** The set to begin from, and the one that this thread found. */
  readonly begun: Uint32Array
  readonly found: Uint32Array
  readonly thread: number
}

export const temperatureAt = (first: number, last: number, over: number): number =>
  first * (last / first) ** Math.min(1, over)

/** The chance that a vertex takes the place of two at a temperature, in parts of 2^32. */
export const thresholdAt = (temperature: number): number => Math.floor(2 ** 32 * Math.exp(-1 / temperature))

const now = (): number => performance.timeOrigin + performance.now()

/** Cools again and again, in a thread of its own, until the search ends. */
export function coolTask({ adjacency, control, plan, begun, found, thread }: CoolingTask): Promise<void> {
  const own = new Annealing(adjacency)
  Atomics.add(control, CONTROL.ready, 1)
  try {
    for (let turn = 0; ;) {
      Atomics.wait(control, CONTROL.turn, turn)
      if (Atomics.load(control, CONTROL.stops) !== 0) return Promise.resolve()
      turn = Atomics.load(control, CONTROL.turn)
      own.replace(begun)
      cool(own, adjacency.vertices, plan, new CounterHash(plan[PLAN.seed]! + thread), control)
      own.copyTo(found)
      Atomics.add(control, CONTROL.done, 1)
      Atomics.notify(control, CONTROL.done)
    }
  } catch (error) {
    Atomics.store(control, CONTROL.failed, 1)
    Atomics.add(control, CONTROL.done, 1)
    Atomics.notify(control, CONTROL.done)
    throw error
  }
}

function cool(own: Annealing, vertices: number, plan: Float64Array, draws: CounterHash, control: Int32Array): void {
  const [first, last, sweeps] = [plan[PLAN.first]!, plan[PLAN.last]!, plan[PLAN.sweeps]!]
  const [fromMs, untilMs] = [plan[PLAN.fromMs]!, plan[PLAN.untilMs]!]
  const { pieces } = own
  let drawn = 0
  let over = 0
  let [late, lateFrom] = [0, 0]
  let visits = 0
  let byTime = 0
  for (let sweep = 0; over < 1; sweep++) {
    if (late === 0 && visits >= VISITS_A_LOOK) {
      visits = 0
      byTime = (now() - fromMs) / Math.max(1, untilMs - fromMs)
      if (Atomics.load(control, CONTROL.hurries) !== 0) lateFrom = over
    }
    if (lateFrom > 0) late++
    over = late > 0 ? lateFrom + ((1 - lateFrom) * late) / LAST_SWEEPS : Math.max(sweep / sweeps, byTime)
    const threshold = thresholdAt(temperatureAt(first, last, over))
    for (let piece = 0; piece < pieces; piece++) {
      draws.item(drawn++)
      own.sweep(piece, { threshold, draws: draws.word(0) })
    }
    visits += vertices
  }
}

/** The other threads of a search. */
export class CoolingThreads {
  readonly #control = new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS))
  readonly #plan = new Float64Array(new SharedArrayBuffer(8 * PLAN_NUMBERS))
  readonly #begun: Uint32Array
  readonly #found: readonly Uint32Array[]
  #isCooling = false

  /** @param adjacency in memory that threads share */
  constructor(adjacency: Adjacency, threads: number) {
    const words = bitWords(adjacency.vertices)
    this.#begun = sharedWords(words)
    this.#found = Array.from({ length: threads }, () => sharedWords(words))
    for (const [i, found] of this.#found.entries()) {
      const task: CoolingTask = {
        ...{ adjacency, control: this.#control, plan: this.#plan },
        ...{ begun: this.#begun, found, thread: i + 1 },
      }
      // One that is lost is noticed by its mark.
      runInThread('cool-beside', task, NO_DEVICE, true).catch(() => {})
    }
  }

  /** Whether all have started: before that a cooling is the main thread's alone. */
  get areReady(): boolean {
    return Atomics.load(this.#control, CONTROL.ready) === this.#found.length
  }

  /** Begins a cooling in all threads, from a set. */
  begin(members: Uint32Array, { first, last, sweeps, leftMs, seed }: CoolingPlan): void {
    const fromMs = now()
    this.#begun.set(members)
    this.#plan.set([first, last, sweeps, fromMs, fromMs + leftMs, seed])
    Atomics.store(this.#control, CONTROL.done, 0)
    Atomics.store(this.#control, CONTROL.hurries, 0)
    Atomics.add(this.#control, CONTROL.turn, 1)
    Atomics.notify(this.#control, CONTROL.turn)
    this.#isCooling = true
  }

  /** Sets that the threads found in this cooling, once the last of them has ended. */
  end(): readonly Uint32Array[] {
    if (!this.#isCooling) return []
    this.#isCooling = false
    const control = this.#control
    Atomics.store(control, CONTROL.hurries, 1)
    for (let done = Atomics.load(control, CONTROL.done); done < this.#found.length;) {
      if (Atomics.load(control, CONTROL.failed) !== 0) return []
      Atomics.wait(control, CONTROL.done, done, WAIT_MS)
      done = Atomics.load(control, CONTROL.done)
    }
    return this.#found.map((found) => found.slice())
  }

  close(): void {
    Atomics.store(this.#control, CONTROL.stops, 1)
    Atomics.store(this.#control, CONTROL.hurries, 1)
    Atomics.add(this.#control, CONTROL.turn, 1)
    Atomics.notify(this.#control, CONTROL.turn)
  }
}

/** The threads that cool beside the main one; undefined where there are none, or the graph is large. */
export function coolingThreads(adjacency: Adjacency, steps: number): CoolingThreads | undefined {
  const { vertices, targets } = adjacency
  if (steps < Infinity || vertices >= LARGE || !(targets.buffer instanceof SharedArrayBuffer)) return undefined
  const threads = threadsOf({ arcs: Infinity }, 1) - 1
  return threads < 1 ? undefined : new CoolingThreads(adjacency, threads)
}

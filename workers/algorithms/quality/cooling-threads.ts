/**
 * Other threads that make the coolings of a small graph, too: each draws by a seed of its own (beside-threads.ts). annealed-search.ts begins and
 * ends the coolings.
 */

import { CounterHash } from '../../generate/random.ts'
import { bitWords } from '../../base/words.ts'
import { Annealing } from './annealing.ts'
import { BesideThreads, type BesideTask, followRounds, isHurried, threadsBeside } from './beside-threads.ts'
import type { Adjacency } from './in-memory-graph.ts'

/** Numbers of a cooling: temperatures, the sweeps it takes at most, when it ends, and what the draws of the first thread follow from. */
const PLAN = { first: 0, last: 1, sweeps: 2, fromMs: 3, untilMs: 4, seed: 5 } as const
/** Visits of vertices between two looks at the clock. */
const VISITS_A_LOOK = 1 << 14
/** Sweeps in which a thread that is late ends its cooling. */
const LAST_SWEEPS = 8

/** A cooling, as all threads make it. */
interface CoolingPlan {
  readonly first: number
  readonly last: number
  readonly sweeps: number
  /** The time at which it would end, whatever its sweeps, from now on. */
  readonly leftMs: number
  readonly seed: number
}

interface CoolingTask extends BesideTask {
  readonly adjacency: Adjacency
}

export const temperatureAt = (first: number, last: number, over: number): number =>
  first * (last / first) ** Math.min(1, over)

/** The chance that a vertex takes the place of two at a temperature, in parts of 2^32. */
export const thresholdAt = (temperature: number): number => Math.floor(2 ** 32 * Math.exp(-1 / temperature))

const now = (): number => performance.timeOrigin + performance.now()

/** Cools again and again, in a thread of its own, until the search ends. */
export function coolTask(task: CoolingTask): Promise<void> {
  const { adjacency, control, plan, begun, found, thread } = task
  const own = new Annealing(adjacency)
  return followRounds(task, () => {
    own.replace(begun)
    cool(own, adjacency.vertices, plan, new CounterHash(plan[PLAN.seed]! + thread), control)
    own.copyTo(found)
  })
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
      if (isHurried(control)) lateFrom = over
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
export class CoolingThreads extends BesideThreads {
  /** @param adjacency in memory that threads share */
  constructor(adjacency: Adjacency, threads: number) {
    super('cool-beside', { adjacency }, bitWords(adjacency.vertices), threads)
  }

  /** Begins a cooling in all threads, from a set. */
  begin(members: Uint32Array, { first, last, sweeps, leftMs, seed }: CoolingPlan): void {
    const fromMs = now()
    this.beginRound(members, [first, last, sweeps, fromMs, fromMs + leftMs, seed])
  }
}

/** The threads that cool beside the main one; undefined where there are none. */
export function coolingThreads(adjacency: Adjacency, steps: number): CoolingThreads | undefined {
  const threads = threadsBeside(adjacency, steps)
  return threads < 1 ? undefined : new CoolingThreads(adjacency, threads)
}

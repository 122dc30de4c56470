import { processorsHere } from '../../base/host-resources.ts'
import type { SearchQuality } from './quality-option.ts'

/** What a search needs to know to keep to a time limit. */
interface Wait extends SearchQuality {
  /** Milliseconds since the run began. */
  readonly waitedMs: () => number
  /** Passes over all arcs on one thread that come after the search, each by the time that one thread would load in. */
  readonly lastPasses: number
  /** The passes over all arcs that verification makes; 0 for none. */
  readonly verifyPasses: number
  /** Whether one thread loads the graph, not all. */
  readonly loadsAlone: boolean
  /** Whether the result needs what comes after a search, however late: another attempt began it. */
  readonly isBegun: boolean
}

/** The part of a graph whose loading says how long all of it may take, and of loading the time that a search takes at least: it sweeps once. */
const LEAST = { loaded: 1 / 16, searched: 1 / 4 }
/** A pass of the verifier, by the time that loading takes: both fall alike with processors, by this power of their number. */
const VERIFY_PASS = 2
const POWER = 0.5

/** What a search throws that has no time: the result stays as it is. */
export class OutOfTime extends Error {}

/**
 * A time limit is what a person waits: the search has what is left of it once the first set or matching was computed, loading included, and the
 * last pass and the verification are still to come. How long these take follows from how long loading takes, which is measured while it is under way.
 */
export class TimePlan implements SearchQuality {
  readonly steps: number | undefined
  readonly #wait: Wait
  readonly #begunMs: number
  #loadsFromMs = 0
  #afterMs = 0

  constructor(wait: Wait) {
    this.#wait = wait
    this.steps = wait.steps
    this.#begunMs = wait.waitedMs()
  }

  /** What the search may take, from when the plan was made, as far as it is known; Infinity without a limit. */
  get limitMs(): number {
    return Math.max(0, this.#wait.limitMs - this.#begunMs - this.#afterMs)
  }

  /** What is left now for what needs no verification any more. */
  get leftMs(): number {
    const { limitMs, waitedMs } = this.#wait
    return Math.max(0, limitMs - waitedMs() - this.#afterMs)
  }

  /**
   * Called while the graph is loaded, and with 0 before; reserves the time for what comes after the search.
   * @param part that is loaded: 0 at first, 1 at last
   * @throws OutOfTime where the rest of it, a sweep and what comes after them would take longer than there is time
   */
  loading(part: number): void {
    const { limitMs, waitedMs, lastPasses, verifyPasses, loadsAlone, isBegun } = this.#wait
    const nowMs = waitedMs()
    if (part === 0) this.#loadsFromMs = nowMs
    if (nowMs >= limitMs && !isBegun) throw new OutOfTime()
    if (part < LEAST.loaded) return
    // At first threads start, and code is compiled: all may take a quarter of what that says.
    const loadingMs = ((nowMs - this.#loadsFromMs) / part) * ((1 + 3 * part) / 4)
    const speedup = processorsHere() ** POWER
    const aloneMs = loadsAlone ? loadingMs : loadingMs * speedup
    this.#afterMs = aloneMs * (lastPasses + (verifyPasses * VERIFY_PASS) / speedup)
    const endMs = this.#loadsFromMs + (1 + LEAST.searched) * loadingMs + this.#afterMs
    if (endMs >= limitMs && !isBegun) throw new OutOfTime()
  }
}

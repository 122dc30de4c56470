import { processorsHere } from '../../base/host-resources.ts'
import type { GraphSize } from '../plan-request.ts'
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
  /** The graph's size: what comes after the search looks at vertices and arcs, loading at little but arcs. */
  readonly size: Pick<GraphSize, 'vertices' | 'arcs'>
  /** Milliseconds in which processors computed the first result, and read all lists for it; 0 where a GPU did. */
  readonly firstMs: number
  /** Whether the result needs what comes after a search, however late: another attempt began it. */
  readonly isBegun: boolean
}

/** The part of a graph whose loading says how long all of it may take, and of loading the time that a search takes at least: it sweeps once. */
const LEAST = { loaded: 1 / 16, searched: 1 / 4 }
/** The share of the first result's time that loading takes at least. */
const OF_FIRST = 1 / 2
/** Arcs that take as long as a vertex does, in passes after the search. */
const VERTEX_ARCS = 4
/** What a person waits around a run: the command and its engine start before it, and end after it. */
const AROUND_MS = 200
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
  /** The time of {@link Wait.waitedMs} at which all is to be done. */
  readonly #endMs: number
  #loadsFromMs = 0
  #afterMs = 0

  constructor(wait: Wait) {
    this.#wait = wait
    this.steps = wait.steps
    this.#endMs = Math.max(0, wait.limitMs - AROUND_MS)
    this.#begunMs = wait.waitedMs()
  }

  /** What the search may take, from when the plan was made, as far as it is known; Infinity without a limit. */
  get limitMs(): number {
    return Math.max(0, this.#endMs - this.#begunMs - this.#afterMs)
  }

  /** What is left now for what needs no verification any more. */
  get leftMs(): number {
    return Math.max(0, this.#endMs - this.#wait.waitedMs() - this.#afterMs)
  }

  /**
   * Called while the graph is loaded, and with 0 before; reserves the time for what comes after the search.
   * @param part that is loaded: 0 at first, 1 at last
   * @throws OutOfTime where the rest of it, a sweep and what comes after them would take longer than there is time
   */
  loading(part: number): void {
    const { waitedMs, firstMs } = this.#wait
    const nowMs = waitedMs()
    if (part === 0) {
      this.#loadsFromMs = nowMs
      this.#require(nowMs)
      this.#require(this.#endAfter(OF_FIRST * firstMs))
    }
    if (part < LEAST.loaded) return
    // At first threads start, and code is compiled: all may take a quarter of what that says.
    const loadingMs = ((nowMs - this.#loadsFromMs) / part) * ((1 + 3 * part) / 4)
    this.#afterMs = this.#afterLoading(loadingMs)
    this.#require(this.#endAfter(loadingMs))
  }

  /** What comes after the search, by what loading takes. */
  #afterLoading(loadingMs: number): number {
    const { lastPasses, verifyPasses, loadsAlone, size } = this.#wait
    const speedup = processorsHere() ** POWER
    const aloneMs =
      (1 + (VERTEX_ARCS * size.vertices) / Math.max(1, size.arcs)) * (loadsAlone ? loadingMs : loadingMs * speedup)
    return aloneMs * (lastPasses + (verifyPasses * VERIFY_PASS) / speedup)
  }

  /** When all is done that has the least search. */
  #endAfter(loadingMs: number): number {
    return this.#loadsFromMs + (1 + LEAST.searched) * loadingMs + this.#afterLoading(loadingMs)
  }

  /** @throws OutOfTime where that is too late */
  #require(endMs: number): void {
    if (endMs >= this.#endMs && !this.#wait.isBegun) throw new OutOfTime()
  }
}

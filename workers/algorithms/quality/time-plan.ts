import { processorsHere } from '../../base/host-resources.ts'
import type { SearchQuality } from './quality-option.ts'

/** What a search needs to know to keep to a time limit. */
interface Wait {
  readonly limitMs: number
  /** Milliseconds since the run began. */
  readonly waitedMs: () => number
  readonly arcs: number
  /** Passes over all arcs on one thread that come after the search, each by the time that loading takes. */
  readonly lastPasses: number
  /** The passes over all arcs that verification makes; 0 for none. */
  readonly verifyPasses: number
}

/** Arcs a millisecond that are loaded, until it is known: a graph that takes longer than there is time is not loaded. */
const LOADED_ARCS_PER_MS = 80_000
/** A pass of the verifier on one processor, by the time that loading took, and how it falls with processors: 2^24 vertices take 8, 4.1, 3.0, 2.2 and 1.8 s on 1, 2, 4, 8 and 16. */
const VERIFY_PASS = 2.3
const VERIFY_POWER = 0.55

/**
 * A time limit is what a person waits: the search has what is left of it once the first set or matching was computed, loading included, and the
 * last pass and the verification are still to come. How long these take follows from how long loading took.
 */
export class TimePlan {
  readonly #wait: Wait
  readonly #begunMs: number
  #afterMs = 0

  constructor(wait: Wait) {
    this.#wait = wait
    this.#begunMs = wait.waitedMs()
  }

  /** What the search may take, from when the plan was made; Infinity without a limit. */
  get limitMs(): number {
    return Math.max(0, this.#wait.limitMs - this.#begunMs - this.#afterMs)
  }

  /** What is left now for what needs no verification any more. */
  get leftMs(): number {
    const { limitMs, waitedMs } = this.#wait
    return Math.max(0, limitMs - waitedMs() - this.#afterMs)
  }

  /** A quality with the limit as it is known at any time. */
  of({ steps }: SearchQuality): SearchQuality {
    const limit = (): number => this.limitMs
    return {
      steps,
      get limitMs() {
        return limit()
      },
    }
  }

  /** Whether loading, and what comes after the search, leave it no time. */
  get isTooShort(): boolean {
    const loadingMs = this.#wait.arcs / LOADED_ARCS_PER_MS
    return loadingMs + this.#afterOf(loadingMs) > this.limitMs
  }

  /** Reserves the time for what comes after the search. @returns whether any is left */
  loaded(elapsedMs: number): boolean {
    this.#afterMs = this.#afterOf(elapsedMs)
    return this.leftMs > 0
  }

  #afterOf(loadingMs: number): number {
    const verifying = (this.#wait.verifyPasses * VERIFY_PASS) / processorsHere() ** VERIFY_POWER
    return loadingMs * (this.#wait.lastPasses + verifying)
  }
}

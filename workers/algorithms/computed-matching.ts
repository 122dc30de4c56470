import type { Matching } from '../graph/matching.ts'
import type { Checkpointer } from './checkpoint.ts'
import type { WorkerReport } from './worker-report.ts'

/** A matching between two rounds. */
export interface MatchState {
  /** The pointer of each vertex, or NONE. Mutual pointers are matched for good. */
  readonly pointers: Uint32Array
  /** Active vertices when each round began, and arcs scanned in it. */
  readonly open: readonly number[]
  readonly arcs: readonly number[]
}

/** How rounds begin, and how they are kept. */
export interface KeptRounds {
  /** The state to resume from; undefined: no vertex has a mate. */
  readonly start: MatchState | undefined
  readonly checkpointer: Checkpointer<MatchState> | undefined
}

/** A matching that workers computed, and their figures. */
export interface ComputedMatching {
  readonly matching: Matching
  /** Reports of the workers in the order of the plan. */
  readonly workers: readonly WorkerReport[]
  readonly passes: number
  /** Active vertices as in {@link MatchState}. */
  readonly open: readonly number[]
  readonly arcs: readonly number[]
  readonly prepareMs: number
  readonly computeMs: number
}

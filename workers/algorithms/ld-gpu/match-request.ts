import type { Device } from '../../device/device.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Matching } from '../../graph/matching.ts'
import type { WorkerReport } from '../worker-report.ts'
import type { MatchPlan } from './plan-match.ts'

/** Where a matching stands between two rounds; all that the next one follows from. */
export interface MatchState {
  /** The vertex that each vertex points at, or NONE. Those that point at each other are matched for good. */
  readonly pointers: Uint32Array
  /** Vertices that were open when each round began, and arcs that were looked at in it. */
  readonly open: readonly number[]
  readonly arcs: readonly number[]
}

/** Keeps the state of a run between rounds now and then, so that another attempt goes on from there. */
export interface RoundCheckpointer {
  isDue(): boolean
  keep(state: MatchState): void
}

/** A matching to be computed, planned and with its graph open. */
export interface MatchRequest {
  readonly graph: GaloisGr
  readonly order: EdgeOrder
  readonly plan: MatchPlan
  /** The first worker's device, open; of a processor it is not used. */
  readonly lead: Device
  readonly start: MatchState | undefined
  readonly traced: boolean
  readonly checkpointer: RoundCheckpointer | undefined
}

export interface ComputedMatching {
  readonly matching: Matching
  /** In the order of the plan. */
  readonly workers: readonly WorkerReport[]
  /** Passes over the lists of the graph. */
  readonly passes: number
  /** Vertices that were open when each round began, and arcs that were looked at again in it. */
  readonly open: readonly number[]
  readonly arcs: readonly number[]
  readonly prepareMs: number
  readonly computeMs: number
}

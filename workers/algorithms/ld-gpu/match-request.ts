import type { Device } from '../../device/device.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Matching } from '../../graph/matching.ts'
import type { Checkpointer } from '../checkpoint.ts'
import type { WorkerReport } from '../worker-report.ts'
import type { MatchPlan } from './match-plan.ts'

/** A matching between two rounds. */
export interface MatchState {
  /** Or NONE. Mutual pointers are matched for good. */
  readonly pointers: Uint32Array
  /** Active vertices when each round began, and arcs scanned in it. */
  readonly open: readonly number[]
  readonly arcs: readonly number[]
}

export type RoundCheckpointer = Checkpointer<MatchState>

/** A matching to compute, planned and with its graph open. */
export interface MatchRequest {
  readonly graph: GaloisGr
  readonly order: EdgeOrder
  readonly plan: MatchPlan
  /** The first worker's device, open; unused where that is a processor. */
  readonly lead: Device
  readonly start: MatchState | undefined
  readonly traced: boolean
  readonly checkpointer: RoundCheckpointer | undefined
  /** With other ranks; undefined where there are none. */
  readonly exchange?: Exchange | undefined
}

export interface ComputedMatching {
  readonly matching: Matching
  /** In the order of the plan. */
  readonly workers: readonly WorkerReport[]
  readonly passes: number
  /** As in {@link MatchState}. */
  readonly open: readonly number[]
  readonly arcs: readonly number[]
  readonly prepareMs: number
  readonly computeMs: number
}

import type { Device } from '../../device/device.ts'
import type { Barrier } from '../../exchange/barrier.ts'
import type { Batch } from '../../graph/batches.ts'
import type { Trace } from '../../trace.ts'
import type { Entries } from './entries.ts'
import type { HostBoard } from './from-disk/host-state.ts'
import type { MatchState, RoundKeeper } from './match-state.ts'
import type { PointerExchange } from './pointer-exchange.ts'

/** Where the hosts go on after the first round, and how this worker meets the others there. */
export interface HostPart {
  readonly board: HostBoard
  readonly barrier: Barrier
  readonly worker: number
}

/** One worker's share of a matching. */
export interface MatchPart {
  readonly device: Device
  readonly entries: Entries
  /** The worker's own batches, one after another in the order of the vertices. */
  readonly batches: readonly Batch[]
  /** Vertices of the whole graph. */
  readonly vertices: number
  /** Undefined where one worker has everything. */
  readonly exchange: PointerExchange | undefined
  /** Where lists are read from disk. */
  readonly host?: HostPart | undefined
  readonly trace: Trace
  /** Whether the time of each phase is measured apart, which makes the host wait after each. */
  readonly timed: boolean
  /** Where another attempt at the same matching stood; absent: nobody points at anybody. */
  readonly start?: MatchState | undefined
  /** Of the leading worker. */
  readonly keeper?: RoundKeeper | undefined
}

/** What a worker's rounds did. */
export interface MatchRounds {
  /** Rounds that began with an open vertex: one that is not matched and points at somebody. */
  readonly rounds: number
  /** Own vertices that were open when each round began. */
  readonly open: readonly number[]
  /** Entries of own lists that were looked at in each round. */
  readonly arcs: readonly number[]
  readonly computeMs: number
  readonly kernelMs: number
  /** Of kernelMs, where phases were timed; else 0. */
  readonly pointMs: number
  readonly mateMs: number
  /** The host's part of the pointing phases, reading included. */
  readonly hostMs: number
}

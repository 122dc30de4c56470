import type { Checkpoint } from '../checkpoint.ts'
import type { RoundCount } from '../../contract/jobs.ts'
import { RECORD_WORDS } from './workspace.ts'

/** Where TC-MIS stands between two rounds; all that the next one follows from. Words of 32 vertices, those of the seeds side by side. */
export interface TcState {
  readonly open: Uint32Array
  readonly members: Uint32Array
  /** Open (vertex, seed) pairs after each round; tiles looked at, and tiles read, in each. */
  readonly left: readonly number[]
  readonly lookedAt: readonly number[]
  readonly read: readonly number[]
  /** Rounds before those under keys without ties; undefined while there were none of these. */
  readonly settledFrom: number | undefined
  /** Whether nothing is left to compute. */
  readonly isOver: boolean
}

/** Asked after rounds, and given the state where it is time. */
export interface StateKeeper {
  isDue(passEnds: boolean): boolean
  keep(state: TcState): void
}

/** A checkpoint of TC-MIS: the open pairs and the members; the rest is small. */
export type TcCheckpoint = Checkpoint<Omit<TcState, 'open' | 'members'>>

export function keeperOf(checkpoint: TcCheckpoint): StateKeeper {
  return {
    isDue: (passEnds) => checkpoint.isDue(passEnds),
    keep: ({ open, members, ...notes }) => checkpoint.write([open, members], notes),
  }
}

/** The state that a run goes on from; undefined: it starts anew. */
export function startOf(checkpoint: TcCheckpoint | undefined): TcState | undefined {
  const kept = checkpoint?.start()
  return kept === undefined ? undefined : { ...kept.notes, open: kept.parts[0]!, members: kept.parts[1]! }
}

/** The words of open vertices over all seeds. */
export function openAnyOf(open: Uint32Array, seeds: number): Uint32Array {
  const any = new Uint32Array(open.length / seeds)
  for (let at = 0; at < open.length; at++) any[Math.floor(at / seeds)]! |= open[at]!
  return any
}

/** The records of the rounds so far, as the kernels left them; that of round 0 says how many pairs there are. */
export function recordsOf({ left, lookedAt, read }: TcState, pairs: number): Uint32Array {
  const records = new Uint32Array(RECORD_WORDS * (left.length + 1))
  records[0] = pairs
  left.forEach((open, i) => records.set([open, lookedAt[i]!, read[i]!], RECORD_WORDS * (i + 1)))
  return records
}

/** What is said of the rounds of a run. */
export interface RoundFigures {
  /** Words of 32 vertices, those of the seeds side by side. */
  readonly members: Uint32Array
  readonly rounds: number
  /** Open (vertex, seed) pairs after each round. */
  readonly roundCounts: readonly RoundCount[]
  /** Tiles whose index was looked at, and whose bits were read, in each round. */
  readonly tilesLookedAt: readonly number[]
  readonly tilesRead: readonly number[]
}

/** What a result says of the rounds, those of earlier attempts included. */
export function figuresOf({ members, left, lookedAt, read }: Omit<TcState, 'open'>): RoundFigures {
  const roundCounts = left.map((undecided, i) => ({ round: i + 1, undecided }))
  return { members, rounds: left.length, roundCounts, tilesLookedAt: lookedAt, tilesRead: read }
}

import { Matching } from '../../graph/matching.ts'
import type { DeviceFacts } from '../../contract/jobs.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { idleReport } from '../worker-report.ts'
import type { HeavySoFar } from '../quality/heavy-matching.ts'
import type { PrimalDualState } from '../quality/primal-dual.ts'
import type { AugmentState } from './augment.ts'
import type { ComputedMatching, MatchState, RoundCheckpointer } from './match-request.ts'

/** Beside the pointers; beside the mates once the matching is complete. */
export interface MatchNotes {
  readonly open: readonly number[]
  readonly arcs: readonly number[]
  readonly made?: CompletedNotes | undefined
}

/** Of a complete matching; the arms of an augmentation, or the state of a search, are further parts. */
interface CompletedNotes {
  readonly devices: readonly DeviceFacts[]
  readonly augmented?: Omit<AugmentState, 'parts'> | undefined
  readonly searched?: { readonly soFar: HeavySoFar; readonly place: PrimalDualState['place'] } | undefined
}

export type MatchCheckpoint = Checkpoint<MatchNotes>

export function checkpointerOf(checkpoint: MatchCheckpoint): RoundCheckpointer {
  return {
    isDue: () => checkpoint.isDue(false),
    keep: ({ pointers, open, arcs }) => checkpoint.write([pointers], { open, arcs }),
  }
}

/** Undefined: the run starts anew, or has no rounds left. */
export function startOf(checkpoint: MatchCheckpoint | undefined): MatchState | undefined {
  const kept = checkpoint?.kept
  if (kept === undefined || kept.notes.made !== undefined) return undefined
  return { pointers: kept.parts[0]!, open: kept.notes.open, arcs: kept.notes.arcs }
}

/** The complete matching of another attempt. */
export function completedBefore(checkpoint: MatchCheckpoint | undefined): ComputedMatching | undefined {
  const { kept } = checkpoint ?? {}
  if (kept?.notes.made === undefined) return undefined
  const { open, arcs, made } = kept.notes
  const workers = made.devices.map(idleReport)
  return { matching: new Matching(kept.parts[0]!), workers, passes: 0, open, arcs, prepareMs: 0, computeMs: 0 }
}

/** How far a complete matching is improved: notes, and the parts beside its mates. */
export type Improved = Omit<CompletedNotes, 'devices'> & { readonly parts: readonly Uint32Array[] }

/** Of another attempt. */
export function improvedBefore(checkpoint: MatchCheckpoint | undefined): Improved | undefined {
  const { notes, parts = [] } = checkpoint?.kept ?? {}
  return notes?.made && { ...notes.made, parts: parts.slice(1) }
}

/** Keeps a complete matching where that is due, and how far it is improved. @param passEnds with what was done last */
export function checkpointCompleted(
  checkpoint: MatchCheckpoint | undefined,
  { matching, workers, open, arcs }: ComputedMatching,
  passEnds = true,
  improved = (): Improved => ({ parts: [] }),
): void {
  if (checkpoint?.isDue(passEnds) !== true) return
  const { parts, ...notes } = improved()
  const made = { devices: workers.map(({ device }) => device), ...notes }
  checkpoint.write([matching.mates, ...parts], { open, arcs, made })
}

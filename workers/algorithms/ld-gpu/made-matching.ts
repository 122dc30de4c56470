import { Matching } from '../../graph/matching.ts'
import type { DeviceFacts } from '../../jobs.ts'
import type { AugmentState } from './augment.ts'
import type { MatchReport } from './match-outcome.ts'
import type { MatchCheckpoint } from './match-state.ts'
import type { ComputedMatching } from './match-workers.ts'

/** A matching that another attempt made, with reports of workers that did nothing in this one; undefined: there is none. */
export function madeBefore(checkpoint: MatchCheckpoint | undefined): ComputedMatching | undefined {
  const { kept } = checkpoint ?? {}
  if (kept?.notes.made === undefined) return undefined
  const { open, arcs, made } = kept.notes
  const reports = made.devices.map((device, worker) => idleReport(device, open, worker === 0 ? arcs : []))
  return { matching: new Matching(kept.parts[0]!), reports }
}

/** Where another attempt left off augmenting; undefined: it had not begun. */
export function augmentedBefore(checkpoint: MatchCheckpoint | undefined): AugmentState | undefined {
  const { kept } = checkpoint ?? {}
  const augmented = kept?.notes.made?.augmented
  if (kept === undefined || augmented === undefined) return undefined
  const [, targets = new Uint32Array(0), weights = new Uint32Array(0)] = kept.parts
  return { ...augmented, targets, weights: new Float32Array(weights.buffer) }
}

/** Keeps a matching that is made, where it is time; with the arms of its vertices while it is being augmented. */
export function keepMade(
  checkpoint: MatchCheckpoint | undefined,
  { matching, reports }: ComputedMatching,
  state?: AugmentState,
): void {
  if (checkpoint?.isDue(state?.isOver ?? true) !== true) return
  const { open } = reports[0]!
  const arcs = open.map((_, round) => reports.reduce((sum, report) => sum + (report.arcs[round] ?? 0), 0))
  const devices = reports.map(({ device }) => device)
  if (state === undefined) return checkpoint.write([matching.mates], { open, arcs, made: { devices } })
  const { targets, weights, ...augmented } = state
  const arms = state.isOver ? [] : [targets, new Uint32Array(weights.buffer)]
  checkpoint.write([matching.mates, ...arms], { open, arcs, made: { devices, augmented } })
}

function idleReport(device: DeviceFacts, open: readonly number[], arcs: readonly number[]): MatchReport {
  const times = { computeMs: 0, kernelMs: 0, pointMs: 0, mateMs: 0, hostMs: 0, readMs: 0, waitMs: 0, exchangeMs: 0 }
  const bytes = {
    bytesRead: 0,
    bytesAsked: 0,
    reads: 0,
    toDevice: 0,
    fromDevice: 0,
    exchanged: 0,
    exchangedOfRounds: [],
  }
  return { ...times, ...bytes, device, rounds: open.length, open, arcs, spans: [] }
}

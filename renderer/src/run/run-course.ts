import type { ProgressSample } from '../../../electron/contract/run-history.ts'

export interface Phase {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
}

/** The phases in their order; each lasts until the next one begins. */
export function phasesOf(samples: readonly ProgressSample[]): readonly Phase[] {
  const phases: { name: string; fromMs: number; toMs: number }[] = []
  for (const { phase, ms } of samples) {
    const last = phases.at(-1)
    if (last !== undefined) last.toMs = ms
    if (last?.name !== phase) phases.push({ name: phase, fromMs: last === undefined ? 0 : last.toMs, toMs: ms })
  }
  return phases
}

/** How many vertices were undecided after each round that is told of; the last word on a round counts. */
export function undecidedRounds(
  samples: readonly ProgressSample[],
  vertices: number,
): readonly { readonly round: number; readonly undecided: number }[] {
  const rounds = new Map<number, number>()
  for (const { phase, round, decided } of samples) {
    if (round === undefined || decided === undefined) continue
    // A set reports what a round left, a matching what a round begins with.
    const after = phase === 'match' ? round - 1 : round
    if (after > 0) rounds.set(after, Math.max(0, vertices - decided))
  }
  return [...rounds].sort(([a], [b]) => a - b).map(([round, undecided]) => ({ round, undecided }))
}

export interface RatePoint {
  readonly ms: number
  readonly perSecond: number
}

/** How fast arcs or bytes went by between one sample and the next of the same phase. */
export function ratesOf(samples: readonly ProgressSample[], of: 'arcs' | 'bytes'): readonly RatePoint[] {
  return samples.flatMap((sample, at) => {
    const before = samples[at - 1]
    const [now, then] = [sample[of], before?.[of]]
    if (before?.phase !== sample.phase || now === undefined || then === undefined) return []
    const elapsedMs = sample.ms - before.ms
    return elapsedMs <= 0 || now < then ? [] : [{ ms: sample.ms, perSecond: ((now - then) / elapsedMs) * 1000 }]
  })
}

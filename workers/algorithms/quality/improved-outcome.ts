import type { RunOutcome } from '../../contract/jobs.ts'
import type { Improvement } from './improve-set.ts'

type Outcome = Omit<RunOutcome, 'verification'>

/** The outcome of a run with what the passes of swaps did; as it is where none were asked for. */
export function withImprovement(outcome: Outcome, quality: string | undefined, improvement: Improvement): Outcome {
  const { passes, gains, elapsedMs } = improvement
  if (quality === undefined) return outcome
  const gained = gains.reduce((sum, gain) => sum + gain, 0)
  return {
    ...outcome,
    options: { ...outcome.options, quality },
    counters: { ...outcome.counters, swapPasses: passes, swapGain: gained, swapMs: elapsedMs },
    series: [...outcome.series, { name: 'swapGain', unit: 'vertices', values: gains }],
  }
}

import type { CallArgs } from '../contract/calls.ts'
import type { RunRecord } from '../contract/run.ts'
import { edgeTies, edgeWeights } from '../../workers/contract/jobs.ts'
import type { MatchingSource, ResultClaim } from '../../workers/contract/jobs.ts'

export function matchingOf({ outcome: { options } }: RunRecord, file: string): MatchingSource {
  const { threshold, seed } = options
  return {
    kind: 'mates',
    file,
    weights: edgeWeights.find((weights) => weights === options['weights']) ?? 'unit',
    ties: edgeTies.find((ties) => ties === options['ties']) ?? 'hash',
    seed: typeof seed === 'number' ? seed : 0,
    threshold: typeof threshold === 'number' ? threshold : undefined,
    // An improved matching is not that of the order.
    dominant: (options['quality'] ?? 'fast') === 'fast',
  }
}

/** What the result of a run claims to be, for algorithms that check it by themselves. */
export function claimOfRun({ outcome: { algorithm, result, options } }: RunRecord, file: string): ResultClaim {
  return { algorithm, file, result, options }
}

/** Local dominance where a rule for ties was named. */
export function claimOf(
  { weights, ties, seed }: Pick<CallArgs<'verify'>, 'weights' | 'ties' | 'seed'>,
  weighted: boolean,
  file: string,
): MatchingSource {
  return {
    kind: 'pairs',
    file,
    weights: weights ?? (weighted ? 'column' : 'unit'),
    ties: ties ?? 'hash',
    seed: seed ?? 0,
    dominant: ties !== undefined,
  }
}

import type { EdgeOrder } from '../../graph/edge-order.ts'
import type { RunArgs } from '../../contract/jobs.ts'

/** The weights of the graph where it has any, else all alike, unless the run says otherwise. */
export function orderOf(
  { weights, ties = 'hash', seed, threshold }: Pick<RunArgs, 'weights' | 'ties' | 'seed' | 'threshold'>,
  { weighted }: { readonly weighted: boolean },
): EdgeOrder {
  return { weights: weights ?? (weighted ? 'column' : 'unit'), ties, seed, threshold }
}

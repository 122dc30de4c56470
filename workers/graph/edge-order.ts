import { ascendingBits } from '../../kernels/parts/edge-order.ts'
import type { EdgeTies, EdgeWeights } from '../contract/jobs.ts'

/**
 * A total order on the edges, the same at both ends of each, which defines the locally dominant matching. The greater edge comes
 * first:
 * 1. the larger weight: `column` the stored f32, `unit` all alike, `random3` (1 + s mod 1000) / 1000, where s = splitmix64(lo *
 * 0x9E3779B97F4A7C15 + hi + seed), lo < hi the internal ids, in 64-bit arithmetic;
 * 2. then the tie rule: `hash` the larger upper half of s; `degree` the smaller sum of the two degrees, then that hash; `id`
 * nothing;
 * 3. then the larger hi, then the larger lo: seen from one end, the larger neighbour (the rule of the LD-GPU program, SC 2024).
 */
export interface EdgeOrder {
  readonly weights: EdgeWeights
  readonly ties: EdgeTies
  /** 0 to 2^53 - 1 */
  readonly seed: number
  /** Edges that weigh less are left out. */
  readonly threshold?: number | undefined
}

export function edgeOrderName({ weights, ties, seed, threshold }: EdgeOrder): string {
  const name = weights === 'random3' || ties !== 'id' ? `${weights}-${ties}-${seed}` : `${weights}-${ties}`
  return threshold === undefined ? name : `${name}-from-${threshold}`
}

export function leastThousandths({ threshold = 0 }: Pick<EdgeOrder, 'threshold'>): number {
  let least = 1
  while (least <= 1000 && least / 1000 < threshold) least++
  return least
}

/** With `unit` 1 where none does. */
export function leastKey(order: Pick<EdgeOrder, 'weights' | 'threshold'>): number {
  const { weights, threshold } = order
  if (threshold === undefined) return 0
  if (weights === 'random3') return leastThousandths(order) - 1
  if (weights === 'unit') return threshold > 1 ? 1 : 0
  const near = Math.fround(threshold)
  const key = ascendingBits(new Uint32Array(Float32Array.of(near).buffer)[0]!)
  return near < threshold ? key + 1 : key
}

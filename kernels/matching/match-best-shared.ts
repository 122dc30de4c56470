import { kernel } from '../kernel.ts'
import type { EdgeRule } from '../parts/edge-order.ts'
import { edgeOrderParams, withEdgeOrder } from '../parts/edge-order.ts'
import { withBest } from '../parts/best-neighbours.ts'
import wgsl from './match-best-shared.wgsl?raw'

/** With more threads, merging costs more than reading. */
const warps = { long: 8, longest: 128 } as const

/** The twin of match-best leaves no long lists. */
export const matchBestShared = (candidates: number, rule: EdgeRule, lists: keyof typeof warps, collected = false) =>
  kernel(
    `match-best-shared-${lists}-${candidates}-${rule.weights}-${rule.ties}${collected ? '-collected' : ''}`,
    withBest(
      withEdgeOrder(
        `const WARP = ${warps[lists]}u;\nconst ISLONGEST = ${lists === 'longest' ? 1 : 0}u;\n${wgsl}`,
        rule,
      ),
      candidates,
      collected,
    ),
    ['origin', 'weightsAt', 'allFree', 'keptFirst', 'counts', ...edgeOrderParams],
    ['ends', 'targets', 'weightBits', 'matched', 'kept', 'longs', 'counters'],
    () => {},
  )

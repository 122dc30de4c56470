import { constants, kernel } from '../kernel.ts'
import { type EdgeRule, edgeOrderParams, withEdgeOrder } from '../parts/edge-order.ts'
import { bestBuffers, withBest } from '../parts/best-neighbours.ts'
import { roundCounter } from './match-state.ts'
import wgsl from './match-best-shared.wgsl?raw'

const { LONG, LONGEST } = roundCounter

/** Virtual warps of a workgroup: with more threads, merging costs more than reading. */
const warps = { long: 8, longest: 128 } as const

/** The twin of match-best leaves no long lists. */
export const matchBestShared = (candidates: number, rule: EdgeRule, lists: keyof typeof warps, collected = false) =>
  kernel(
    `match-best-shared-${lists}-${candidates}-${rule.weights}-${rule.ties}${collected ? '-collected' : ''}`,
    [
      constants({ WARP: warps[lists], ISLONGEST: lists === 'longest' ? 1 : 0, LONG, LONGEST }),
      withBest(withEdgeOrder(wgsl, rule), candidates, collected),
    ],
    ['origin', 'weightsAt', 'allFree', 'keptFirst', 'counts', ...edgeOrderParams],
    { ...bestBuffers, longs: 'read', counters: 'read' },
    () => {},
  )

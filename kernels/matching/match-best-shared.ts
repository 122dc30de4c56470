import type { Kernel } from '../kernel.ts'
import type { EdgeRule } from '../parts/edge-order.ts'
import { edgeOrderParams, withEdgeOrder } from '../parts/edge-order.ts'
import { withBest } from '../parts/best-neighbours.ts'
import wgsl from './match-best-shared.wgsl?raw'

type Param = 'origin' | 'weightsAt' | 'allFree' | 'keptFirst' | 'counts'
type Buffer = 'ends' | 'targets' | 'weightBits' | 'matched' | 'kept' | 'longs' | 'counters'

/** Threads of a team, by the lists that it has: with more, merging costs more than reading. */
const teams = { long: 8, longest: 128 } as const

/** The best free neighbours of vertices with long lists; see match-best-shared.wgsl. The twin of match-best leaves none. */
export const matchBestShared = (
  candidates: number,
  rule: EdgeRule,
  lists: keyof typeof teams,
): Kernel<Param | (typeof edgeOrderParams)[number], Buffer> => ({
  name: `match-best-shared-${lists}-${candidates}-${rule.weights}-${rule.ties}`,
  wgsl: withBest(
    withEdgeOrder(`const TEAM = ${teams[lists]}u;\nconst ISLONGEST = ${lists === 'longest' ? 1 : 0}u;\n${wgsl}`, rule),
    candidates,
  ),
  workgroup: 128,
  params: ['origin', 'weightsAt', 'allFree', 'keptFirst', 'counts', ...edgeOrderParams],
  buffers: [
    { name: 'ends', access: 'read' },
    { name: 'targets', access: 'read' },
    { name: 'weightBits', access: 'read' },
    { name: 'matched', access: 'read' },
    { name: 'kept', access: 'read_write' },
    { name: 'longs', access: 'read' },
    { name: 'counters', access: 'read' },
  ],
  twin: () => {},
})

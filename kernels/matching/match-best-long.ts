import type { Kernel } from '../kernel.ts'
import { edgeOrderParams, withEdgeOrder } from '../parts/edge-order.ts'
import { withBest } from '../parts/best-neighbours.ts'
import wgsl from './match-best-long.wgsl?raw'

type Param = 'origin' | 'weightsAt' | 'allFree' | 'keptFirst'
type Buffer = 'ends' | 'targets' | 'weightBits' | 'matched' | 'kept' | 'longs' | 'counters'

/** The best free neighbours of vertices with long lists; see match-best-long.wgsl. The twin of match-best leaves none. */
export const matchBestLong = (candidates: number): Kernel<Param | (typeof edgeOrderParams)[number], Buffer> => ({
  name: `match-best-long-${candidates}`,
  wgsl: withBest(withEdgeOrder(wgsl), candidates),
  workgroup: 128,
  params: ['origin', 'weightsAt', 'allFree', 'keptFirst', ...edgeOrderParams],
  buffers: [
    { name: 'ends', access: 'read' },
    { name: 'targets', access: 'read' },
    { name: 'weightBits', access: 'read' },
    { name: 'matched', access: 'read' },
    { name: 'kept', access: 'read_write' },
    { name: 'longs', access: 'read' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: () => {},
})

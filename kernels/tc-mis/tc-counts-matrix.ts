import { kernel } from '../kernel.ts'
import { withTiles } from '../parts/tiles.ts'
import type { TcCounts } from './tc-counts.ts'
import { TC_COUNTS_BUFFERS, tcCounts } from './tc-counts.ts'
import wgsl from './tc-counts-matrix.wgsl?raw'

/** Phase 2 on tensor cores, bit-identical to the plain kernel; see tc-counts-matrix.wgsl. A thread looks at a tile. */
export const tcCountsMatrix: TcCounts = {
  ...kernel('tc-counts-matrix', withTiles(wgsl), tcCounts.params, TC_COUNTS_BUFFERS, tcCounts.twin),
  features: ['subgroups', 'chromium-experimental-subgroup-matrix'],
}

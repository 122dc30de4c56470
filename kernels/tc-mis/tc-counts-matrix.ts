import { kernel } from '../kernel.ts'
import { tilesPart } from '../parts/tiles.ts'
import { TC_COUNTS_BUFFERS, type TcCounts, tcCounts } from './tc-counts.ts'
import wgsl from './tc-counts-matrix.wgsl?raw'

/** A thread looks at a tile; bit-identical to the plain kernel. */
export const tcCountsMatrix: TcCounts = {
  ...kernel('tc-counts-matrix', [wgsl, tilesPart], tcCounts.params, TC_COUNTS_BUFFERS, tcCounts.twin),
  features: ['subgroups', 'chromium-experimental-subgroup-matrix'],
}

import { withTiles } from '../parts/tiles.ts'
import { tcCounts } from './tc-counts.ts'
import type { TcCounts } from './tc-counts.ts'
import wgsl from './tc-counts-matrix.wgsl?raw'

/** Phase 2 on tensor cores; see tc-counts-matrix.wgsl. Its twin is that of the plain kernel: the two are bit-identical. A thread looks at a tile. */
export const tcCountsMatrix: TcCounts = {
  ...tcCounts,
  name: 'tc-counts-matrix',
  wgsl: withTiles(wgsl),
  workgroup: 128,
  features: ['subgroups', 'chromium-experimental-subgroup-matrix'],
}

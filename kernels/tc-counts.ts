import { withTiles } from './parts/tiles.ts'
import type { TcCounts } from './tc-counts-lanes.ts'
import { tcCountsLanes } from './tc-counts-lanes.ts'
import wgsl from './tc-counts.wgsl?raw'

/** Phase 2 in plain integers for one seed, whose candidates are those of any; see tc-counts.wgsl. Workgroups stride over the chunks of a batch. */
export const tcCounts: TcCounts = {
  ...tcCountsLanes,
  name: 'tc-counts',
  wgsl: withTiles(wgsl),
  buffers: tcCountsLanes.buffers.filter(({ name }) => name !== 'cands'),
  twin: (params, buffers) => tcCountsLanes.twin(params, { ...buffers, cands: buffers.candsAny }),
}

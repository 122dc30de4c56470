import type { TcCounts } from './tc-counts-lanes.ts'
import { tcCountsLanes } from './tc-counts-lanes.ts'
import wgsl from './tc-counts.wgsl?raw'

/** Phase 2 in plain integers for one seed, whose candidates are those of any; see tc-counts.wgsl. Workgroups stride over the chunks of a batch. */
export const tcCounts: TcCounts = {
  name: 'tc-counts',
  wgsl,
  workgroup: 256,
  params: ['chunks', 'seeds', 'previous', 'statistics'],
  buffers: [
    { name: 'records', access: 'read' },
    { name: 'data', access: 'read' },
    { name: 'openAny', access: 'read' },
    { name: 'candsAny', access: 'read' },
    { name: 'hits', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: (params, buffers) => tcCountsLanes.twin(params, { ...buffers, cands: buffers.candsAny }),
}

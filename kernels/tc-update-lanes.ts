import type { Kernel } from './kernel.ts'
import { LANES } from './tc-candidates-lanes.ts'
import { tcUpdate } from './tc-update.ts'
import wgsl from './tc-update-lanes.wgsl?raw'

/** Phase 3 for several seeds, who joins and who is out, and whose lanes end; see tc-update-lanes.wgsl. */
export const tcUpdateLanes: Kernel<
  'segments' | 'seeds' | 'previous' | 'record' | 'queue',
  'open' | 'openAny' | 'members' | 'cands' | 'candsAny' | 'hits' | 'live' | 'counters'
> = {
  name: 'tc-update-lanes',
  wgsl,
  workgroup: 256,
  params: ['segments', 'seeds', 'previous', 'record', 'queue'],
  buffers: [
    { name: 'open', access: 'read_write' },
    { name: 'openAny', access: 'read_write' },
    { name: 'members', access: 'read_write' },
    { name: 'cands', access: 'read_write' },
    { name: 'candsAny', access: 'read_write' },
    { name: 'hits', access: 'read_write' },
    { name: 'live', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: (params, { live, ...buffers }) => {
    const { segments, seeds, previous } = params
    const { open, cands, hits, counters } = buffers
    if (counters[previous] === 0) return
    const lanes = new Uint8Array(live.buffer, live.byteOffset, live.byteLength)
    for (let at = 0; at < segments * seeds; at++) {
      const firstLane = LANES * 32 * Math.floor(at / seeds) + (at % seeds)
      for (let gone = open[at]! & (cands[at]! | hits[at]!); gone !== 0; gone &= gone - 1)
        lanes[firstLane + LANES * (31 - Math.clz32(gone & -gone))] = 0
    }
    tcUpdate.twin(params, buffers)
  },
}

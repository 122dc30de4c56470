import type { Kernel } from '../kernel.ts'
import wgsl from './tc-begin.wgsl?raw'

/** Opens every vertex and asks for the neighbours of members; see tc-begin.wgsl. */
export const tcBegin: Kernel<
  'vertices' | 'seeds' | 'record',
  'open' | 'openAny' | 'members' | 'cands' | 'candsAny' | 'counters'
> = {
  name: 'tc-begin',
  wgsl,
  workgroup: 256,
  params: ['vertices', 'seeds', 'record'],
  buffers: [
    { name: 'open', access: 'read_write' },
    { name: 'openAny', access: 'read_write' },
    { name: 'members', access: 'read' },
    { name: 'cands', access: 'read_write' },
    { name: 'candsAny', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ vertices, seeds, record }, { open, openAny, members, cands, candsAny, counters }) => {
    const segments = Math.ceil(vertices / 32)
    for (let segment = 0; segment < segments; segment++) {
      const left = vertices - 32 * segment
      const alive = left < 32 ? 2 ** left - 1 : 0xffffffff
      let asked = 0
      for (let at = segment * seeds; at < (segment + 1) * seeds; at++) {
        open[at] = alive
        cands[at] = members[at]!
        asked |= members[at]!
      }
      openAny[segment] = alive
      candsAny[segment] = asked
    }
    if (segments > 0) counters[record] = vertices * seeds
  },
}

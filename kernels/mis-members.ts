import type { Kernel } from './kernel.ts'
import wgsl from './mis-members.wgsl?raw'

/** The set as a bit vector in the graph's own order; see mis-members.wgsl. */
export const misMembers: Kernel<'first' | 'count', 'states' | 'positions' | 'members'> = {
  name: 'mis-members',
  wgsl,
  workgroup: 256,
  params: ['first', 'count'],
  buffers: [
    { name: 'states', access: 'read' },
    { name: 'positions', access: 'read' },
    { name: 'members', access: 'read_write' },
  ],
  twin: ({ first, count }, { states, positions, members }) => {
    for (let start = 0; start < count; start += 32) {
      let word = 0
      const end = Math.min(32, count - start)
      for (let bit = 0; bit < end; bit++) {
        const p = positions[start + bit]!
        // State 1 is in, 2 is out: the low bit alone tells.
        word |= ((states[p >>> 4]! >>> ((p & 15) << 1)) & 1) << bit
      }
      members[(first + start) >>> 5] = word
    }
  },
}

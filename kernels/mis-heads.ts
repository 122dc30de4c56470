import type { Kernel } from './kernel.ts'
import wgsl from './mis-heads.wgsl?raw'

/**
 * The first sweep over a batch; see mis-heads.wgsl. The twin goes from front to back, where every entry is decided before
 * its vertex: it leaves nothing undecided unless entries stand in a batch that was not swept yet.
 */
export const misHeads: Kernel<
  'first' | 'count' | 'counter',
  'states' | 'heads' | 'tailOffsets' | 'tails' | 'list' | 'counters'
> = {
  name: 'mis-heads',
  wgsl,
  workgroup: 256,
  params: ['first', 'count', 'counter'],
  buffers: [
    { name: 'states', access: 'read_write' },
    { name: 'heads', access: 'read' },
    { name: 'tailOffsets', access: 'read' },
    { name: 'tails', access: 'read' },
    { name: 'list', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ first, count, counter }, { states, heads, tailOffsets, tails, list, counters }) => {
    let length = counters[counter]!
    for (let i = 0; i < count; i++) {
      const p = first + i
      const shift = (p & 15) << 1
      if ((states[p >>> 4]! >>> shift) & 3) continue
      const highest = heads[2 * i]!
      // 1 in, 2 out, 0 undecided; a missing entry counts as out.
      let seen = highest === NO_ENTRY ? 2 : (states[highest >>> 4]! >>> ((highest & 15) << 1)) & 3
      let cursor = 0
      if (seen === 2) {
        const second = heads[2 * i + 1]!
        seen = second === NO_ENTRY ? 2 : (states[second >>> 4]! >>> ((second & 15) << 1)) & 3
        cursor = 1
        const end = tailOffsets[i + 1]!
        for (let at = tailOffsets[i]!; seen === 2 && at < end; at++) {
          const entry = tails[at]!
          seen = (states[entry >>> 4]! >>> ((entry & 15) << 1)) & 3
          cursor++
        }
      }
      if (seen !== 0) {
        states[p >>> 4]! |= (3 - seen) << shift
        continue
      }
      // Past the end of the list, typed arrays ignore the store, as the shader does.
      list[2 * length] = i
      list[2 * length + 1] = cursor
      length++
    }
    counters[counter] = length
  },
}

const NO_ENTRY = 0xffffffff

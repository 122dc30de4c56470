import type { Kernel } from './kernel.ts'
import wgsl from './mis-heads.wgsl?raw'

/** The first sweep over a batch; see mis-heads.wgsl. The twin takes one look a vertex, in ascending order. */
export const misHeads: Kernel<'first' | 'count' | 'counter', 'states' | 'heads' | 'tailOffsets' | 'list' | 'counters'> =
  {
    name: 'mis-heads',
    wgsl,
    workgroup: 256,
    params: ['first', 'count', 'counter'],
    buffers: [
      { name: 'states', access: 'read_write' },
      { name: 'heads', access: 'read' },
      { name: 'tailOffsets', access: 'read' },
      { name: 'list', access: 'read_write' },
      { name: 'counters', access: 'read_write' },
    ],
    twin: ({ first, count, counter }, { states, heads, tailOffsets, list, counters }) => {
      let length = counters[counter]!
      for (let i = 0; i < count; i++) {
        const v = first + i
        const shift = (v & 15) << 1
        if ((states[v >>> 4]! >>> shift) & 3) continue
        const highest = heads[2 * i]!
        const second = heads[2 * i + 1]!
        // 1 in, 2 out, 0 undecided; a missing entry counts as out.
        const a = highest === NO_ENTRY ? 2 : (states[highest >>> 4]! >>> ((highest & 15) << 1)) & 3
        if (a === 1) {
          states[v >>> 4]! |= 2 << shift
          continue
        }
        const b = second === NO_ENTRY ? 2 : (states[second >>> 4]! >>> ((second & 15) << 1)) & 3
        if (b === 1) {
          states[v >>> 4]! |= 2 << shift
          continue
        }
        if (a === 2 && b === 2 && tailOffsets[i] === tailOffsets[i + 1]) {
          states[v >>> 4]! |= 1 << shift
          continue
        }
        list[2 * length] = i
        list[2 * length + 1] = a === 2 ? (b === 2 ? 2 : 1) : 0
        length++
      }
      counters[counter] = length
    },
  }

const NO_ENTRY = 0xffffffff

import type { Kernel } from './kernel.ts'
import wgsl from './mis-first.wgsl?raw'

/** A sweep by heads alone; see mis-first.wgsl. The twin goes from front to back, so it needs one sweep. */
export const misFirst: Kernel<'first' | 'count', 'states' | 'heads'> = {
  name: 'mis-first',
  wgsl,
  workgroup: 256,
  params: ['first', 'count'],
  buffers: [
    { name: 'states', access: 'read_write' },
    { name: 'heads', access: 'read' },
  ],
  twin: ({ first, count }, { states, heads }) => {
    for (let i = 0; i < count; i++) {
      const p = first + i
      const shift = (p & 15) << 1
      if ((states[p >>> 4]! >>> shift) & 3) continue
      const [highest, second] = [heads[2 * i]!, heads[2 * i + 1]!]
      // 1 in, 2 out, 0 undecided; a missing entry counts as out.
      const seen = highest === NO_ENTRY ? 2 : (states[highest >>> 4]! >>> ((highest & 15) << 1)) & 3
      const other = second === NO_ENTRY ? 2 : (states[second >>> 4]! >>> ((second & 15) << 1)) & 3
      if (seen === 1 || other === 1) states[p >>> 4]! |= 2 << shift
      else if (seen === 2 && second === NO_ENTRY) states[p >>> 4]! |= 1 << shift
    }
  },
}

const NO_ENTRY = 0xffffffff

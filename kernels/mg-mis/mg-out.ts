import type { Kernel } from '../kernel.ts'
import wgsl from './mg-out.wgsl?raw'

/** Algorithm 4 of MG-MIS; see mg-out.wgsl. */
export const mgOut: Kernel<'count' | 'origin', 'states' | 'received'> = {
  name: 'mg-out',
  wgsl,
  workgroup: 256,
  params: ['count', 'origin'],
  buffers: [
    { name: 'states', access: 'read_write' },
    { name: 'received', access: 'read' },
  ],
  twin: ({ count, origin }, { states, received }) => {
    for (let index = 0; index < count; index++) {
      const at = received[index]! - origin
      states[at >>> 4]! |= OUT << ((at & 15) << 1)
    }
  },
}

const OUT = 2

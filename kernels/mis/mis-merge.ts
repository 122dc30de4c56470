import type { Kernel } from '../kernel.ts'
import { IN, OUT, statusBytes } from '../parts/vertex-order.ts'
import wgsl from './mis-merge.wgsl?raw'

/** Takes over what was decided elsewhere; see mis-merge.wgsl. */
export const misMerge: Kernel<'first' | 'count', 'states' | 'status'> = {
  name: 'mis-merge',
  wgsl,
  workgroup: 256,
  params: ['first', 'count'],
  buffers: [
    { name: 'states', access: 'read' },
    { name: 'status', access: 'read_write' },
  ],
  twin: ({ first, count }, { states, status }) => {
    const bytes = statusBytes(status)
    for (let word = 0; word < count; word++) {
      const packed = states[word]!
      for (let i = 0, v = 16 * (first + word); i < 16 && packed >>> (2 * i) !== 0; i++, v++) {
        const state = (packed >>> (2 * i)) & 3
        if (state !== 0 && v < bytes.length) bytes[v] = state === 1 ? IN : OUT
      }
    }
  },
}

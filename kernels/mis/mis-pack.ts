import type { Kernel } from '../kernel.ts'
import { IN, OUT, statusBytes } from '../parts/vertex-order.ts'
import wgsl from './mis-pack.wgsl?raw'

/** Statuses as states of two bits; see mis-pack.wgsl. */
export const misPack: Kernel<'first' | 'count', 'status' | 'states'> = {
  name: 'mis-pack',
  wgsl,
  workgroup: 256,
  params: ['first', 'count'],
  buffers: [
    { name: 'status', access: 'read' },
    { name: 'states', access: 'read_write' },
  ],
  twin: ({ first, count }, { status, states }) => {
    const bytes = statusBytes(status)
    for (let word = 0; word < count; word++) {
      let packed = 0
      for (let i = 0, v = 16 * (first + word); i < 16; i++, v++) {
        const code = bytes[v] ?? OUT
        if (code === IN) packed |= 1 << (2 * i)
        else if (code === OUT) packed |= 2 << (2 * i)
      }
      states[word] = packed
    }
  },
}

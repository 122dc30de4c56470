import { DAMAGE, codeOf } from './codes.ts'
import type { Kernel } from '../kernel.ts'
import { IN, statusBytes, withVertexOrder } from '../parts/vertex-order.ts'
import wgsl from './mis-index.wgsl?raw'

/** Ends of lists and codes of vertices from the offsets of a file; see mis-index.wgsl. */
export const misIndex: Kernel<
  'first' | 'count' | 'begin' | 'before' | 'words' | 'order' | 'shift' | 'mean' | 'scaled',
  'raw' | 'codes' | 'column' | 'ends' | 'status' | 'counters'
> = {
  name: 'mis-index',
  wgsl: withVertexOrder(wgsl),
  workgroup: 256,
  params: ['first', 'count', 'begin', 'before', 'words', 'order', 'shift', 'mean', 'scaled'],
  buffers: [
    { name: 'raw', access: 'read' },
    { name: 'codes', access: 'read' },
    { name: 'column', access: 'read' },
    { name: 'ends', access: 'read_write' },
    { name: 'status', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ first, count, begin, before, words, ...order }, { raw, codes, column, ends, status, counters }) => {
    const bytes = statusBytes(status)
    const code = codeOf(order, codes, column)
    let previous = before
    for (let i = 0; i < count; i++) {
      const end = raw[begin + words * i]!
      const degree = (end - previous) >>> 0
      if (degree > 0x7fffffff) counters[DAMAGE] = 1
      ends[first + i] = end
      bytes[first + i] = degree === 0 ? IN : code(first + i, degree)
      previous = end
    }
  },
}

import type { Kernel } from '../kernel.ts'
import { withShortLists } from '../parts/short-list.ts'
import { LONG } from './codes.ts'
import wgsl from './mis-scan.wgsl?raw'
import { visitLists } from './visit-lists.ts'

/** The first visit of the vertices of a batch; see mis-scan.wgsl. */
export const misScan: Kernel<
  'first' | 'count' | 'origin' | 'shorter' | 'longer' | 'order' | 'shift',
  'ends' | 'targets' | 'column' | 'status' | 'longs' | 'counters'
> = {
  name: 'mis-scan',
  wgsl: withShortLists(wgsl),
  workgroup: 256,
  params: ['first', 'count', 'origin', 'shorter', 'longer', 'order', 'shift'],
  buffers: [
    { name: 'ends', access: 'read' },
    { name: 'targets', access: 'read' },
    { name: 'column', access: 'read' },
    { name: 'status', access: 'read_write' },
    { name: 'longs', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ first, count, shorter, longer, ...params }, { longs, ...buffers }) => {
    const { ends, counters } = buffers
    for (let v = first; v < first + count; v++) {
      const degree = (ends[v]! - (v === 0 ? 0 : ends[v - 1]!)) >>> 0
      if (degree > longer) longs[counters[LONG]!++] = v
      else if (degree <= shorter) visitLists({ ...params, first: v, count: 1 }, buffers, undefined)
    }
  },
}

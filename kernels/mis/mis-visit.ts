import type { Kernel } from '../kernel.ts'
import { withShortLists } from '../parts/short-list.ts'
import wgsl from './mis-visit.wgsl?raw'
import { visitLists } from './visit-lists.ts'

/** Vertices that a workgroup looks through for those that are undecided. */
export const VISITED_VERTICES = 1024

/** The second visit of the vertices of a batch; see mis-visit.wgsl. */
export const misVisit: Kernel<
  'first' | 'count' | 'origin' | 'list' | 'longer' | 'order' | 'shift',
  'ends' | 'targets' | 'column' | 'status' | 'records' | 'pool' | 'counters'
> = {
  name: 'mis-visit',
  wgsl: withShortLists(wgsl),
  workgroup: 256,
  params: ['first', 'count', 'origin', 'list', 'longer', 'order', 'shift'],
  buffers: [
    { name: 'ends', access: 'read' },
    { name: 'targets', access: 'read' },
    { name: 'column', access: 'read' },
    { name: 'status', access: 'read_write' },
    { name: 'records', access: 'read_write' },
    { name: 'pool', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ first, count, list, longer, ...params }, { records, pool, ...buffers }) => {
    const { ends } = buffers
    const residual = { list, records, pool }
    for (let v = first; v < first + count; v++) {
      const degree = (ends[v]! - (v === 0 ? 0 : ends[v - 1]!)) >>> 0
      if (degree <= longer) visitLists({ ...params, first: v, count: 1 }, buffers, residual)
    }
  },
}

import type { Kernel } from '../kernel.ts'
import { withVertexOrder } from '../parts/vertex-order.ts'
import { LONG } from './codes.ts'
import wgsl from './mis-scan-long.wgsl?raw'
import { visitLists } from './visit-lists.ts'

/** One visit of the vertices of a batch that have long lists; see mis-scan-long.wgsl. */
export const misScanLong: Kernel<
  'origin' | 'list' | 'order' | 'shift',
  'ends' | 'targets' | 'column' | 'status' | 'records' | 'pool' | 'longs' | 'counters'
> = {
  name: 'mis-scan-long',
  wgsl: withVertexOrder(wgsl),
  workgroup: 128,
  params: ['origin', 'list', 'order', 'shift'],
  buffers: [
    { name: 'ends', access: 'read' },
    { name: 'targets', access: 'read' },
    { name: 'column', access: 'read' },
    { name: 'status', access: 'read_write' },
    { name: 'records', access: 'read_write' },
    { name: 'pool', access: 'read_write' },
    { name: 'longs', access: 'read' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ list, ...params }, { longs, records, pool, ...buffers }) => {
    const residual = { list, records, pool }
    for (const v of longs.subarray(0, buffers.counters[LONG]))
      visitLists({ ...params, first: v, count: 1 }, buffers, residual)
  },
}

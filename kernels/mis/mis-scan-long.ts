import type { Kernel } from '../kernel.ts'
import { withVertexOrder } from '../parts/vertex-order.ts'
import { LONG } from './codes.ts'
import { misScan } from './mis-scan.ts'
import wgsl from './mis-scan-long.wgsl?raw'

/** One visit of the vertices of a batch that have long lists; see mis-scan-long.wgsl. */
export const misScanLong: Kernel<
  'origin' | 'list' | 'order' | 'shift',
  'ends' | 'targets' | 'column' | 'status' | 'records' | 'pool' | 'longs' | 'counters'
> = {
  name: 'mis-scan-long',
  wgsl: withVertexOrder(wgsl),
  workgroup: 128,
  params: ['origin', 'list', 'order', 'shift'],
  buffers: misScan.buffers.map(({ name, access }) => ({ name, access: name === 'longs' ? 'read' : access })),
  twin: (params, buffers) => {
    const { longs, counters } = buffers
    for (let place = 0; place < counters[LONG]!; place++)
      misScan.twin({ ...params, first: longs[place]!, count: 1, longer: 0 }, buffers)
  },
}

import { constants, kernel } from '../kernel.ts'
import { orderParts } from '../parts/vertex-order.ts'
import { setCounter } from './priority-codes.ts'
import wgsl from './mis-scan-long.wgsl?raw'
import { listBuffers, visitLists } from './visit-lists.ts'

const { LEFT, LONG, POOL } = setCounter

export const misScanLong = kernel(
  'mis-scan-long',
  [constants({ POOL, LONG, LEFT }), wgsl, ...orderParts],
  ['origin', 'list', 'order', 'shift'],
  { ...listBuffers, records: 'write vec4', pool: 'write', longs: 'read', counters: 'atomic' },
  ({ list, ...params }, { longs, records, pool, ...buffers }) => {
    const residual = { list, records, pool }
    for (const v of longs.subarray(0, buffers.counters[LONG]))
      visitLists({ ...params, first: v, count: 1 }, buffers, residual)
  },
)

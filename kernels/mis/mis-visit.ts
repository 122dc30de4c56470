import { constants, kernel } from '../kernel.ts'
import { shortListParts } from '../parts/short-list.ts'
import { setCounter } from './priority-codes.ts'
import wgsl from './mis-visit.wgsl?raw'
import { listBuffers, visitLists } from './visit-lists.ts'

const { LEFT, POOL } = setCounter

/** Vertices among which a workgroup collects the undecided. */
export const VISITED_VERTICES = 1024

export const misVisit = kernel(
  'mis-visit',
  [constants({ POOL, LEFT }), wgsl, ...shortListParts],
  ['first', 'count', 'origin', 'list', 'longer', 'order', 'shift'],
  { ...listBuffers, records: 'write vec4', pool: 'write', counters: 'atomic' },
  ({ first, count, list, longer, ...params }, { records, pool, ...buffers }) => {
    const { ends } = buffers
    const residual = { list, records, pool }
    for (let v = first; v < first + count; v++) {
      const degree = (ends[v]! - (v === 0 ? 0 : ends[v - 1]!)) >>> 0
      if (degree <= longer) visitLists({ ...params, first: v, count: 1 }, buffers, residual)
    }
  },
)

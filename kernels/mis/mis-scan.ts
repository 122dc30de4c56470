import { constants, kernel } from '../kernel.ts'
import { shortListParts } from '../parts/short-list.ts'
import { setCounter } from './priority-codes.ts'
import wgsl from './mis-scan.wgsl?raw'
import { listBuffers, visitLists } from './visit-lists.ts'

const { LONG } = setCounter

export const misScan = kernel(
  'mis-scan',
  [constants({ LONG }), wgsl, ...shortListParts],
  ['first', 'count', 'origin', 'shorter', 'longer', 'order', 'shift'],
  { ...listBuffers, longs: 'write', counters: 'atomic' },
  ({ first, count, shorter, longer, ...params }, { longs, ...buffers }) => {
    const { ends, counters } = buffers
    for (let v = first; v < first + count; v++) {
      const degree = (ends[v]! - (v === 0 ? 0 : ends[v - 1]!)) >>> 0
      if (degree > longer) longs[counters[LONG]!++] = v
      else if (degree <= shorter) visitLists({ ...params, first: v, count: 1 }, buffers, undefined)
    }
  },
)

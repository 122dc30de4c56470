import { CODED_DEGREES, COLUMN_BOUNDS, codeOf, setCounter } from './priority-codes.ts'
import { constants, kernel } from '../kernel.ts'
import { orderParts } from '../parts/vertex-order.ts'
import { IN, stateBytes } from '../parts/vertex-states.ts'
import wgsl from './mis-index.wgsl?raw'

const { DAMAGE } = setCounter

export const misIndex = kernel(
  'mis-index',
  [constants({ DAMAGE, CODED_DEGREES, COLUMN_BOUNDS }), wgsl, ...orderParts],
  ['first', 'count', 'begin', 'before', 'words', 'order', 'shift', 'mean', 'scaled'],
  { raw: 'read', codes: 'read', column: 'read vec2', ends: 'write', states: 'atomic', counters: 'atomic' },
  ({ first, count, begin, before, words, ...order }, { raw, codes, column, ends, states, counters }) => {
    const bytes = stateBytes(states)
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
)

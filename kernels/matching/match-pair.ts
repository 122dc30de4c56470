import { constants, kernel } from '../kernel.ts'
import { NONE } from './match-state.ts'
import wgsl from './match-pair.wgsl?raw'

/** Threads may run the twin side by side. */
export const matchPair = kernel(
  'match-pair',
  [constants({ NONE }), wgsl],
  ['count', 'length'],
  { list: 'read', pointers: 'read', matched: 'atomic', counters: 'atomic' },
  ({ count, length }, { list, pointers, matched, counters }) => {
    const vertices = length === NONE ? count : counters[length]!
    for (let i = 0; i < vertices; i++) {
      const v = length === NONE ? i : list[i]!
      const mate = pointers[v]!
      if (mate !== NONE && pointers[mate] === v) Atomics.or(matched, v >>> 5, 1 << (v & 31))
    }
  },
)

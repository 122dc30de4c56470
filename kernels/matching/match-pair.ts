import { kernel } from '../kernel.ts'
import wgsl from './match-pair.wgsl?raw'

/** Threads may run the twin side by side. */
export const matchPair = kernel(
  'match-pair',
  wgsl,
  ['length'],
  ['list', 'pointers', 'matched', 'counters'],
  ({ length }, { list, pointers, matched, counters }) => {
    for (let i = 0; i < counters[length]!; i++) {
      const v = list[i]!
      if (pointers[pointers[v]!] === v) Atomics.or(matched, v >>> 5, 1 << (v & 31))
    }
  },
)

import { kernel } from '../kernel.ts'
import { IN, OUT, stateBytes } from '../parts/vertex-states.ts'
import wgsl from './mis-merge.wgsl?raw'

export const misMerge = kernel(
  'mis-merge',
  wgsl,
  ['first', 'count'],
  { packed: 'read', states: 'write' },
  ({ first, count }, { packed, states }) => {
    const bytes = stateBytes(states)
    for (let word = 0; word < count; word++) {
      const pairs = packed[word]!
      for (let i = 0, v = 16 * (first + word); i < 16 && pairs >>> (2 * i) !== 0; i++, v++) {
        const state = (pairs >>> (2 * i)) & 3
        if (state !== 0 && v < bytes.length) bytes[v] = state === 1 ? IN : OUT
      }
    }
  },
)

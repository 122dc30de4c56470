import { kernel } from '../kernel.ts'
import { IN, OUT, stateBytes } from '../parts/vertex-states.ts'
import wgsl from './mis-pack.wgsl?raw'

export const misPack = kernel(
  'mis-pack',
  wgsl,
  ['first', 'count'],
  { states: 'read', packed: 'write' },
  ({ first, count }, { states, packed }) => {
    const bytes = stateBytes(states)
    for (let word = 0; word < count; word++) {
      let pairs = 0
      for (let i = 0, v = 16 * (first + word); i < 16; i++, v++) {
        const code = bytes[v] ?? OUT
        if (code === IN) pairs |= 1 << (2 * i)
        else if (code === OUT) pairs |= 2 << (2 * i)
      }
      packed[word] = pairs
    }
  },
)

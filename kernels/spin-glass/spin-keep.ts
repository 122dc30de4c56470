import { kernel } from '../kernel.ts'
import wgsl from './spin-keep.wgsl?raw'

/** The spins of one replica; see spin-keep.wgsl. */
export const spinKeep = kernel(
  'spin-keep',
  wgsl,
  ['first', 'count', 'replica'],
  { spins: 'read', best: 'write' },
  ({ first, count, replica }, { spins, best }) => {
    for (let word = 0; 32 * word < count; word++) {
      let bits = 0
      for (let i = 0; i < 32 && 32 * word + i < count; i++)
        bits |= ((spins[first + 32 * word + i]! >>> replica) & 1) << i
      best[word] = bits
    }
  },
)

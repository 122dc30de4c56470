import { kernel } from '../kernel.ts'
import { OUT } from './mg-round.ts'
import wgsl from './mg-out.wgsl?raw'

export const mgOut = kernel(
  'mg-out',
  wgsl,
  ['count', 'origin'],
  { states: 'atomic', received: 'read' },
  ({ count, origin }, { states, received }) => {
    for (let index = 0; index < count; index++) {
      const at = received[index]! - origin
      states[at >>> 4]! |= OUT << ((at & 15) << 1)
    }
  },
)

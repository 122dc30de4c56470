import { kernel } from '../../kernel.ts'
import { NONE } from '../match-state.ts'
import wgsl from './match-mates.wgsl?raw'

export const matchMates = kernel(
  'match-mates',
  wgsl,
  ['count'],
  ['pointers', 'matched'],
  ({ count }, { pointers, matched }) => {
    for (let v = 0; v < count; v++) {
      const mate = pointers[v]!
      if (mate !== NONE && pointers[mate] === v) matched[v >>> 5]! |= 1 << (v & 31)
    }
  },
)

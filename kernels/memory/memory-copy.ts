import { kernel } from '../kernel.ts'
import wgsl from './memory-copy.wgsl?raw'

/** `stride`: threads. */
export const memoryCopy = kernel(
  'memory-copy',
  wgsl,
  ['count', 'stride'],
  { original: 'read', copied: 'write' },
  ({ count }, { original, copied }) => {
    copied.set(original.subarray(0, count))
  },
)

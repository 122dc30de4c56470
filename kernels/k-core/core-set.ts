import { kernel } from '../kernel.ts'
import wgsl from './core-set.wgsl?raw'

/** Takes the changes of others; see core-set.wgsl. */
export const coreSet = kernel(
  'core-set',
  wgsl,
  ['count'],
  { changes: 'read', cores: 'write' },
  ({ count }, { changes, cores }) => {
    for (let i = 0; i < count; i++) cores[changes[2 * i]!] = changes[2 * i + 1]!
  },
)

import type { Kernel } from './kernel.ts'
import wgsl from './mis-merge.wgsl?raw'

/** Takes over changes of other workers; see mis-merge.wgsl. */
export const misMerge: Kernel<'count', 'states' | 'changes'> = {
  name: 'mis-merge',
  wgsl,
  workgroup: 256,
  params: ['count'],
  buffers: [
    { name: 'states', access: 'read_write' },
    { name: 'changes', access: 'read' },
  ],
  twin: ({ count }, { states, changes }) => {
    for (let index = 0; index < count; index++) states[changes[2 * index]!]! |= changes[2 * index + 1]!
  },
}

import type { Kernel } from '../kernel.ts'
import wgsl from './memory-copy.wgsl?raw'

/** Copies words, to measure memory with; see memory-copy.wgsl. `stride` is the number of threads. */
export const memoryCopy: Kernel<'count' | 'stride', 'original' | 'copied'> = {
  name: 'memory-copy',
  wgsl,
  workgroup: 256,
  params: ['count', 'stride'],
  buffers: [
    { name: 'original', access: 'read' },
    { name: 'copied', access: 'read_write' },
  ],
  twin: ({ count }, { original, copied }) => {
    copied.set(original.subarray(0, count))
  },
}

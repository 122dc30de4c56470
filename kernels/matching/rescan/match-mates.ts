import type { Kernel } from '../../kernel.ts'
import wgsl from './match-mates.wgsl?raw'

/** The matching phase of the paper's own method; see match-mates.wgsl. */
export const matchMates: Kernel<'count', 'pointers' | 'matched'> = {
  name: 'match-mates',
  wgsl,
  workgroup: 256,
  params: ['count'],
  buffers: [
    { name: 'pointers', access: 'read' },
    { name: 'matched', access: 'read_write' },
  ],
  twin: ({ count }, { pointers, matched }) => {
    for (let v = 0; v < count; v++) {
      const mate = pointers[v]!
      if (mate !== NONE && pointers[mate] === v) matched[v >>> 5]! |= 1 << (v & 31)
    }
  },
}

const NONE = 0xffffffff

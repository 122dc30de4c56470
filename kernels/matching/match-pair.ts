import type { Kernel } from '../kernel.ts'
import wgsl from './match-pair.wgsl?raw'

/** The matching phase; see match-pair.wgsl. Threads may share what the twin writes. */
export const matchPair: Kernel<'length', 'list' | 'pointers' | 'matched' | 'counters'> = {
  name: 'match-pair',
  wgsl,
  workgroup: 256,
  params: ['length'],
  buffers: [
    { name: 'list', access: 'read' },
    { name: 'pointers', access: 'read' },
    { name: 'matched', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ length }, { list, pointers, matched, counters }) => {
    for (let i = 0; i < counters[length]!; i++) {
      const v = list[i]!
      if (pointers[pointers[v]!] === v) Atomics.or(matched, v >>> 5, 1 << (v & 31))
    }
  },
}

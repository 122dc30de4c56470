import type { Kernel } from '../kernel.ts'
import { DAMAGE } from './codes.ts'
import wgsl from './match-ends.wgsl?raw'

/** Ends of lists from the offsets of a file; see match-ends.wgsl. */
export const matchEnds: Kernel<'first' | 'count' | 'begin' | 'before' | 'words', 'raw' | 'ends' | 'counters'> = {
  name: 'match-ends',
  wgsl,
  workgroup: 256,
  params: ['first', 'count', 'begin', 'before', 'words'],
  buffers: [
    { name: 'raw', access: 'read' },
    { name: 'ends', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ first, count, begin, before, words }, { raw, ends, counters }) => {
    let previous = before
    for (let i = 0; i < count; i++) {
      const end = raw[begin + words * i]!
      if ((end - previous) >>> 0 > 0x7fffffff) counters[DAMAGE] = 1
      ends[first + i] = end
      previous = end
    }
  },
}

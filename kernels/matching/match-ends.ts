import type { Kernel } from '../kernel.ts'
import { DAMAGE, LONGEST_LIST } from './codes.ts'
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
    let [previous, longest] = [before, counters[LONGEST_LIST]!]
    for (let i = 0; i < count; i++) {
      const end = raw[begin + words * i]!
      const length = (end - previous) >>> 0
      if (length > 0x7fffffff) counters[DAMAGE] = 1
      if (length > longest) longest = length
      ends[first + i] = end
      previous = end
    }
    counters[LONGEST_LIST] = longest
  },
}

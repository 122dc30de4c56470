import { constants, kernel } from '../kernel.ts'
import { counter } from './match-state.ts'
import wgsl from './match-ends.wgsl?raw'

const { DAMAGE, LONGEST_LIST } = counter

export const matchEnds = kernel(
  'match-ends',
  [constants({ DAMAGE, LONGEST_LIST }), wgsl],
  ['first', 'count', 'begin', 'before', 'words'],
  { raw: 'read', ends: 'write', counters: 'atomic' },
  ({ first, count, begin, before, words }, { raw, ends, counters }) => {
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
)

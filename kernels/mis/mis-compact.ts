import { kernel } from '../kernel.ts'
import { ENTRIES } from './priority-codes.ts'
import { RECORD_WORDS } from './visit-lists.ts'
import wgsl from './mis-compact.wgsl?raw'

export const misCompact = kernel(
  'mis-compact',
  wgsl,
  ['list'],
  { recordsIn: 'read vec4', pool: 'read', recordsOut: 'write vec4', entries: 'write', counters: 'atomic' },
  ({ list }, { recordsIn, pool, recordsOut, entries, counters }) => {
    for (let at = 0; at < RECORD_WORDS * counters[list]!; at += RECORD_WORDS) {
      const [v, first, end, degree] = recordsIn.subarray(at, at + RECORD_WORDS)
      const start = counters[ENTRIES]!
      counters[ENTRIES]! += end! - first!
      if (counters[ENTRIES]! <= entries.length) entries.set(pool.subarray(first, end), start)
      recordsOut.set([v!, start, counters[ENTRIES]!, degree!], at)
    }
  },
)

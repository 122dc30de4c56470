import type { Kernel } from '../kernel.ts'
import { ENTRIES } from './codes.ts'
import { RECORD_WORDS } from './mis-scan.ts'
import wgsl from './mis-compact.wgsl?raw'

/** The entries of what still waits, side by side; see mis-compact.wgsl. */
export const misCompact: Kernel<'list', 'recordsIn' | 'pool' | 'recordsOut' | 'entries' | 'counters'> = {
  name: 'mis-compact',
  wgsl,
  workgroup: 256,
  params: ['list'],
  buffers: [
    { name: 'recordsIn', access: 'read' },
    { name: 'pool', access: 'read' },
    { name: 'recordsOut', access: 'read_write' },
    { name: 'entries', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ list }, { recordsIn, pool, recordsOut, entries, counters }) => {
    for (let at = 0; at < RECORD_WORDS * counters[list]!; at += RECORD_WORDS) {
      const [v, first, end, degree] = recordsIn.subarray(at, at + RECORD_WORDS)
      const start = counters[ENTRIES]!
      counters[ENTRIES]! += end! - first!
      if (counters[ENTRIES]! <= entries.length) entries.set(pool.subarray(first, end), start)
      recordsOut.set([v!, start, counters[ENTRIES]!, degree!], at)
    }
  },
}

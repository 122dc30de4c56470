import { constants, kernel } from '../kernel.ts'
import { OUT, stateBytes, statesPart } from '../parts/vertex-states.ts'
import { setCounter } from './priority-codes.ts'
import { RECORD_WORDS } from './visit-lists.ts'
import wgsl from './mis-compact.wgsl?raw'

const { ENTRIES } = setCounter

export const misCompact = kernel(
  'mis-compact',
  [constants({ ENTRIES }), wgsl, statesPart],
  ['list'],
  {
    recordsIn: 'read vec4',
    pool: 'read',
    states: 'atomic',
    recordsOut: 'write vec4',
    entries: 'write',
    counters: 'atomic',
  },
  ({ list }, { recordsIn, pool, states, recordsOut, entries, counters }) => {
    const bytes = stateBytes(states)
    for (let at = 0; at < RECORD_WORDS * counters[list]!; at += RECORD_WORDS) {
      const [v, first, end, degree] = recordsIn.subarray(at, at + RECORD_WORDS)
      const start = counters[ENTRIES]!
      const blockers = pool.subarray(first, end).filter((u) => bytes[u] !== OUT)
      counters[ENTRIES]! += blockers.length
      if (counters[ENTRIES]! <= entries.length) entries.set(blockers, start)
      recordsOut.set([v!, start, counters[ENTRIES]!, degree!], at)
    }
  },
)

import type { Kernel } from '../kernel.ts'
import { withCandidates } from '../parts/best-neighbours.ts'
import { ENDED, NONE, keptWords } from './codes.ts'
import wgsl from './match-first.wgsl?raw'

/** The first round of a matching; see match-first.wgsl. */
export const matchFirst = (
  candidates: number,
): Kernel<'count' | 'open', 'kept' | 'pointers' | 'matched' | 'counters'> => ({
  name: `match-first-${candidates}`,
  wgsl: withCandidates(wgsl, candidates),
  workgroup: 256,
  params: ['count', 'open'],
  buffers: [
    { name: 'kept', access: 'read_write' },
    { name: 'pointers', access: 'read_write' },
    { name: 'matched', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ count, open }, { kept, pointers, matched, counters }) => {
    const row = keptWords(candidates)
    for (let v = 0; v < count; v++) {
      const u = kept[row * v + 1]!
      pointers[v] = u
      if (u === NONE) kept[row * v] = ENDED
      else {
        counters[open]!++
        if (kept[row * u + 1] === v) matched[v >>> 5]! |= 1 << (v & 31)
      }
    }
  },
})

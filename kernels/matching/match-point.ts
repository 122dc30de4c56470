import type { Kernel } from '../kernel.ts'
import { withCandidates } from '../parts/best-neighbours.ts'
import { AGAIN, ENDED, MORE, NONE, OPEN, PASSED, POINTING, isMatched, keptWords } from './codes.ts'
import wgsl from './match-point.wgsl?raw'

/** Which vertices a phase counts as open: none, those that pointed at a neighbour before, or those that point at one now. */
export const counted = { none: 0, pointed: 1, pointing: 2 } as const

type Param = 'first' | 'count' | 'length' | 'counts' | 'counted'
type Buffer = 'list' | 'matched' | 'kept' | 'pointers' | 'next' | 'again' | 'counters'

/** The pointing phase; see match-point.wgsl. */
export const matchPoint = (candidates: number): Kernel<Param, Buffer> => ({
  name: `match-point-${candidates}`,
  wgsl: withCandidates(wgsl, candidates),
  workgroup: 256,
  params: ['first', 'count', 'length', 'counts', 'counted'],
  buffers: [
    { name: 'list', access: 'read' },
    { name: 'matched', access: 'read' },
    { name: 'kept', access: 'read_write' },
    { name: 'pointers', access: 'read_write' },
    { name: 'next', access: 'read_write' },
    { name: 'again', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: (
    { first, count, length, counts, counted: which },
    { list, matched, kept, pointers, next, again, counters },
  ) => {
    const isListed = length !== NONE
    const vertices = isListed ? counters[length]! : count
    let [pointing, looking, opened] = [counters[counts + POINTING]!, counters[counts + AGAIN]!, 0]
    for (let i = 0; i < vertices; i++) {
      const v = isListed ? list[i]! : first + i
      if (isMatched(matched, v)) continue
      const base = keptWords(candidates) * v
      const word = kept[base]!
      if ((word & ENDED) !== 0) continue
      if (which === counted.pointed && pointers[v] !== NONE) opened++
      let passed = word & PASSED
      let u = NONE
      for (; passed < candidates; passed++) {
        u = kept[base + 1 + passed]!
        if (u === NONE || !isMatched(matched, u)) break
        u = NONE
      }
      pointers[v] = u
      if (u !== NONE) {
        kept[base] = (word & ~PASSED) | passed
        if (which === counted.pointing) opened++
        next[pointing++] = v
      } else if ((word & MORE) !== 0) {
        kept[base] = word | PASSED
        again[looking++] = v
      } else kept[base] = word | ENDED
    }
    counters[counts + POINTING] = pointing
    counters[counts + AGAIN] = looking
    if (which !== counted.none) counters[counts + OPEN]! += opened
  },
})

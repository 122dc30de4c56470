import { constants, kernel } from '../kernel.ts'
import { withCandidates } from '../parts/best-neighbours.ts'
import { NONE, isMatched, keptWords, cursor, roundCounter } from './match-state.ts'
import wgsl from './match-point.wgsl?raw'

const { DEFERRED, ENDED, MORE, PASSED } = cursor
const { AGAIN, OPEN, POINTING } = roundCounter

/** Vertices counted as active: none, those with a pointer before, or now. */
export const counted = { none: 0, pointed: 1, pointing: 2 } as const

export const matchPoint = (candidates: number) =>
  kernel(
    `match-point-${candidates}`,
    withCandidates(wgsl, candidates, constants({ NONE, PASSED, MORE, ENDED, DEFERRED, POINTING, AGAIN, OPEN })),
    ['first', 'count', 'length', 'counts', 'counted'],
    {
      list: 'read',
      matched: 'read',
      kept: 'write',
      pointers: 'write',
      next: 'write',
      again: 'write',
      counters: 'atomic',
    },
    ({ first, count, length, counts, counted: which }, { list, matched, kept, pointers, next, again, counters }) => {
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
          if ((word & DEFERRED) === 0) again[looking++] = v
        } else kept[base] = word | ENDED
      }
      counters[counts + POINTING] = pointing
      counters[counts + AGAIN] = looking
      if (which !== counted.none) counters[counts + OPEN]! += opened
    },
  )

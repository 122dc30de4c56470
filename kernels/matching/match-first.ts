import { kernel } from '../kernel.ts'
import { withCandidates } from '../parts/best-neighbours.ts'
import { ENDED, NONE, keptWords } from './match-state.ts'
import wgsl from './match-first.wgsl?raw'

export const matchFirst = (candidates: number) =>
  kernel(
    `match-first-${candidates}`,
    withCandidates(wgsl, candidates),
    ['count', 'open'],
    ['kept', 'pointers', 'matched', 'counters'],
    ({ count, open }, { kept, pointers, matched, counters }) => {
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
  )

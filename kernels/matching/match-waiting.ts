import { kernel } from '../kernel.ts'
import { withCandidates } from '../parts/best-neighbours.ts'
import { ENDED, MORE, UNDECIDED, WAITING, isMatched, keptWords } from './match-state.ts'
import wgsl from './match-waiting.wgsl?raw'

export const matchWaiting = (candidates: number) =>
  kernel(
    `match-waiting-${candidates}`,
    withCandidates(wgsl, candidates),
    ['count', 'waitingAt'],
    ['kept', 'matched', 'counters'],
    ({ count, waitingAt }, { kept, matched, counters }) => {
      matched.fill(0, waitingAt, waitingAt + Math.ceil(count / 32))
      for (let v = 0; v < count; v++) {
        const word = kept[keptWords(candidates) * v]!
        if (isMatched(matched, v) || (word & ENDED) !== 0) continue
        counters[UNDECIDED]!++
        if ((word & MORE) === 0) continue
        counters[WAITING]!++
        matched[waitingAt + (v >>> 5)]! |= 1 << (v & 31)
      }
    },
  )

import { constants, kernel } from '../kernel.ts'
import { withCandidates } from '../parts/best-neighbours.ts'
import { ARCS_A_UNIT, isMatched, keptWords, counter, cursor } from './match-state.ts'
import wgsl from './match-waiting.wgsl?raw'

const { UNDECIDED, WAITING, WAITING_UNITS } = counter
const { ENDED, MORE } = cursor

export const matchWaiting = (candidates: number) =>
  kernel(
    `match-waiting-${candidates}`,
    withCandidates(wgsl, candidates, constants({ MORE, ENDED, WAITING, UNDECIDED, WAITING_UNITS, ARCS_A_UNIT })),
    ['count', 'waitingAt'],
    { kept: 'read', ends: 'read', matched: 'write', counters: 'atomic' },
    ({ count, waitingAt }, { kept, ends, matched, counters }) => {
      matched.fill(0, waitingAt, waitingAt + Math.ceil(count / 32))
      for (let v = 0; v < count; v++) {
        const word = kept[keptWords(candidates) * v]!
        if (isMatched(matched, v) || (word & ENDED) !== 0) continue
        counters[UNDECIDED]!++
        if ((word & MORE) === 0) continue
        counters[WAITING]!++
        const degree = (ends[v]! - (v === 0 ? 0 : ends[v - 1]!)) >>> 0
        counters[WAITING_UNITS]! += Math.ceil(degree / ARCS_A_UNIT)
        matched[waitingAt + (v >>> 5)]! |= 1 << (v & 31)
      }
    },
  )

import { kernel } from '../kernel.ts'
import { shiftedHash, hashPart } from '../parts/vertex-hash.ts'
import wgsl from './luby-round.wgsl?raw'

const ACTIVE = 0
export const IN = 1
const OUT = 2

export const lubyRound = kernel(
  'luby-round',
  [wgsl, hashPart],
  ['first', 'count', 'draw', 'joins'],
  { offsets: 'read', targets: 'read', states: 'atomic', counters: 'atomic' },
  ({ first, count, draw, joins }, { offsets, targets, states, counters }) => {
    const priority = (v: number): number => shiftedHash(v + draw)
    for (let row = 0; row < count; row++) {
      const v = first + row
      if (states[v] !== ACTIVE) continue
      const own = priority(v)
      let isBeaten = false
      for (let at = offsets[row]!; at < offsets[row + 1]! && !isBeaten; at++) {
        const u = targets[at]!
        isBeaten = states[u] === IN || (joins === 1 && states[u] === ACTIVE && priority(u) > own)
      }
      if (joins === 1) {
        if (!isBeaten) states[v] = IN
      } else if (isBeaten) states[v] = OUT
      else counters[0]!++
    }
  },
)

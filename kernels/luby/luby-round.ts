import { kernel } from '../kernel.ts'
import { shiftedHash } from '../parts/vertex-order.ts'
import wgsl from './luby-round.wgsl?raw'

const ACTIVE = 0
export const IN = 1
const OUT = 2

export const lubyRound = kernel(
  'luby-round',
  wgsl,
  ['vertices', 'draw', 'joins'],
  ['offsets', 'targets', 'states', 'counters'],
  ({ vertices, draw, joins }, { offsets, targets, states, counters }) => {
    const priority = (v: number): number => shiftedHash(v + draw)
    for (let v = 0; v < vertices; v++) {
      if (states[v] !== ACTIVE) continue
      const own = priority(v)
      let isBeaten = false
      for (let at = offsets[v]!; at < offsets[v + 1]! && !isBeaten; at++) {
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

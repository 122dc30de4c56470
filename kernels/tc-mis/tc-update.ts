import { kernel } from '../kernel.ts'
import { countOneBits } from '../parts/count-bits.ts'
import wgsl from './tc-update.wgsl?raw'

const LEFT = 0

export const tcUpdate = kernel(
  'tc-update',
  wgsl,
  ['segments', 'seeds'],
  { open: 'write', openAny: 'write', members: 'write', cands: 'write', hits: 'write', counters: 'atomic' },
  ({ segments, seeds }, { open, openAny, members, cands, hits, counters }) => {
    for (let segment = 0; segment < segments; segment++) {
      openAny[segment] = 0
      for (let at = segment * seeds; at < (segment + 1) * seeds; at++) {
        const [chosen, hit] = [cands[at]!, hits[at]!]
        members[at]! |= chosen & ~hit
        open[at]! &= ~(chosen | hit)
        cands[at] = open[at]!
        hits[at] = 0
        openAny[segment]! |= open[at]!
        counters[LEFT]! += countOneBits(open[at]!)
      }
    }
  },
)

import { kernel } from '../kernel.ts'
import { withEach } from '../parts/each.ts'
import wgsl from './tc-update.wgsl?raw'

const LEFT = 0

export const tcUpdate = kernel(
  'tc-update',
  withEach(wgsl),
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

function countOneBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

import type { Kernel } from '../kernel.ts'
import wgsl from './tc-update.wgsl?raw'

/** Phase 3, who joins and who is out; see tc-update.wgsl. */
export const tcUpdate: Kernel<
  'segments' | 'seeds' | 'previous' | 'record',
  'open' | 'openAny' | 'members' | 'cands' | 'candsAny' | 'hits' | 'counters'
> = {
  name: 'tc-update',
  wgsl,
  workgroup: 256,
  params: ['segments', 'seeds', 'previous', 'record'],
  buffers: [
    { name: 'open', access: 'read_write' },
    { name: 'openAny', access: 'read_write' },
    { name: 'members', access: 'read_write' },
    { name: 'cands', access: 'read_write' },
    { name: 'candsAny', access: 'read_write' },
    { name: 'hits', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ segments, seeds, previous, record }, { open, openAny, members, cands, candsAny, hits, counters }) => {
    if (counters[previous] === 0) return
    let left = 0
    for (let segment = 0; segment < segments; segment++) {
      let any = 0
      for (let at = segment * seeds; at < (segment + 1) * seeds; at++) {
        const chosen = cands[at]!
        const hit = hits[at]!
        members[at]! |= chosen & ~hit
        const still = open[at]! & ~(chosen | hit)
        open[at] = still
        any |= still
        left += countOneBits(still)
      }
      openAny[segment] = any
    }
    cands.fill(0, 0, segments * seeds)
    hits.fill(0, 0, segments * seeds)
    candsAny.fill(0, 0, segments)
    counters[record]! += left
  },
}

function countOneBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

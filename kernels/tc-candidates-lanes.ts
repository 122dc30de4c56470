import type { Kernel } from './kernel.ts'
import wgsl from './tc-candidates-lanes.wgsl?raw'

/** Lanes of a vertex, a byte for each seed; and which of two neighbours with equal lanes is above the other. */
export const LANES = 16
export const tieRules = { neither: 0, position: 1, key: 2 } as const

/** Phase 1 for several seeds at once, the candidates of a batch; see tc-candidates-lanes.wgsl. */
export const tcCandidatesLanes: Kernel<
  'first' | 'count' | 'seeds' | 'ties',
  'offsets' | 'lists' | 'keys' | 'live' | 'openAny' | 'cursors' | 'cands' | 'candsAny'
> = {
  name: 'tc-candidates-lanes',
  wgsl,
  workgroup: 256,
  params: ['first', 'count', 'seeds', 'ties'],
  buffers: [
    { name: 'offsets', access: 'read' },
    { name: 'lists', access: 'read' },
    { name: 'keys', access: 'read' },
    { name: 'live', access: 'read' },
    { name: 'openAny', access: 'read' },
    { name: 'cursors', access: 'read_write' },
    { name: 'cands', access: 'read_write' },
    { name: 'candsAny', access: 'read_write' },
  ],
  twin: ({ first, count, seeds, ties }, { offsets, lists, keys, live, cands, candsAny }) => {
    const lanes = new Uint8Array(live.buffer, live.byteOffset, live.byteLength)
    const isAbove = (u: number, v: number, seed: number): boolean => {
      const difference = lanes[LANES * u + seed]! - lanes[LANES * v + seed]!
      if (difference !== 0 || ties === tieRules.neither) return difference > 0
      return ties === tieRules.position ? u > v : keys[u * seeds + seed]! > keys[v * seeds + seed]!
    }
    for (let i = 0; i < count; i++) {
      const v = first + i
      const end = offsets[i + 1]!
      for (let seed = 0; seed < seeds; seed++) {
        if (lanes[LANES * v + seed] === 0) continue
        let at = offsets[i]!
        while (at < end && !isAbove(lists[at]!, v, seed)) at++
        if (at < end) continue
        cands[(v >>> 5) * seeds + seed]! |= 1 << (v & 31)
        candsAny[v >>> 5]! |= 1 << (v & 31)
      }
    }
  },
}

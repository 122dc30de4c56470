import type { Kernel } from '../kernel.ts'
import wgsl from './tc-candidates.wgsl?raw'

/** Phase 1, the candidates of a batch; see tc-candidates.wgsl. */
export const tcCandidates: Kernel<
  'first' | 'count' | 'seeds' | 'previous',
  'offsets' | 'lists' | 'keys' | 'open' | 'cursors' | 'cands' | 'candsAny' | 'counters'
> = {
  name: 'tc-candidates',
  wgsl,
  workgroup: 256,
  params: ['first', 'count', 'seeds', 'previous'],
  buffers: [
    { name: 'offsets', access: 'read' },
    { name: 'lists', access: 'read' },
    { name: 'keys', access: 'read' },
    { name: 'open', access: 'read' },
    { name: 'cursors', access: 'read_write' },
    { name: 'cands', access: 'read_write' },
    { name: 'candsAny', access: 'read_write' },
    { name: 'counters', access: 'read' },
  ],
  twin: ({ first, count, seeds, previous }, { offsets, lists, keys, open, cursors, cands, candsAny, counters }) => {
    if (counters[previous] === 0) return
    for (let i = 0; i < count; i++) {
      const v = first + i
      const word = (v >>> 5) * seeds
      const end = offsets[i + 1]!
      for (let seed = 0; seed < seeds; seed++) {
        if (((open[word + seed]! >>> (v & 31)) & 1) === 0) continue
        const slot = v * seeds + seed
        const own = keys[slot]!
        let at = offsets[i]! + cursors[slot]!
        for (; at < end; at++) {
          const u = lists[at]!
          const alive = ((open[(u >>> 5) * seeds + seed]! >>> (u & 31)) & 1) !== 0
          if (alive && keys[u * seeds + seed]! > own) break
        }
        cursors[slot] = at - offsets[i]!
        if (at < end) continue
        cands[word + seed]! |= 1 << (v & 31)
        candsAny[v >>> 5]! |= 1 << (v & 31)
      }
    }
  },
}

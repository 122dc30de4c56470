import { kernel } from '../kernel.ts'
import wgsl from './anneal-settle.wgsl?raw'

/** Neighbours that one may take the place of. */
const MOST = 2

/** See anneal-settle.wgsl. Threads may settle words of the same piece side by side. */
export const annealSettle = kernel(
  'anneal-settle',
  wgsl,
  ['first', 'past', 'low'],
  { starts: 'read', targets: 'read', members: 'atomic', proposing: 'read' },
  ({ first, past, low }, { starts, targets, members, proposing }) => {
    for (let w = first; w < past; w++) {
      for (let open = proposing[w]!; open !== 0; open &= open - 1) {
        const v = (w << 5) | (31 - Math.clz32(open & -open))
        const start = starts[v]!
        const end = starts[v + 1]!
        let i = start
        while (i < end && !isBefore(targets[i]!, v)) i++
        if (i < end) continue
        for (i = start; i < end && i < start + MOST; i++)
          Atomics.and(members, targets[i]! >>> 5, ~(1 << (targets[i]! & 31)))
        Atomics.or(members, w, 1 << (v & 31))
      }
    }

    function isBefore(u: number, v: number): boolean {
      return u < v && u >>> 5 >= low && ((proposing[u >>> 5]! >>> (u & 31)) & 1) !== 0
    }
  },
)

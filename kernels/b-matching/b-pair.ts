import { kernel } from '../kernel.ts'
import wgsl from './b-pair.wgsl?raw'

/** Makes partners of vertices that picked each other; see b-pair.wgsl. */
export const bPair = kernel(
  'b-pair',
  wgsl,
  ['low', 'count'],
  {
    starts: 'read',
    counts: 'read',
    pending: 'read',
    residual: 'write',
    partners: 'write',
    fresh: 'write',
    counters: 'atomic',
  },
  ({ low, count }, { starts, counts, pending, residual, partners, fresh, counters }) => {
    const hasPicked = (u: number, v: number): boolean => {
      let first = starts[u]!
      let behind = first + counts[u]!
      while (first < behind) {
        const middle = (first + behind) >>> 1
        if (pending[middle] === v) return true
        if (pending[middle]! < v) first = middle + 1
        else behind = middle
      }
      return false
    }
    for (let place = 0; place < count; place++) {
      const v = low + place
      const begin = starts[v]!
      const next = starts[v + 1]! - residual[v]!
      let hits = 0
      for (let k = 0; k < counts[v]!; k++) {
        const u = pending[begin + k]!
        if (hasPicked(u, v)) partners[next + hits++] = u
      }
      fresh[place] = hits
      residual[v]! -= hits
      counters[0]! += hits
    }
  },
)

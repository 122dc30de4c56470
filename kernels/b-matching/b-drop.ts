import { kernel } from '../kernel.ts'
import { EXHAUSTED } from './b-select.ts'
import wgsl from './b-drop.wgsl?raw'

/** Forgets picks that are settled; see b-drop.wgsl. */
export const bDrop = kernel(
  'b-drop',
  wgsl,
  ['first', 'rows', 'low'],
  {
    starts: 'read',
    residual: 'read',
    partners: 'read',
    fresh: 'read',
    cursors: 'read',
    counts: 'write',
    pending: 'write',
    counters: 'atomic',
  },
  ({ first, rows, low }, { starts, residual, partners, fresh, cursors, counts, pending, counters }) => {
    for (let row = 0; row < rows; row++) {
      const v = first + row
      const begin = starts[v]!
      const room = residual[v]!
      const end = starts[v + 1]! - room
      let next = end - fresh[v - low]!
      let kept = 0
      for (let k = 0; k < counts[v]!; k++) {
        const u = pending[begin + k]!
        if (next < end && partners[next] === u) next++
        else if (room > 0 && residual[u]! > 0) pending[begin + kept++] = u
      }
      counts[v] = kept
      const looks = kept < room && cursors[v] !== EXHAUSTED
      if (looks) counters[2]!++
      if (looks || kept > 0) counters[1]!++
    }
  },
)

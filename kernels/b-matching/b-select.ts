import { kernel } from '../kernel.ts'
import wgsl from './b-select.wgsl?raw'

/** The cursor of a list that was looked at to its end. */
export const EXHAUSTED = 0xffffffff

/** Picks the best neighbours with room; see b-select.wgsl. */
export const bSelect = kernel(
  'b-select',
  wgsl,
  ['first', 'rows'],
  {
    offsets: 'read',
    targets: 'read',
    starts: 'read',
    residual: 'read',
    counts: 'write',
    pending: 'write',
    cursors: 'write',
  },
  ({ first, rows }, { offsets, targets, starts, residual, counts, pending, cursors }) => {
    for (let row = 0; row < rows; row++) {
      const v = first + row
      const room = residual[v]!
      const before = counts[v]!
      let cursor = cursors[v]!
      if (before >= room || cursor === EXHAUSTED) continue
      const list = offsets[row]!
      const length = offsets[row + 1]! - list
      const begin = starts[v]!
      let count = before
      for (; count < room && cursor < length; cursor++) {
        const u = targets[list + cursor]!
        if (residual[u]! > 0) pending[begin + count++] = u
      }
      if (count > before && count > 1) pending.subarray(begin, begin + count).sort()
      counts[v] = count
      cursors[v] = cursor === length ? EXHAUSTED : cursor
    }
  },
)

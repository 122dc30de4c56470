import { kernel } from '../kernel.ts'
import wgsl from './bfs-top-down.wgsl?raw'

/** Words of the counters of a level: vertices found of this worker and of others; arcs of those found, a low and a high word; left. */
export const NEXT = 0
export const REMOTE = 1
export const ARCS = 2
export const LEFT = 4
export const LEVEL_COUNTERS = 8

/** Expands the frontier; see bfs-top-down.wgsl. */
export const bfsTopDown = kernel(
  'bfs-top-down',
  wgsl,
  ['count', 'first', 'rows', 'low', 'high', 'level'],
  ['queue', 'offsets', 'targets', 'visited', 'levels', 'next', 'remote', 'counters'],
  ({ count, first, rows, low, high, level }, { queue, offsets, targets, visited, levels, next, remote, counters }) => {
    let found = counters[NEXT]!
    let sent = counters[REMOTE]!
    for (let i = 0; i < count; i++) {
      const row = queue[i]! - first
      if (row < 0 || row >= rows) continue
      for (let at = offsets[row]!, end = offsets[row + 1]!; at < end; at++) {
        const v = targets[at]!
        const word = visited[v >>> 5]!
        if (((word >>> (v & 31)) & 1) === 1) continue
        visited[v >>> 5] = word | (1 << (v & 31))
        if (v < low || v >= high) remote[sent++] = v
        else {
          levels[v - low] = level
          next[found++] = v
        }
      }
    }
    counters[NEXT] = found
    counters[REMOTE] = sent
  },
)

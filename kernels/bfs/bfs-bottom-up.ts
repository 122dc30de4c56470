import { kernel } from '../kernel.ts'
import { LEFT, NEXT, REMOTE } from './bfs-top-down.ts'
import wgsl from './bfs-bottom-up.wgsl?raw'

/** A level from the vertices that were not visited; see bfs-bottom-up.wgsl. */
export const bfsBottomUp = kernel(
  'bfs-bottom-up',
  wgsl,
  ['first', 'rows', 'low', 'high', 'level'],
  ['offsets', 'targets', 'frontier', 'visited', 'levels', 'next', 'remote', 'counters'],
  ({ first, rows, low, high, level }, { offsets, targets, frontier, visited, levels, next, remote, counters }) => {
    let found = counters[NEXT]!
    let sent = counters[REMOTE]!
    let left = counters[LEFT]!
    for (let row = 0; row < rows; row++) {
      const v = first + row
      if (((visited[v >>> 5]! >>> (v & 31)) & 1) === 1) continue
      const begin = offsets[row]!
      const end = offsets[row + 1]!
      let at = begin
      for (; at < end; at++) {
        const u = targets[at]!
        if (((frontier[u >>> 5]! >>> (u & 31)) & 1) === 1) break
      }
      if (at === end) {
        if (begin < end) left++
        continue
      }
      visited[v >>> 5]! |= 1 << (v & 31)
      if (v < low || v >= high) remote[sent++] = v
      else {
        levels[v - low] = level
        next[found++] = v
      }
    }
    counters[NEXT] = found
    counters[REMOTE] = sent
    counters[LEFT] = left
  },
)

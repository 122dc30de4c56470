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
    const last = first + rows
    for (let word = first >>> 5; 32 * word < last; word++) {
      let rest = ~visited[word]!
      if (32 * word < first) rest &= -1 << (first & 31)
      if (last - 32 * word < 32) rest &= ~(-1 << (last & 31))
      let reached = 0
      for (; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest
        const v = 32 * word + 31 - Math.clz32(bit)
        const end = offsets[v - first + 1]!
        let at = offsets[v - first]!
        if (at === end) continue
        while (at < end) {
          const u = targets[at]!
          if (((frontier[u >>> 5]! >>> (u & 31)) & 1) === 1) break
          at++
        }
        if (at === end) {
          left++
          continue
        }
        reached |= bit
        if (v < low || v >= high) remote[sent++] = v
        else {
          levels[v - low] = level
          next[found++] = v
        }
      }
      if (reached !== 0) visited[word]! |= reached
    }
    counters[NEXT] = found
    counters[REMOTE] = sent
    counters[LEFT] = left
  },
)

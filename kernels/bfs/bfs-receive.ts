import { kernel } from '../kernel.ts'
import { NEXT } from './bfs-top-down.ts'
import wgsl from './bfs-receive.wgsl?raw'

/** Takes what other workers found; see bfs-receive.wgsl. */
export const bfsReceive = kernel(
  'bfs-receive',
  wgsl,
  ['count', 'isList', 'isNew', 'first', 'low', 'high', 'level'],
  { inbox: 'read', visited: 'atomic', levels: 'write', next: 'write', counters: 'atomic' },
  ({ count, isList, isNew, first, low, high, level }, { inbox, visited, levels, next, counters }) => {
    let slot = counters[NEXT]!
    for (let i = 0; i < count; i++) {
      const word = inbox[i]!
      const base = isList === 1 ? word - (word & 31) : first + 32 * i
      const bits = isList === 1 ? 1 << (word & 31) : word
      const before = visited[base >>> 5]!
      let fresh = isNew === 1 ? bits : bits & ~before
      visited[base >>> 5] = before | bits
      for (; fresh !== 0; fresh &= fresh - 1) {
        const v = base + 31 - Math.clz32(fresh & -fresh)
        if (v >= low && v < high) levels[v - low] = level
        next[slot++] = v
      }
    }
    counters[NEXT] = slot
  },
)

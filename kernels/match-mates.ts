import type { Kernel } from './kernel.ts'
import wgsl from './match-mates.wgsl?raw'

/** The matching phase; see match-mates.wgsl. */
export const matchMates: Kernel<
  'count' | 'changed' | 'changedCapacity' | 'round' | 'all',
  'pointers' | 'matched' | 'lists' | 'counters'
> = {
  name: 'match-mates',
  wgsl,
  workgroup: 256,
  params: ['count', 'changed', 'changedCapacity', 'round', 'all'],
  buffers: [
    { name: 'pointers', access: 'read' },
    { name: 'matched', access: 'read_write' },
    { name: 'lists', access: 'read' },
    { name: 'counters', access: 'read' },
  ],
  twin: ({ count, changed, changedCapacity, round, all }, { pointers, matched, lists, counters }) => {
    const changes = counters[round]!
    if (all === 0 && changes <= changedCapacity) {
      for (let at = 0; at < changes; at++) {
        const v = lists[changed + 2 * at]!
        const mate = lists[changed + 2 * at + 1]!
        if (pointers[mate] !== v) continue
        matched[v >>> 5]! |= 1 << (v & 31)
        matched[mate >>> 5]! |= 1 << (mate & 31)
      }
      return
    }
    for (let v = 0; v < count; v++) {
      const mate = pointers[v]!
      if (mate !== NONE && pointers[mate] === v) matched[v >>> 5]! |= 1 << (v & 31)
    }
  },
}

const NONE = 0xffffffff

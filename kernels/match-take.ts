import type { Kernel } from './kernel.ts'
import wgsl from './match-take.wgsl?raw'

/** Takes pointers that were found elsewhere; see match-take.wgsl. */
export const matchTake: Kernel<
  'count' | 'changed' | 'changedCapacity' | 'round',
  'pointers' | 'updates' | 'lists' | 'counters'
> = {
  name: 'match-take',
  wgsl,
  workgroup: 256,
  params: ['count', 'changed', 'changedCapacity', 'round'],
  buffers: [
    { name: 'pointers', access: 'read_write' },
    { name: 'updates', access: 'read' },
    { name: 'lists', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: (params, { pointers, updates, lists, counters }) => {
    const { count, changed, changedCapacity, round } = params
    for (let at = 0; at < count; at++) {
      const v = updates[2 * at]!
      const pointer = updates[2 * at + 1]!
      pointers[v] = pointer
      const change = counters[round]!++
      if (change < changedCapacity) {
        lists[changed + 2 * change] = v
        lists[changed + 2 * change + 1] = pointer
      }
    }
  },
}

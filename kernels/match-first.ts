import type { Kernel } from './kernel.ts'
import wgsl from './match-first.wgsl?raw'

/** The first pointing phase of a matching; see match-first.wgsl. `own` is where the batch's cursors begin. */
export const matchFirst: Kernel<'first' | 'count' | 'own' | 'round', 'pointers' | 'cursors' | 'heads' | 'counters'> = {
  name: 'match-first',
  wgsl,
  workgroup: 256,
  params: ['first', 'count', 'own', 'round'],
  buffers: [
    { name: 'pointers', access: 'read_write' },
    { name: 'cursors', access: 'read_write' },
    { name: 'heads', access: 'read' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: ({ first, count, own, round }, { pointers, cursors, heads, counters }) => {
    let open = 0
    for (let i = 0; i < count; i++) {
      const pointer = heads[2 * i]!
      pointers[first + i] = pointer
      if (pointer !== NONE) open++
    }
    cursors.fill(0, own, own + count)
    counters[round + OPEN]! += open
  },
}

const NONE = 0xffffffff
const OPEN = 1

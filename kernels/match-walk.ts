import type { Kernel } from './kernel.ts'
import wgsl from './match-walk.wgsl?raw'

/** Ends the long searches of a pointing phase; see match-walk.wgsl. The twin of match-point leaves none. */
export const matchWalk: Kernel<
  | 'first'
  | 'own'
  | 'listOut'
  | 'capacity'
  | 'waitOut'
  | 'changed'
  | 'changedCapacity'
  | 'walks'
  | 'walkCapacity'
  | 'round',
  'pointers' | 'cursors' | 'matched' | 'tailOffsets' | 'tails' | 'lists' | 'counters'
> = {
  name: 'match-walk',
  wgsl,
  workgroup: 64,
  params: [
    'first',
    'own',
    'listOut',
    'capacity',
    'waitOut',
    'changed',
    'changedCapacity',
    'walks',
    'walkCapacity',
    'round',
  ],
  buffers: [
    { name: 'pointers', access: 'read_write' },
    { name: 'cursors', access: 'read_write' },
    { name: 'matched', access: 'read' },
    { name: 'tailOffsets', access: 'read' },
    { name: 'tails', access: 'read' },
    { name: 'lists', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: (params, { pointers, cursors, matched, tailOffsets, tails, lists, counters }) => {
    const { first, own, listOut, capacity, waitOut, changed, walks, round } = params
    const total = Math.min(counters[waitOut + WALKS]!, params.walkCapacity)
    for (let at = 0; at < total; at++) {
      const i = lists[walks + 2 * at]!
      const tail = tailOffsets[i]!
      const entries = HEAD_WIDTH + tailOffsets[i + 1]! - tail
      let cursor = lists[walks + 2 * at + 1]!
      let next = NONE
      for (; cursor < entries && next === NONE; cursor++) {
        const entry = tails[tail + cursor - HEAD_WIDTH]!
        counters[round + ARCS]!++
        if (((matched[entry >>> 5]! >>> (entry & 31)) & 1) === 0) next = entry
      }
      cursors[own + i] = next === NONE ? entries : cursor - 1
      if (next === NONE) continue
      pointers[first + i] = next
      const place = counters[waitOut]!++
      if (place < capacity) lists[listOut + place] = i
      const change = counters[round + CHANGED]!++
      if (change >= params.changedCapacity) continue
      lists[changed + 2 * change] = first + i
      lists[changed + 2 * change + 1] = next
    }
  },
}

const NONE = 0xffffffff
const HEAD_WIDTH = 2
const CHANGED = 0
const ARCS = 2
const WALKS = 1

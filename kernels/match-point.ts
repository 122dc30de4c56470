import type { Kernel } from './kernel.ts'
import wgsl from './match-point.wgsl?raw'

/** A pointing phase over the open vertices of a batch; see match-point.wgsl. The twin ends every search itself. */
export const matchPoint: Kernel<
  | 'first'
  | 'count'
  | 'own'
  | 'listIn'
  | 'listOut'
  | 'capacity'
  | 'waitIn'
  | 'waitOut'
  | 'changed'
  | 'changedCapacity'
  | 'walks'
  | 'walkCapacity'
  | 'round',
  'pointers' | 'cursors' | 'matched' | 'heads' | 'tailOffsets' | 'tails' | 'lists' | 'counters'
> = {
  name: 'match-point',
  wgsl,
  workgroup: 256,
  params: [
    'first',
    'count',
    'own',
    'listIn',
    'listOut',
    'capacity',
    'waitIn',
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
    { name: 'heads', access: 'read' },
    { name: 'tailOffsets', access: 'read' },
    { name: 'tails', access: 'read' },
    { name: 'lists', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: (params, { pointers, cursors, matched, heads, tailOffsets, tails, lists, counters }) => {
    const { first, own, listIn, listOut, capacity, waitIn, waitOut, changed, round } = params
    const listed = waitIn === NONE ? NONE : counters[waitIn]!
    const all = listed > capacity
    const total = all ? params.count : listed
    let [waiting, changes, open, arcs] = [counters[waitOut]!, counters[round + CHANGED]!, 0, 0]
    for (let at = 0; at < total; at++) {
      const i = all ? at : lists[listIn + at]!
      const v = first + i
      if ((matched[v >>> 5]! >>> (v & 31)) & 1) continue
      const pointer = pointers[v]!
      if (pointer === NONE) continue
      open++
      if ((matched[pointer >>> 5]! >>> (pointer & 31)) & 1) {
        const tail = tailOffsets[i]!
        const entries = HEAD_WIDTH + tailOffsets[i + 1]! - tail
        let cursor = cursors[own + i]! + 1
        let next = NONE
        for (; cursor < entries; cursor++) {
          const entry = cursor < HEAD_WIDTH ? heads[2 * i + 1]! : tails[tail + cursor - HEAD_WIDTH]!
          if (entry === NONE) break
          arcs++
          if ((matched[entry >>> 5]! >>> (entry & 31)) & 1) continue
          next = entry
          break
        }
        pointers[v] = next
        cursors[own + i] = cursor
        if (next === NONE) continue
        if (changes < params.changedCapacity) {
          lists[changed + 2 * changes] = v
          lists[changed + 2 * changes + 1] = next
        }
        changes++
      }
      if (waiting < capacity) lists[listOut + waiting] = i
      waiting++
    }
    counters[waitOut] = waiting
    counters[round + CHANGED] = changes
    counters[round + OPEN]! += open
    counters[round + ARCS]! += arcs
  },
}

const NONE = 0xffffffff
const HEAD_WIDTH = 2
const CHANGED = 0
const OPEN = 1
const ARCS = 2

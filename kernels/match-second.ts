import type { Kernel } from './kernel.ts'
import wgsl from './match-second.wgsl?raw'

/** A pointing phase over the first two entries of the lists; see match-second.wgsl. `number` is that of the round. */
export const matchSecond: Kernel<
  'first' | 'count' | 'own' | 'changed' | 'changedCapacity' | 'round' | 'number',
  'pointers' | 'moved' | 'matched' | 'heads' | 'lists' | 'counters'
> = {
  name: 'match-second',
  wgsl,
  workgroup: 256,
  params: ['first', 'count', 'own', 'changed', 'changedCapacity', 'round', 'number'],
  buffers: [
    { name: 'pointers', access: 'read_write' },
    { name: 'moved', access: 'read_write' },
    { name: 'matched', access: 'read' },
    { name: 'heads', access: 'read' },
    { name: 'lists', access: 'read_write' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: (params, { pointers, moved, matched, heads, lists, counters }) => {
    const { first, count, own, changed, changedCapacity, round, number } = params
    const isMatched = (v: number): boolean => ((matched[v >>> 5]! >>> (v & 31)) & 1) === 1
    let [changes, open, arcs] = [counters[round + CHANGED]!, 0, 0]
    for (let i = 0; i < count; i++) {
      const v = first + i
      if (isMatched(v)) continue
      const pointer = pointers[v]!
      if (pointer === NONE) continue
      open++
      if (!isMatched(pointer)) continue
      const second = moved[own + i] === 0 ? heads[2 * i + 1]! : NONE
      if (second !== NONE) arcs++
      const next = second === NONE || isMatched(second) ? NONE : second
      pointers[v] = next
      moved[own + i] = number
      if (next === NONE) continue
      if (changes < changedCapacity) {
        lists[changed + 2 * changes] = v
        lists[changed + 2 * changes + 1] = next
      }
      changes++
    }
    counters[round + CHANGED] = changes
    counters[round + OPEN]! += open
    counters[round + ARCS]! += arcs
  },
}

const NONE = 0xffffffff
const CHANGED = 0
const OPEN = 1
const ARCS = 2

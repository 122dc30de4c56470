import type { Kernel } from '../../kernel.ts'
import wgsl from './match-scan.wgsl?raw'

/** The pointing phase of the paper; see match-scan.wgsl. It takes 32 threads a vertex. */
export const matchScan: Kernel<
  'first' | 'count' | 'tieWords' | 'round' | 'isFirst',
  'pointers' | 'matched' | 'offsets' | 'targets' | 'weights' | 'ties' | 'counters'
> = {
  name: 'match-scan',
  wgsl,
  workgroup: 256,
  params: ['first', 'count', 'tieWords', 'round', 'isFirst'],
  buffers: [
    { name: 'pointers', access: 'read_write' },
    { name: 'matched', access: 'read' },
    { name: 'offsets', access: 'read' },
    { name: 'targets', access: 'read' },
    { name: 'weights', access: 'read' },
    { name: 'ties', access: 'read' },
    { name: 'counters', access: 'read_write' },
  ],
  twin: (params, { pointers, matched, offsets, targets, weights, ties, counters }) => {
    const { first, count, tieWords, round, isFirst } = params
    const comesBefore = (a: number, b: number): boolean => {
      if (b === NONE) return true
      if (weights[a] !== weights[b]) return weights[a]! > weights[b]!
      for (let word = 0; word < tieWords; word++) {
        const [at, other] = [ties[tieWords * a + word]!, ties[tieWords * b + word]!]
        if (at !== other) return at > other
      }
      return targets[a]! > targets[b]!
    }
    let [open, arcs] = [0, 0]
    for (let i = 0; i < count; i++) {
      const v = first + i
      if ((matched[v >>> 5]! >>> (v & 31)) & 1) continue
      let best = NONE
      const end = offsets[i + 1]!
      arcs += end - offsets[i]!
      for (let arc = offsets[i]!; arc < end; arc++) {
        const u = targets[arc]!
        if (((matched[u >>> 5]! >>> (u & 31)) & 1) === 0 && comesBefore(arc, best)) best = arc
      }
      const pointer = best === NONE ? NONE : targets[best]!
      if ((isFirst === 1 ? pointer : pointers[v]!) !== NONE) open++
      pointers[v] = pointer
    }
    counters[round + OPEN]! += open
    counters[round + ARCS]! += arcs
  },
}

/** Threads that work on a vertex together. */
export const SCAN_WIDTH = 32
const NONE = 0xffffffff
const OPEN = 1
const ARCS = 2

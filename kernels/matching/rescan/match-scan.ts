import { kernel } from '../../kernel.ts'
import { NONE, isMatched } from '../match-state.ts'
import wgsl from './match-scan.wgsl?raw'

/** SCAN_WIDTH threads a vertex. */
export const matchScan = kernel(
  'match-scan',
  wgsl,
  ['first', 'count', 'arcs', 'tieWords', 'isFirst'],
  { pointers: 'write', matched: 'read', offsets: 'read', targets: 'read', values: 'read', counters: 'atomic' },
  (params, { pointers, matched, offsets, targets, values, counters }) => {
    const { first, count, tieWords, isFirst } = params
    const [weights, ties] = [values, values.subarray(params.arcs)]
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
      if (isMatched(matched, v)) continue
      let best = NONE
      const end = offsets[i + 1]!
      arcs += end - offsets[i]!
      for (let arc = offsets[i]!; arc < end; arc++) {
        const u = targets[arc]!
        if (!isMatched(matched, u) && comesBefore(arc, best)) best = arc
      }
      const pointer = best === NONE ? NONE : targets[best]!
      if ((isFirst === 1 ? pointer : pointers[v]!) !== NONE) open++
      pointers[v] = pointer
    }
    counters[OPEN]! += open
    counters[ARCS]! += arcs
  },
)

export const SCAN_WIDTH = 32
/** Words of the counters. */
export const OPEN = 1
export const ARCS = 2

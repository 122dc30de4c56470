import { kernel } from '../kernel.ts'
import wgsl from './distance-reach.wgsl?raw'
import { IN, OUT } from './distance-words.ts'

/** Carries words one edge further, or decides; see distance-reach.wgsl. */
export const distanceReach = kernel(
  'distance-reach',
  wgsl,
  ['first', 'rows', 'decides'],
  { offsets: 'read', targets: 'read', nearest: 'read', reached: 'write', counters: 'atomic' },
  ({ first, rows, decides }, { offsets, targets, nearest, reached, counters }) => {
    let open = 0
    for (let row = 0; row < rows; row++) {
      const v = first + row
      const before = reached[v]!
      if (before === IN || before === OUT) continue
      let least = nearest[v]!
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
        const word = nearest[targets[at]!]!
        if (word < least) least = word
      }
      const word = decides === 0 ? least : least === IN ? OUT : least === before ? IN : before
      reached[v] = word
      if (word !== IN && word !== OUT) open++
    }
    counters[0]! += open
  },
)

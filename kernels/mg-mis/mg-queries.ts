import { kernel } from '../kernel.ts'
import { ownersOf } from './mg-round.ts'
import wgsl from './mg-queries.wgsl?raw'

export const mgQueries = kernel(
  'mg-queries',
  wgsl,
  ['first', 'count', 'low', 'high', 'share', 'extra', 'capacity', 'skip', 'owned', 'open', 'width'],
  { states: 'read', offsets: 'read', targets: 'read', remoteNbrIndex: 'read', send: 'write', counters: 'atomic' },
  (params, { states, offsets, targets, remoteNbrIndex, send, counters }) => {
    const { first, count, low, high, share, extra, capacity, skip, owned, open, width } = params
    const ownerOf = ownersOf(share, extra)
    for (let i = 0; i < count; i++) {
      const at = first + i
      if (((states[at >>> 4]! >>> ((at & 15) << 1)) & 3) !== 0) continue
      let place = at - skip - open
      if (place < 0) place += owned
      if (place >= width) continue
      const arc = offsets[i]! + remoteNbrIndex[at]!
      if (arc >= offsets[i + 1]!) continue
      const u = targets[arc]!
      if (u >= low && u < high) continue
      const owner = ownerOf(u)
      const index = counters[owner]!
      counters[owner] = index + 2
      if (index + 1 >= capacity) continue
      send[owner * capacity + index] = low - skip + at
      send[owner * capacity + index + 1] = u
    }
  },
)

import { kernel } from '../kernel.ts'
import wgsl from './mg-advance.wgsl?raw'

export const mgAdvance = kernel(
  'mg-advance',
  wgsl,
  ['first', 'count', 'length', 'origin', 'low', 'high'],
  { offsets: 'read', targets: 'read', remoteNbrIndex: 'write', received: 'read' },
  ({ first, count, length, origin, low, high }, { offsets, targets, remoteNbrIndex, received }) => {
    for (let index = 0; index < length; index++) {
      const at = received[index]! - origin
      const i = at - first
      if (i < 0 || i >= count) continue
      const start = offsets[i]!
      const degree = offsets[i + 1]! - start
      let next = remoteNbrIndex[at]! + 1
      for (; next < degree; next++) {
        const u = targets[start + next]!
        if (u < low || u >= high) break
      }
      remoteNbrIndex[at] = next
    }
  },
)

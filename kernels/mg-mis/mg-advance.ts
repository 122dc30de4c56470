import type { Kernel } from '../kernel.ts'
import wgsl from './mg-advance.wgsl?raw'

/** Algorithm 7 of MG-MIS over a batch; see mg-advance.wgsl. */
export const mgAdvance: Kernel<
  'first' | 'count' | 'length' | 'origin' | 'low' | 'high',
  'offsets' | 'targets' | 'remoteNbrIndex' | 'received'
> = {
  name: 'mg-advance',
  wgsl,
  workgroup: 256,
  params: ['first', 'count', 'length', 'origin', 'low', 'high'],
  buffers: [
    { name: 'offsets', access: 'read' },
    { name: 'targets', access: 'read' },
    { name: 'remoteNbrIndex', access: 'read_write' },
    { name: 'received', access: 'read' },
  ],
  twin: ({ first, count, length, origin, low, high }, { offsets, targets, remoteNbrIndex, received }) => {
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
}

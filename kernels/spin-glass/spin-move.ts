import { kernel } from '../kernel.ts'
import wgsl from './spin-move.wgsl?raw'

/** Spins of a boundary on their way; see spin-move.wgsl. */
export const spinMove = kernel(
  'spin-move',
  wgsl,
  ['at', 'count', 'isReceived'],
  { list: 'read', spins: 'write', box: 'write' },
  ({ at, count, isReceived }, { list, spins, box }) => {
    for (let i = 0; i < count; i++) {
      const v = list[at + i]!
      if (isReceived === 1) spins[v] = box[i]!
      else box[i] = spins[v]!
    }
  },
)

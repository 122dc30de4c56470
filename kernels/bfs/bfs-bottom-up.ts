import { moduleKernel } from '../kernel.ts'
import { firstNeighbourPart } from '../parts/first-neighbour.ts'
import { BFS_BOTTOM_UP } from './modules.ts'
import wgsl from './bfs-bottom-up.wgsl?raw'

/** A level from the vertices that were not visited; see bfs-bottom-up.wgsl. */
export const bfsBottomUp = moduleKernel(
  'bfs-bottom-up',
  [wgsl, firstNeighbourPart],
  ['first', 'rows', 'low', 'high', 'level', 'keeps'],
  {
    offsets: 'read',
    targets: 'read',
    frontier: 'read',
    visited: 'atomic',
    levels: 'write',
    next: 'write',
    remote: 'write',
    counters: 'atomic',
  },
  BFS_BOTTOM_UP,
  1 << 12,
)

import { moduleKernel } from '../kernel.ts'
import { withNeighbours } from '../parts/neighbours.ts'
import { BFS_ADOPT } from './modules.ts'
import wgsl from './bfs-adopt.wgsl?raw'

/** Parents of what a frontier found; see bfs-adopt.wgsl. */
export const bfsAdopt = moduleKernel(
  'bfs-adopt',
  withNeighbours(wgsl),
  ['count', 'first', 'rows', 'level'],
  { queue: 'read', offsets: 'read', targets: 'read', levels: 'read', parents: 'atomic' },
  BFS_ADOPT,
  1 << 6,
)

import { moduleKernel } from '../kernel.ts'
import { neighboursPart } from '../parts/neighbours.ts'
import { BFS_ADOPT } from './modules.ts'
import wgsl from './bfs-adopt.wgsl?raw'

/** Parents of what a frontier found; see bfs-adopt.wgsl. */
export const bfsAdopt = moduleKernel(
  'bfs-adopt',
  [wgsl, neighboursPart],
  ['count', 'first', 'rows', 'level'],
  { queue: 'read', offsets: 'read', targets: 'read', levels: 'read', parents: 'atomic' },
  BFS_ADOPT,
  1 << 6,
)

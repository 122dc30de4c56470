import { moduleKernel } from '../kernel.ts'
import { BFS_ADOPT } from './modules.ts'
import wgsl from './bfs-adopt.wgsl?raw'

/** Parents of what a frontier found; see bfs-adopt.wgsl. */
export const bfsAdopt = moduleKernel(
  'bfs-adopt',
  wgsl,
  ['count', 'first', 'rows', 'level'],
  ['queue', 'offsets', 'targets', 'levels', 'parents'],
  BFS_ADOPT,
  1 << 6,
)

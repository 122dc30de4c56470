import { moduleKernel } from '../kernel.ts'
import { BFS_PARENTS } from './modules.ts'
import wgsl from './bfs-parents.wgsl?raw'

/** Parents of the vertices that have none yet; see bfs-parents.wgsl. */
export const bfsParents = moduleKernel(
  'bfs-parents',
  wgsl,
  ['first', 'rows', 'base'],
  ['offsets', 'targets', 'levels', 'parents'],
  BFS_PARENTS,
  1 << 12,
)

import { moduleKernel } from '../kernel.ts'
import { firstNeighbourPart } from '../parts/first-neighbour.ts'
import { BFS_PARENTS } from './modules.ts'
import wgsl from './bfs-parents.wgsl?raw'

/** Parents of the vertices that have none yet; see bfs-parents.wgsl. */
export const bfsParents = moduleKernel(
  'bfs-parents',
  [wgsl, firstNeighbourPart],
  ['first', 'rows', 'base'],
  { offsets: 'read', targets: 'read', levels: 'read', parents: 'write' },
  BFS_PARENTS,
  1 << 12,
)

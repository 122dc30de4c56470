import { moduleKernel } from '../kernel.ts'
import { BFS_PARENTS } from './modules.ts'
import wgsl from './bfs-parents.wgsl?raw'

/** No level, no parent: the search does not reach the vertex. */
export const NONE = 0xffffffff

/** The parent of every vertex; see bfs-parents.wgsl. */
export const bfsParents = moduleKernel(
  'bfs-parents',
  wgsl,
  ['first', 'rows', 'base'],
  ['offsets', 'targets', 'levels', 'parents'],
  BFS_PARENTS,
  1 << 12,
)

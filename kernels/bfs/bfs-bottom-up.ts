import { moduleKernel } from '../kernel.ts'
import { BFS_BOTTOM_UP } from './modules.ts'
import wgsl from './bfs-bottom-up.wgsl?raw'

/** A level from the vertices that were not visited; see bfs-bottom-up.wgsl. */
export const bfsBottomUp = moduleKernel(
  'bfs-bottom-up',
  wgsl,
  ['first', 'rows', 'low', 'high', 'level', 'keeps'],
  ['offsets', 'targets', 'frontier', 'visited', 'levels', 'next', 'remote', 'counters'],
  BFS_BOTTOM_UP,
  1 << 12,
)

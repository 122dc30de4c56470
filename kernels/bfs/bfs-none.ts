import { moduleKernel } from '../kernel.ts'
import { BFS_NONE } from './modules.ts'
import wgsl from './bfs-none.wgsl?raw'

/** No level, no parent: the search does not reach the vertex. */
export const NONE = 0xffffffff

/** Unsets levels and parents; see bfs-none.wgsl. */
export const bfsNone = moduleKernel('bfs-none', wgsl, ['count'], { words: 'write' }, BFS_NONE, 1 << 16)

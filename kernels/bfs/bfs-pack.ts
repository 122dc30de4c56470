import { moduleKernel } from '../kernel.ts'
import { BFS_PACK } from './modules.ts'
import wgsl from './bfs-pack.wgsl?raw'

/** A list as a bitmap; see bfs-pack.wgsl. */
export const bfsPack = moduleKernel('bfs-pack', wgsl, ['count'], { list: 'read', bits: 'atomic' }, BFS_PACK, 1 << 13)

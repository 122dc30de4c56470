import { moduleKernel } from '../kernel.ts'
import { BFS_ARCS } from './modules.ts'
import wgsl from './bfs-arcs.wgsl?raw'

/** The most threads of a launch: each adds several degrees. */
export const ARC_THREADS = 1 << 16

/** Arcs of the next frontier; see bfs-arcs.wgsl. */
export const bfsArcs = moduleKernel(
  'bfs-arcs',
  wgsl,
  ['low'],
  { next: 'read', degrees: 'read', counters: 'atomic' },
  BFS_ARCS,
  1 << 12,
)

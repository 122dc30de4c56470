import { moduleKernel } from '../kernel.ts'
import { neighboursPart } from '../parts/neighbours.ts'
import { BFS_TOP_DOWN } from './modules.ts'
import wgsl from './bfs-top-down.wgsl?raw'

/** Words of the counters of a level: vertices found of this worker and of others; arcs of those found, a low and a high word; left. */
export const NEXT = 0
export const REMOTE = 1
export const ARCS = 2
export const LEFT = 4
export const LEVEL_COUNTERS = 8

/** Expands the frontier; see bfs-top-down.wgsl. */
export const bfsTopDown = moduleKernel(
  'bfs-top-down',
  [wgsl, neighboursPart],
  ['count', 'first', 'rows', 'low', 'high', 'level'],
  {
    queue: 'read',
    offsets: 'read',
    targets: 'read',
    visited: 'atomic',
    levels: 'write',
    next: 'write',
    remote: 'write',
    counters: 'atomic',
  },
  BFS_TOP_DOWN,
  1 << 6,
)

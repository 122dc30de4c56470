import { kernel } from '../kernel.ts'
import { ARCS, NEXT } from './bfs-top-down.ts'
import wgsl from './bfs-arcs.wgsl?raw'

/** That the kernel is launched with at most: each adds several degrees. */
export const ARC_THREADS = 1 << 16

/** Arcs of the next frontier; see bfs-arcs.wgsl. */
export const bfsArcs = kernel(
  'bfs-arcs',
  wgsl,
  ['low'],
  ['next', 'degrees', 'counters'],
  ({ low }, { next, degrees, counters }) => {
    let sum = counters[ARCS]! + 2 ** 32 * counters[ARCS + 1]!
    for (let i = 0; i < counters[NEXT]!; i++) sum += degrees[next[i]! - low]!
    counters[ARCS] = sum
    counters[ARCS + 1] = Math.floor(sum / 2 ** 32)
  },
)

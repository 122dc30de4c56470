import { kernel } from '../kernel.ts'
import wgsl from './bfs-parents.wgsl?raw'

/** No level, no parent: the search does not reach the vertex. */
export const NONE = 0xffffffff

/** The parent of every vertex; see bfs-parents.wgsl. */
export const bfsParents = kernel(
  'bfs-parents',
  wgsl,
  ['first', 'rows', 'base'],
  ['offsets', 'targets', 'levels', 'parents'],
  ({ first, rows, base }, { offsets, targets, levels, parents }) => {
    for (let row = 0; row < rows; row++) {
      const v = first + row
      const level = levels[v]!
      let parent = level === 0 ? v : NONE
      if (level !== 0 && level !== NONE)
        for (let at = offsets[row]!, end = offsets[row + 1]!; at < end; at++) {
          if (levels[targets[at]!] !== level - 1) continue
          parent = targets[at]!
          break
        }
      parents[v - base] = parent
    }
  },
)

import { kernel } from '../kernel.ts'
import { neighboursPart } from '../parts/neighbours.ts'
import { link, forestPart } from '../parts/union-find.ts'
import wgsl from './component-link.wgsl?raw'

/** Joins vertices with their neighbours; see component-link.wgsl. */
export const componentLink = kernel(
  'component-link',
  [wgsl, forestPart, neighboursPart],
  ['first', 'rows'],
  { offsets: 'read', targets: 'read', parents: 'atomic' },
  ({ first, rows }, { offsets, targets, parents }) => {
    for (let row = 0; row < rows; row++) {
      const v = first + row
      for (let at = offsets[row]!, end = offsets[row + 1]!; at < end && targets[at]! < v; at++)
        link(parents, v, targets[at]!)
    }
  },
)

import { kernel } from '../kernel.ts'
import { rootOf, forestPart } from '../parts/union-find.ts'
import wgsl from './component-flatten.wgsl?raw'

/** The components of some vertices; see component-flatten.wgsl. */
export const componentFlatten = kernel(
  'component-flatten',
  [wgsl, forestPart],
  ['first', 'count'],
  { parents: 'atomic' },
  ({ first, count }, { parents }) => {
    for (let v = first; v < first + count; v++) parents[v] = rootOf(parents, v)
  },
)

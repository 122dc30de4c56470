import { kernel } from '../kernel.ts'
import { rootOf, forestPart } from '../parts/union-find.ts'
import wgsl from './component-flatten.wgsl?raw'

/** The component of every vertex; see component-flatten.wgsl. */
export const componentFlatten = kernel(
  'component-flatten',
  [wgsl, forestPart],
  ['vertices'],
  { parents: 'atomic' },
  ({ vertices }, { parents }) => {
    for (let v = 0; v < vertices; v++) parents[v] = rootOf(parents, v)
  },
)

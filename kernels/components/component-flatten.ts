import { kernel } from '../kernel.ts'
import { withEach } from '../parts/each.ts'
import { rootOf, withForest } from '../parts/union-find.ts'
import wgsl from './component-flatten.wgsl?raw'

/** The component of every vertex; see component-flatten.wgsl. */
export const componentFlatten = kernel(
  'component-flatten',
  withEach(withForest(wgsl)),
  ['vertices'],
  { parents: 'atomic' },
  ({ vertices }, { parents }) => {
    for (let v = 0; v < vertices; v++) parents[v] = rootOf(parents, v)
  },
)

import { kernel } from '../kernel.ts'
import { link, forestPart } from '../parts/union-find.ts'
import wgsl from './component-merge.wgsl?raw'

/** Joins two forests; see component-merge.wgsl. */
export const componentMerge = kernel(
  'component-merge',
  [wgsl, forestPart],
  ['vertices'],
  { forest: 'read', parents: 'atomic' },
  ({ vertices }, { forest, parents }) => {
    for (let v = 0; v < vertices; v++) if (forest[v] !== v) link(parents, v, forest[v]!)
  },
)

import { kernel } from '../kernel.ts'
import wgsl from './bfs-pack.wgsl?raw'

/** A list as a bitmap; see bfs-pack.wgsl. */
export const bfsPack = kernel('bfs-pack', wgsl, ['count'], ['list', 'bits'], ({ count }, { list, bits }) => {
  for (let i = 0; i < count; i++) {
    const v = list[i]!
    bits[v >>> 5]! |= 1 << (v & 31)
  }
})

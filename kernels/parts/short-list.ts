import { withVertexOrder } from './vertex-order.ts'
import wgsl from './short-list.wgsl?raw'

/** Neighbours that the list of a vertex may have for short-list.wgsl: a bit each. */
export const MOST_SHORT = 32

/** A shader that visits short lists, with what it shares with the others; see short-list.wgsl. */
export const withShortLists = (shader: string): string => withVertexOrder(`${shader}\n${wgsl}`)

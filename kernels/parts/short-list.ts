import { orderParts } from './vertex-order.ts'
import wgsl from './short-list.wgsl?raw'

export const MOST_SHORT = 32

export const shortListParts = [wgsl, ...orderParts]

import { shiftedHash } from './vertex-order.ts'
import wgsl from './colour-order.wgsl?raw'

export const withColourOrder = (shader: string): string => `${shader}\n${wgsl}`

/** Of a vertex without a colour. */
export const UNCOLOURED = 0xffffffff

/** Of equal keys, whether u is coloured before v. */
export const breaksTie = (u: number, v: number, shift: number): boolean =>
  shiftedHash(u + shift) > shiftedHash(v + shift)

import { hashPart, shiftedHash } from './vertex-hash.ts'
import wgsl from './colour-order.wgsl?raw'

export const colourOrderParts = [wgsl, hashPart]

/** Of a vertex without a colour. */
export const UNCOLOURED = 0xffffffff

/** Of equal keys, whether u is coloured before v. */
export const breaksTie = (u: number, v: number, shift: number): boolean =>
  shiftedHash(u + shift) > shiftedHash(v + shift)

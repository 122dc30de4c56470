import { hashPart, shiftedHash } from './vertex-hash.ts'
import wgsl from './colour-order.wgsl?raw'

export const colourOrderParts = [wgsl, hashPart]

/** The colour of a vertex that has none. */
export const UNCOLOURED = 0xffffffff

/** Whether u is coloured before v, where their keys are equal. */
export const breaksTie = (u: number, v: number, shift: number): boolean =>
  shiftedHash(u + shift) > shiftedHash(v + shift)

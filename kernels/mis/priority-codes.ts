import { shiftedHash } from '../parts/vertex-hash.ts'
import { orders } from '../parts/vertex-order.ts'

/** Larger degrees share the last place of the table. */
export const CODED_DEGREES = 1024
export const COLUMN_BOUNDS = 256
export const CODES = 254
/** Counters behind those of the two lists of records. */
export const setCounter = {
  /** Words of the pool in use. */
  POOL: 2,
  /** Long lists. */
  LONG: 3,
  /** Deferred vertices, which have no record. */
  LEFT: 4,
  /** Not 0 where offsets descend. */
  DAMAGE: 5,
  /** Words of the pool that are left once it is compact. */
  ENTRIES: 6,
  /** All of them. */
  COUNT: 8,
} as const

export interface CodeParams {
  readonly order: number
  readonly shift: number
  /** Arcs / vertices, and 126 times that, as f32 bits. */
  readonly mean: number
  readonly scaled: number
}

const floatOf = (bits: number): number => new Float32Array(Uint32Array.of(bits).buffer)[0]!

/** The code of a vertex that has neighbours. */
export function codeOf(
  { order, shift, mean, scaled }: CodeParams,
  codes: Uint32Array,
  column: Uint32Array,
): (v: number, degree: number) => number {
  const [a, s] = [floatOf(mean), floatOf(scaled)]
  if (order === orders.ecl) return (v, degree) => eclByte(degree, shiftedHash(v + shift), a, s)
  if (order === orders.hash) return (v) => 1 + (((shiftedHash(v + shift) >>> 16) * CODES) >>> 16)
  if (order === orders.column) return (v) => columnCode(codes, column[2 * v + 1]!)
  return (v, degree) => {
    const place = codes[degree < CODED_DEGREES ? degree : CODED_DEGREES - 1]!
    return ((place >>> 16) + (((place & 0xffff) * (shiftedHash(v + shift) >>> 16)) >>> 16)) >>> 8
  }
}

/** The priority byte of ECL-MIS (TOPC 2018, section 3.2), always odd. @param mean arcs / vertices as f32; `scaled` 126 times that */
export function eclByte(degree: number, hash: number, mean: number, scaled: number): number {
  const fround = Math.fround
  const x = fround(fround(degree) - fround(hash) * 2 ** -32)
  const quotient = fround(scaled / fround(mean + x))
  const below = Math.floor(quotient)
  const rest = quotient - below
  const up = rest > 0.5 || (rest === 0.5 && (below & 1) === 1)
  return 2 * (up ? below + 1 : below) + 1
}

function columnCode(bounds: Uint32Array, high: number): number {
  let low = 0
  for (let size = COLUMN_BOUNDS / 2; size >= 1; size /= 2) if (bounds[low + size - 1]! < high) low += size
  return 1 + Math.min(low, CODES - 1)
}

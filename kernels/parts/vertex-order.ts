import { hashPart, shiftedHash } from './vertex-hash.ts'
import wgsl from './vertex-order.wgsl?raw'
import { statesPart } from './vertex-states.ts'

export const orderParts = [wgsl, hashPart, statesPart]

export const orders = { degree: 0, ecl: 1, hash: 2, column: 3 } as const

interface OrderKeys {
  readonly order: number
  /** seed * 0x9e3779b9. */
  readonly shift: number
  /** Modulo 2^32. */
  readonly ends: Uint32Array
  /** Two words a vertex, the lower first; of `column` alone. */
  readonly column: Uint32Array
}

/** The order of vertices of equal codes. */
export function precedence({ order, shift, ends, column }: OrderKeys): (u: number, v: number) => boolean {
  const hashed = (u: number, v: number): boolean => shiftedHash(u + shift) > shiftedHash(v + shift)
  const degree = (v: number): number => (ends[v]! - (v === 0 ? 0 : ends[v - 1]!)) >>> 0
  if (order === orders.ecl) return (u, v) => u > v
  if (order === orders.hash) return hashed
  if (order === orders.degree)
    return (u, v) => {
      const [other, mine] = [degree(u), degree(v)]
      return other === mine ? hashed(u, v) : other < mine
    }
  return (u, v) => {
    const high = column[2 * u + 1]! - column[2 * v + 1]!
    const difference = high === 0 ? column[2 * u]! - column[2 * v]! : high
    return difference === 0 ? hashed(u, v) : difference > 0
  }
}

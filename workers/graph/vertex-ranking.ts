import { createHash } from 'node:crypto'
import { eclByte } from '../../kernels/mis/priority-codes.ts'
import { shiftedHash } from '../../kernels/parts/vertex-order.ts'
import type { Priority } from '../contract/jobs.ts'
import { columnKeys, type OrderRequest } from './set-order.ts'

/** Integers and IEEE single precision only (docs/sets.md). */
export interface PriorityInput extends Omit<OrderRequest, 'priority'> {
  readonly degrees: Uint32Array
}

/** rank[v]: 0 for the lowest priority, n - 1 for the highest; order[rank[v]] = v. */
export interface Ranking {
  readonly rank: Uint32Array
  readonly order: Uint32Array
}

/** Of ECL-MIS (TOPC 2018, section 3.2): a bijection. A seed shifts the ids first. */
export const vertexHash = (v: number, seed = 0): number => shiftedHash(v + Math.imul(seed, 0x9e3779b9))

/** Of ECL-MIS (TOPC 2018, section 3.2), always odd: low degrees tend to high values. */
export function eclPriority(input: PriorityInput): Uint8Array {
  const fround = Math.fround
  const mean = fround(fround(input.arcs) / fround(input.vertices))
  const scaled = fround(126 * mean)
  const bytes = new Uint8Array(input.vertices)
  for (let v = 0; v < input.vertices; v++)
    bytes[v] = eclByte(input.degrees[v]!, vertexHash(v, input.seed), mean, scaled)
  return bytes
}

/** Of equal keys the larger id ranks higher. */
export function rankVertices(priority: Priority, input: PriorityInput): Ranking {
  const order = orderVertices(priority, input)
  const rank = new Uint32Array(input.vertices)
  for (let i = 0; i < order.length; i++) rank[order[i]!] = i
  return { rank, order }
}

function orderVertices(priority: Priority, input: PriorityInput): Uint32Array {
  const { degrees, seed, vertices } = input
  const order = identity(vertices)
  switch (priority) {
    case 'ecl':
      return sortByDigit(order, eclPriority(input), 256)
    case 'hash':
      return sortByHash(order, seed)
    case 'degree':
      return sortByWord(sortByHash(order, seed), (v) => ~degrees[v]! >>> 0)
    case 'column':
      return sortByColumn(sortByHash(order, seed), input.column ?? new Float64Array(vertices))
  }
}

function identity(length: number): Uint32Array {
  const order = new Uint32Array(length)
  for (let i = 0; i < length; i++) order[i] = i
  return order
}

const DIGITS = 1 << 16

/** Stable. */
function sortByDigit(order: Uint32Array, digit: ArrayLike<number>, radix: number): Uint32Array {
  const next = new Uint32Array(radix + 1)
  for (let i = 0; i < order.length; i++) next[digit[order[i]!]! + 1]!++
  for (let d = 0; d < radix; d++) next[d + 1]! += next[d]!
  const sorted = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    const v = order[i]!
    sorted[next[digit[v]!]!++] = v
  }
  return sorted
}

/** Stable; the upper half is skipped where all are alike. */
function sortByWord(order: Uint32Array, keyOf: (v: number) => number): Uint32Array {
  const digit = new Uint16Array(order.length)
  let differences = 0
  const first = order.length === 0 ? 0 : keyOf(0)
  for (let v = 0; v < order.length; v++) {
    const key = keyOf(v)
    digit[v] = key
    differences |= key ^ first
  }
  const sorted = sortByDigit(order, digit, DIGITS)
  if (differences >>> 16 === 0) return sorted
  for (let v = 0; v < order.length; v++) digit[v] = keyOf(v) >>> 16
  return sortByDigit(sorted, digit, DIGITS)
}

function sortByHash(order: Uint32Array, seed: number): Uint32Array {
  return sortByWord(order, (v) => vertexHash(v, seed))
}

/** -0 equals 0. */
function sortByColumn(order: Uint32Array, column: Float64Array): Uint32Array {
  const keys = columnKeys(column)
  const low = sortByWord(order, (v) => keys[2 * v]!)
  return sortByWord(low, (v) => keys[2 * v + 1]!)
}

export function orderName({ priority, seed, column }: Pick<OrderRequest, 'priority' | 'seed' | 'column'>): string {
  if (column === undefined) return `${priority}-${seed}`
  const digest = createHash('sha256').update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  return `${priority}-${digest.digest('hex').slice(0, 16)}-${seed}`
}

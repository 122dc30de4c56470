import { createHash } from 'node:crypto'
import { eclByte } from '../../kernels/mis/priority-codes.ts'
import { shiftedHash } from '../../kernels/parts/vertex-hash.ts'
import type { Priority } from '../contract/jobs.ts'
import { radixOrder } from './radix-sorter.ts'
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
  const key = (of: (v: number) => number): Uint32Array => {
    const words = new Uint32Array(vertices)
    for (let v = 0; v < vertices; v++) words[v] = of(v)
    return words
  }
  if (priority === 'ecl') return radixOrder([new Uint32Array(eclPriority(input))])
  const hashes = key((v) => vertexHash(v, seed))
  if (priority === 'hash') return radixOrder([hashes])
  if (priority === 'degree') return radixOrder([hashes, key((v) => ~degrees[v]!)])
  // -0 equals 0.
  const column = columnKeys(input.column ?? new Float64Array(vertices))
  return radixOrder([hashes, key((v) => column[2 * v]!), key((v) => column[2 * v + 1]!)])
}

export function orderName({ priority, seed, column }: Pick<OrderRequest, 'priority' | 'seed' | 'column'>): string {
  if (column === undefined) return `${priority}-${seed}`
  const digest = createHash('sha256').update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  return `${priority}-${digest.digest('hex').slice(0, 16)}-${seed}`
}

/**
 * Orders of vertices, total ones, by which maximal sets are defined: degree, hash, ECL-MIS's (TOPC 2018, section 3.2), or a column of the
 * user's. In two forms: codes of a byte that settle most comparisons of a scan, drawn from a sample of degrees, with keys for the others; and
 * ranks of all vertices, by sorting. Both give the same order, and tests compare them. kernels/parts/vertex-order.ts compares on devices.
 */

import { createHash } from 'node:crypto'
import { CODED_DEGREES, type CodeParams, CODES, COLUMN_BOUNDS, eclByte } from '../../kernels/mis/priority-codes.ts'
import { shiftedHash } from '../../kernels/parts/vertex-hash.ts'
import { orders } from '../../kernels/parts/vertex-order.ts'
import { bytesOf } from '../base/words.ts'
import type { Priority } from '../contract/jobs.ts'
import { radixOrder } from './radix-order.ts'

/** Codes settle most comparisons (kernels/mis/priority-codes.ts), keys the others (kernels/parts/vertex-order.ts). */
export interface SetOrder {
  readonly priority: Priority
  readonly params: CodeParams
  /** One word where no table is looked up. */
  readonly codes: Uint32Array
  /** Two words a vertex, the lower first; one pair for other priorities. */
  readonly column: Uint32Array
}

interface OrderRequest {
  readonly priority: Priority
  readonly seed: number
  readonly vertices: number
  readonly arcs: number
  /** The finite values of priority `column`, and of it alone. */
  readonly column?: Float64Array | undefined
}

/** @param sample degrees: they decide how fine the codes are, not the order */
export function setOrder({ priority, seed, vertices, arcs, column }: OrderRequest, sample: Uint32Array): SetOrder {
  const fround = Math.fround
  const mean = fround(fround(arcs) / fround(vertices))
  const [meanBits, scaledBits] = new Uint32Array(Float32Array.of(mean, fround(126 * mean)).buffer)
  const params = {
    order: orders[priority],
    shift: Math.imul(seed, 0x9e3779b9) >>> 0,
    mean: meanBits!,
    scaled: scaledBits!,
  }
  const keys = priority === 'column' ? columnKeys(column ?? new Float64Array(vertices)) : new Uint32Array(2)
  return { priority, params, codes: codesOf(priority, sample, keys), column: keys }
}

function codesOf(priority: Priority, sample: Uint32Array, keys: Uint32Array): Uint32Array {
  if (priority === 'degree') return degreeCodes(sample)
  return priority === 'column' ? columnBounds(keys) : new Uint32Array(1)
}

/** The codes are divided in 256ths. */
const PART = 256

/**
 * The smallest degree at the top, as wide as its share of arcs: start in the upper half of a word, width in the
 * lower. The hash decides within a range.
 */
function degreeCodes(sample: Uint32Array): Uint32Array {
  const last = CODED_DEGREES - 1
  const mass = new Float64Array(CODED_DEGREES)
  for (const degree of sample) if (degree < last) mass[degree]! += degree
  const total = mass.reduce((sum, each) => sum + each, 0)
  const table = new Uint32Array(CODED_DEGREES)
  // Many degrees: the full comparison tells them apart.
  table[last] = PART << 16
  const room = (CODES - 1) * PART
  let above = 0
  for (let degree = 1; degree < last; degree++) {
    const top = 2 * PART + room - Math.round((room * above) / Math.max(1, total))
    above += mass[degree]!
    const start = 2 * PART + room - Math.round((room * above) / Math.max(1, total))
    table[degree] = (start << 16) | (top - start)
  }
  return table
}

/** Doubles as words that ascend: all bits of negative numbers flipped, the sign bit of the others; -0 equals 0. */
function columnKeys(column: Float64Array): Uint32Array {
  const words = new Uint32Array(column.buffer, column.byteOffset, 2 * column.length)
  const keys = new Uint32Array(new SharedArrayBuffer(Math.max(8, words.byteLength)))
  for (let v = 0; v < column.length; v++) {
    const isNegative = column[v]! < 0
    keys[2 * v] = isNegative ? ~words[2 * v]! : words[2 * v]!
    keys[2 * v + 1] = isNegative ? ~words[2 * v + 1]! : (words[2 * v + 1]! & 0x7fffffff) | 0x80000000
  }
  return keys
}

const SAMPLED = 1 << 16

/** Bounds with equal numbers of samples between them. */
function columnBounds(keys: Uint32Array): Uint32Array {
  const vertices = keys.length / 2
  const step = Math.max(1, Math.ceil(vertices / SAMPLED))
  const sample = Uint32Array.from({ length: Math.ceil(vertices / step) }, (_, i) => keys[2 * i * step + 1]!).sort()
  return Uint32Array.from({ length: COLUMN_BOUNDS }, (_, i) =>
    i < CODES - 1 ? (sample[Math.floor(((i + 1) * sample.length) / CODES)] ?? 0xffffffff) : 0xffffffff,
  )
}

/** Integers and IEEE single precision only (docs/sets.md). */
interface PriorityInput extends Omit<OrderRequest, 'priority'> {
  readonly degrees: Uint32Array
}

/** rank[v]: 0 for the lowest priority, n - 1 for the highest; order[rank[v]] = v. */
interface Ranking {
  readonly rank: Uint32Array
  readonly order: Uint32Array
}

/** The hash of ECL-MIS (TOPC 2018, section 3.2): a bijection. A seed shifts the ids first. */
export const vertexHash = (v: number, seed = 0): number => shiftedHash(v + Math.imul(seed, 0x9e3779b9))

/** The priorities of ECL-MIS (TOPC 2018, section 3.2), always odd: low degrees tend to high values. */
export function eclPriority(input: PriorityInput): Uint8Array {
  const fround = Math.fround
  const mean = fround(fround(input.arcs) / fround(input.vertices))
  const scaled = fround(126 * mean)
  const bytes = new Uint8Array(input.vertices)
  for (let v = 0; v < input.vertices; v++)
    bytes[v] = eclByte(input.degrees[v]!, vertexHash(v, input.seed), mean, scaled)
  return bytes
}

/** The ranks of all vertices: the larger id ranks higher among equal keys. */
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
  const digest = createHash('sha256').update(bytesOf(column))
  return `${priority}-${digest.digest('hex').slice(0, 16)}-${seed}`
}

/**
 * What verify-matching.ts does with a batch of lists, compiled once for all threads: laws and prices in WebAssembly (matching-check.wat). Mates,
 * prices and degrees are in one shared memory, a batch in one of its own, which grows for a long list. Figures are those of the twins in
 * JavaScript to the bit, which do it where no memory can hold the tables, and for small graphs.
 */

import { wasmExports } from '../../kernels/parts/wasm-exports.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import { EdgeWeigher } from '../graph/scan-lists.ts'
import { ABSENT, BatchMemory, type OrderKernel, type TableMemory, tableMemory } from './batch-memory.ts'
import { MATCHING_CHECK } from './check-modules.ts'
import type { BatchSpace } from './passes.ts'

interface Kernel extends OrderKernel {
  given(...places: readonly number[]): void
  claimed(
    weights: number,
    ties: number,
    isDominant: number,
    seedHigh: number,
    seedLow: number,
    least: number,
    most: number,
  ): void
  begin(first: number, end: number): void
  start(first: number, lists: number): number
  scan(first: number, lists: number, settled: number, looks: number): number
  settle(first: number, lists: number): void
}

const weightRules = { unit: 0, random3: 1, column: 2 } as const
const tieRules = { hash: 0, degree: 1, id: 2 } as const

/** The tables of all vertices in their shared memory. */
export interface MatchingTables extends TableMemory {
  readonly vertices: number
  /** Whether ties go by degrees. */
  readonly hasDegrees: boolean
}

/** undefined: no memory can hold them. */
export function shareMatchingTables(of: Omit<MatchingTables, keyof TableMemory>): MatchingTables | undefined {
  const memory = tableMemory(placesOf(of).end, MATCHING_CHECK)
  return memory && { ...of, ...memory }
}

/** The bytes at which tables begin. */
function placesOf({ vertices, hasDegrees }: Omit<MatchingTables, keyof TableMemory>) {
  const mates = 8 * vertices
  const degrees = mates + 4 * vertices
  return { prices: 0, mates, degrees, end: degrees + (hasDegrees ? 4 * vertices : 0) }
}

/** Views of the tables. */
export function matchingTablesIn(tables: MatchingTables) {
  const { vertices, hasDegrees } = tables
  const { buffer } = tables.memory
  const { prices, mates, degrees } = placesOf(tables)
  return {
    prices: new Float32Array(buffer, prices, 2 * vertices),
    mates: new Uint32Array(buffer, mates, vertices),
    degrees: new Uint32Array(buffer, degrees, hasDegrees ? vertices : 0),
  }
}

/** Bytes of an arc: its target, its weight, and both where it waits. */
const ARC_BYTES = 16

/** What the mates are claimed to be. */
interface MatchingRules {
  readonly order: EdgeOrder
  readonly dominant: boolean
}

/** The memory of one batch, with the kernel that works on it. */
export class MatchingSpace implements BatchSpace {
  readonly #tables: MatchingTables
  readonly #own: BatchMemory<{ partials: number; ends: number; matched: number }>
  readonly #kernel: Kernel
  readonly #capacity: number

  constructor(tables: MatchingTables, capacity: number, { order, dominant }: MatchingRules) {
    this.#tables = tables
    this.#capacity = capacity
    this.#own = new BatchMemory(capacity, { partials: 16, ends: 4, matched: 4 }, ARC_BYTES)
    this.#kernel = wasmExports(tables.module, { shared: tables.memory, own: this.#own.memory })
    const { least, most } = new EdgeWeigher(order)
    const seedHigh = Math.floor(order.seed / 2 ** 32)
    const rules = [weightRules[order.weights], tieRules[order.ties]] as const
    this.#kernel.claimed(...rules, Number(dominant), seedHigh, order.seed | 0, leastFloat(least), most)
    this.#place(0)
  }

  get starts(): Uint32Array<ArrayBuffer> {
    return this.#own.starts
  }

  targets(arcs: number): Uint32Array<ArrayBuffer> {
    const room = 4 * Math.ceil(arcs / 4)
    const { buffer, byteOffset } = this.#own.targets(room)
    this.#place(room)
    return new Uint32Array(buffer, byteOffset, arcs)
  }

  /** Behind room for so many targets. */
  stored(arcs: number): Float32Array<ArrayBuffer> {
    const room = 4 * Math.ceil(arcs / 4)
    return new Float32Array(this.#own.memory.buffer, this.#own.targetsAt + 4 * room, arcs)
  }

  areOrdered(lists: number, vertices: number): boolean {
    return this.#kernel.ordered(lists, vertices) === 1
  }

  /** Starts the prices of vertices without their lists, where weights are not stored. */
  begin(first: number, end: number): void {
    this.#kernel.begin(first | 0, end | 0)
  }

  /** Starts prices. The first list whose vertex is not matched validly, or their number. */
  start(first: number, lists: number): number {
    return this.#kernel.start(first | 0, lists)
  }

  /** The weights of the matched edges of a batch that was started; negative for none. */
  get matched(): Float32Array {
    return new Float32Array(this.#own.memory.buffer, this.#own.tables.matched, this.#capacity)
  }

  /** The first list with an edge to a higher vertex that breaks a law, where it `looks`, or their number. */
  scan(first: number, lists: number, settled: number, looks: boolean): number {
    return this.#kernel.scan(first | 0, lists, settled | 0, Number(looks))
  }

  settle(first: number, lists: number): void {
    this.#kernel.settle(first | 0, lists)
  }

  /** @param room for so many arcs, a multiple of 4 */
  #place(room: number): void {
    const shared = placesOf(this.#tables)
    const { tables, targetsAt } = this.#own
    const [toWeight, open, toOpenWeight] = [4 * room, targetsAt + 8 * room, 4 * room]
    this.#kernel.given(
      ...[shared.mates, shared.prices, this.#tables.hasDegrees ? shared.degrees : ABSENT],
      ...[0, tables.partials, tables.ends, tables.matched],
      ...[targetsAt, toWeight, open, toOpenWeight],
    )
  }
}

/** The least f32 that is not below x: no float is between the two. */
function leastFloat(x: number): number {
  const near = Math.fround(x)
  if (near >= x) return near
  const bits = new Uint32Array(Float32Array.of(near).buffer)
  bits[0]!++
  return new Float32Array(bits.buffer)[0]!
}

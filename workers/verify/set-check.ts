/**
 * What verify-independent-set.ts does with a batch of lists, compiled once for all threads: laws, choices and matching in WebAssembly
 * (set-check.wat), which take a fourth of the time of JavaScript. Tables of all vertices are in one shared memory, a batch in one of its
 * own, which grows for a long list. Where no memory can hold the tables, the twins in JavaScript do the same.
 */

import { ABSENT, BatchMemory, type OrderKernel, type TableMemory, tableMemory } from './batch-memory.ts'
import { SET_CHECK } from './check-modules.ts'
import type { BatchSpace } from './passes.ts'
import { wasmExports } from '../../kernels/parts/wasm-exports.ts'

/** Ranks from here on are of several degrees. */
export const SHARED_RANKS = 64
export const MATCHED = 255

/** The degree below 64, then two ranks for each doubling. */
export function degreeRank(degree: number): number {
  if (degree < SHARED_RANKS) return degree
  const doublings = 25 - Math.clz32(degree)
  return 62 + 2 * doublings + (degree >>> (doublings + 5))
}

/** The choices of a vertex; one of them is nearly always free when the vertex is settled. */
export const CHOICES = 2

interface Kernel extends OrderKernel {
  given(...places: readonly number[]): void
  rank(first: number, vertices: number, place: number): number
  broken(first: number, lists: number): number
  name(first: number, lists: number): number
  joined(): number
  components(first: number, end: number): number
  scan(first: number, lists: number): void
  settle(first: number, lists: number): number
}

/** What the tables of all vertices are for. */
interface TableKinds {
  readonly vertices: number
  readonly isExcluding: boolean
  /** Whether the pairs themselves are wanted. */
  readonly notesMates: boolean
}

/** The tables of all vertices in their shared memory. */
export interface SharedTables extends TableKinds, TableMemory {}

/** undefined: no memory can hold them. */
export function shareTables(of: TableKinds): SharedTables | undefined {
  const memory = tableMemory(placesOf(of).end, SET_CHECK)
  return memory && { ...of, ...memory }
}

/** Bytes of each table, by name, from where it begins. */
function placesOf({ vertices, isExcluding, notesMates }: TableKinds) {
  const bits = 4 * Math.ceil(vertices / 32)
  const degrees = 4 * Math.ceil(vertices / 4)
  const links = degrees + 4 * vertices
  const members = links + (notesMates ? 8 : 4) * vertices
  const excluded = members + bits
  return { ranks: 0, degrees, links, members, excluded, end: excluded + (isExcluding ? bits : 0) }
}

/** Views of the tables. */
export function tablesIn(tables: SharedTables) {
  const { vertices, isExcluding } = tables
  const { buffer } = tables.memory
  const { ranks, degrees, links, members, excluded } = placesOf(tables)
  const bytes = Math.ceil(vertices / 8)
  return {
    ranks: new Uint8Array(buffer, ranks, vertices),
    degrees: new Uint32Array(buffer, degrees, vertices),
    links: new Uint32Array(buffer, links, (members - links) / 4),
    members: new Uint8Array(buffer, members, bytes),
    excluded: isExcluding ? new Uint8Array(buffer, excluded, bytes) : undefined,
  }
}

/** The memory of one batch, with the kernel that works on it. */
export class SetSpace implements BatchSpace {
  readonly #own: BatchMemory<{ counts: number; choices: number }>
  readonly #kernel: Kernel

  constructor(tables: SharedTables, capacity: number) {
    this.#own = new BatchMemory(capacity, { counts: 1, choices: 4 * CHOICES }, 4)
    const { memory, tables: own, targetsAt } = this.#own
    this.#kernel = wasmExports(tables.module, { shared: tables.memory, own: memory })
    const { isExcluding, notesMates } = tables
    const shared = placesOf(tables)
    const noted = notesMates ? shared.links : ABSENT
    this.#kernel.given(
      ...[shared.ranks, shared.degrees, noted, shared.members, isExcluding ? shared.excluded : ABSENT],
      ...[noted, shared.links, 0, targetsAt, own.counts, own.choices],
    )
  }

  get starts(): Uint32Array<ArrayBuffer> {
    return this.#own.starts
  }

  targets(arcs: number): Uint32Array<ArrayBuffer> {
    return this.#own.targets(arcs)
  }

  areOrdered(lists: number, vertices: number): boolean {
    return this.#kernel.ordered(lists, vertices) === 1
  }

  /**
   * Notes degrees and ranks by offsets in place of the targets. @param place of the first of them, in words @returns how many more of the vertices with neighbours are members than outside;
   * undefined: offsets do not ascend
   */
  rank(first: number, vertices: number, place: number): number | undefined {
    const surplus = this.#kernel.rank(first | 0, vertices, place)
    return surplus === -(2 ** 31) ? undefined : surplus
  }

  /** The first list that breaks a law, or their number; members name their neighbours. */
  name(first: number, lists: number): number {
    return this.#kernel.name(first | 0, lists)
  }

  /** Components of what is named that this kernel joined to others. */
  get joined(): number {
    return this.#kernel.joined()
  }

  /** The components with a vertex to spare, but for those that are counted: by their vertices in [first, end). */
  components(first: number, end: number): number {
    return this.#kernel.components(first | 0, end | 0)
  }

  /** The first list that breaks a law, or their number. */
  broken(first: number, lists: number): number {
    return this.#kernel.broken(first | 0, lists)
  }

  scan(first: number, lists: number): void {
    this.#kernel.scan(first | 0, lists)
  }

  /** The pairs that it matched. */
  settle(first: number, lists: number): number {
    return this.#kernel.settle(first | 0, lists)
  }
}

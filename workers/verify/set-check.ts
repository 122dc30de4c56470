/**
 * What verify-independent-set.ts does with a batch of lists, compiled once for all threads: laws, choices and matching in WebAssembly
 * (set-check.wat), which take a fourth of the time of JavaScript. Tables of all vertices are in one shared memory, a batch in one of its
 * own, which grows for a long list. Where no memory can hold the tables, the twins in JavaScript do the same.
 */

import { ABSENT, BatchMemory, type OrderKernel, type TableMemory, tableMemory } from './batch-memory.ts'
import { SET_CHECK } from './check-modules.ts'
import type { BatchSpace } from './passes.ts'
import { wasmExports } from '../../kernels/parts/wasm-exports.ts'

/** The choices of a vertex; one of them is nearly always free when the vertex is settled. */
export const CHOICES = 2

interface Kernel extends OrderKernel {
  given(...places: readonly number[]): void
  broken(first: number, lists: number): number
  scan(first: number, lists: number): void
  settle(first: number, lists: number): number
}

/** The tables of all vertices in their shared memory. */
export interface SharedTables extends TableMemory {
  readonly vertices: number
  readonly isExcluding: boolean
  readonly notesMates: boolean
}

/** undefined: no memory can hold them. */
export function shareTables(of: Omit<SharedTables, keyof TableMemory>): SharedTables | undefined {
  const memory = tableMemory(placesOf(of).end, SET_CHECK)
  return memory && { ...of, ...memory }
}

/** Bytes of each table, by name, from where it begins. */
function placesOf({ vertices, isExcluding, notesMates }: Omit<SharedTables, keyof TableMemory>) {
  const bits = 4 * Math.ceil(vertices / 32)
  const degrees = 4 * Math.ceil(vertices / 4)
  const mates = degrees + 4 * vertices
  const members = mates + (notesMates ? 4 * vertices : 0)
  const excluded = members + bits
  return { ranks: 0, degrees, mates, members, excluded, end: excluded + (isExcluding ? bits : 0) }
}

/** Views of the tables. */
export function tablesIn(tables: SharedTables) {
  const { vertices, isExcluding, notesMates } = tables
  const { buffer } = tables.memory
  const { ranks, degrees, mates, members, excluded } = placesOf(tables)
  const bytes = Math.ceil(vertices / 8)
  return {
    ranks: new Uint8Array(buffer, ranks, vertices),
    degrees: new Uint32Array(buffer, degrees, vertices),
    mates: new Uint32Array(buffer, mates, notesMates ? vertices : 0),
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
    this.#kernel.given(
      ...[shared.ranks, shared.degrees, notesMates ? shared.mates : ABSENT],
      ...[shared.members, isExcluding ? shared.excluded : ABSENT],
      ...[0, targetsAt, own.counts, own.choices],
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

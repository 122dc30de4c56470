/**
 * What verify-independent-set.ts does with a batch of lists, compiled once for all threads: laws, choices and matching in WebAssembly
 * (set-check.wat), which take a fourth of the time of JavaScript. Tables of all vertices are in one shared memory, a batch in one of its
 * own, which grows for a long list. Where no memory can hold the tables, the twins in JavaScript do the same.
 */

import { PAGE_BYTES } from '../../kernels/kernel.ts'
import { sharedMemory } from '../base/words.ts'
import { SET_CHECK } from './set-check-module.ts'
import type { BatchSpace } from './passes.ts'
import { wasmExports } from '../../kernels/parts/wasm-exports.ts'

/** The choices of a vertex; one of them is nearly always free when the vertex is settled. */
export const CHOICES = 2
const ABSENT = -1

interface Kernel {
  given(...places: readonly number[]): void
  ordered(lists: number, vertices: number): number
  broken(first: number, lists: number): number
  scan(first: number, lists: number): void
  settle(first: number, lists: number): number
}

let compiled: WebAssembly.Module | undefined

/** The tables of all vertices in their shared memory. */
export interface SharedTables {
  readonly memory: WebAssembly.Memory
  readonly module: WebAssembly.Module
  readonly vertices: number
  readonly isExcluding: boolean
  readonly notesMates: boolean
}

/** undefined: no memory can hold them. */
export function shareTables(of: Omit<SharedTables, 'memory' | 'module'>): SharedTables | undefined {
  const memory = sharedMemory(placesOf(of).end)
  if (memory === undefined) return undefined
  compiled ??= new WebAssembly.Module(Buffer.from(SET_CHECK, 'base64'))
  return { ...of, memory, module: compiled }
}

/** Bytes of each table, by name, from where it begins. */
function placesOf({ vertices, isExcluding, notesMates }: Omit<SharedTables, 'memory' | 'module'>) {
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
  readonly #capacity: number
  readonly #memory: WebAssembly.Memory
  readonly #kernel: Kernel

  constructor(tables: SharedTables, capacity: number) {
    this.#capacity = capacity
    const { starts, counts, choices, targets } = this.#places
    this.#memory = new WebAssembly.Memory({ initial: pagesFor(targets) })
    this.#kernel = wasmExports(tables.module, { shared: tables.memory, own: this.#memory })
    const { isExcluding, notesMates } = tables
    const shared = placesOf(tables)
    this.#kernel.given(
      ...[shared.ranks, shared.degrees, notesMates ? shared.mates : ABSENT],
      ...[shared.members, isExcluding ? shared.excluded : ABSENT],
      ...[starts, targets, counts, choices],
    )
  }

  get starts(): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#memory.buffer, this.#places.starts, this.#capacity + 1)
  }

  /** It grows for a long list, and stays so. */
  targets(arcs: number): Uint32Array<ArrayBuffer> {
    const { targets } = this.#places
    const missing = pagesFor(targets + 4 * arcs) - this.#memory.buffer.byteLength / PAGE_BYTES
    if (missing > 0) this.#memory.grow(missing)
    return new Uint32Array(this.#memory.buffer, targets, arcs)
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

  get #places() {
    const starts = 0
    const counts = starts + 4 * (this.#capacity + 1)
    const choices = 16 * Math.ceil((counts + this.#capacity) / 16)
    return { starts, counts, choices, targets: choices + 4 * CHOICES * this.#capacity }
  }
}

/** A vector at the end is loaded whole. */
const pagesFor = (bytes: number): number => Math.ceil((bytes + 16) / PAGE_BYTES)

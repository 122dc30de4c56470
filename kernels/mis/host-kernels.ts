/**
 * The kernels of a thread of processors in a scan, and its part of the residual graph: `index` sets codes of priority, `visit` decides the
 * vertices of lists that were read, `sweep` looks again at those that wait. Once in WebAssembly (host-lists.wat), which all threads run on one
 * memory, and once in JavaScript by the same twins as everywhere, for orders and sizes that the module does not know; tests compare the two.
 * ecl-mis/processors.ts calls them.
 */

import type { Range } from '../../workers/base/ranges.ts'
import type { GraphPieces } from '../../workers/graph/graph-pieces.ts'
import type { SetOrder } from '../../workers/graph/set-order.ts'
import { MOST_PAGES, PAGE_BYTES } from '../kernel.ts'
import { IN, OUT, stateBytes } from '../parts/vertex-states.ts'
import { misIndex } from './mis-index.ts'
import { HOST_LISTS } from './modules.ts'
import { setCounter } from './priority-codes.ts'
import { RECORD_WORDS, type Residual, visitLists } from './visit-lists.ts'
import { wasmExports } from '../parts/wasm-exports.ts'

/** What the threads of processors share. */
export interface HostMemory {
  /** Ends of the adjacency lists modulo 2^32, of all vertices or as far as a thread's window goes. */
  readonly ends: Uint32Array
  readonly hasWindows: boolean
  /** State bytes (kernels/parts/vertex-order.wgsl). */
  readonly states: Uint32Array
  /** The module of host-lists.wat, and the memory of both arrays; undefined where JavaScript visits lists. */
  readonly wasm: { readonly module: WebAssembly.Module; readonly memory: WebAssembly.Memory } | undefined
}

let compiled: WebAssembly.Module | undefined

/** The module of host-lists.wat, compiled once for all runs of a thread, and sent to others. */
export const hostLists = (): WebAssembly.Module =>
  (compiled ??= new WebAssembly.Module(Buffer.from(HOST_LISTS, 'base64')))

/** Sizes of the residual graph of a worker. */
export interface ResidualLimits {
  readonly records: number
  readonly poolWords: number
}

/** The ends of lists among the words that were read. */
type EndOffsets = ReturnType<GraphPieces['endsFrom']>

/** The kernels of a processor and its part of the residual graph. */
export abstract class HostKernels {
  readonly #states: Uint8Array
  /** The place where pieces are read to; another array after a visit. */
  abstract readonly bytes: Uint8Array
  /** Counters as priority-codes.ts has them. */
  protected abstract readonly counters: Uint32Array

  constructor({ states }: HostMemory) {
    this.#states = stateBytes(states)
  }

  /** Whether no vertex of a range waits. */
  isDecided({ first, end }: Range): boolean {
    const states = this.#states
    for (let v = first; v < end; v++) if (states[v] !== IN && states[v] !== OUT) return false
    return true
  }

  /** Records of the residual graph. */
  get count(): number {
    return this.counters[0]!
  }

  /** Words of its pool. */
  get words(): number {
    return this.counters[setCounter.POOL]!
  }

  /** Deferred vertices. */
  get deferred(): number {
    return this.counters[setCounter.LEFT]!
  }

  /** Ends, unless threads have windows of them, and priority codes. @returns false where offsets descend */
  abstract index(vertices: Range, offsets: EndOffsets): boolean
  /**
   * Visits lists. @param origin arc of the first word, modulo 2^32. @param bytes that were read @param ends of these lists behind that of the one
   * before, in the shared memory; undefined: those of all vertices are there
   */
  abstract visit(vertices: Range, origin: number, bytes: number, ends?: Uint32Array): void
  /** One pass over the residual graph, which loses decided vertices and blockers that are out. */
  abstract sweep(): void
  /** The residual graph, without a copy: nothing else is done afterwards. */
  abstract residual(): Residual
}

/** What host-lists.wat exports; it says what the arguments are, places are bytes. */
type ListExports = Readonly<Record<'index' | 'visit' | 'sweep', (...places: number[]) => void>>

/** A thread's memory: counters, the table of codes, what was read, records, the pool. */
const CODES_AT = 4 * setCounter.COUNT
const READ_AT = 8192
const RECORD_BYTES = 4 * RECORD_WORDS
const FIRST_RECORDS = 1 << 12
const FIRST_WORDS = 1 << 14
const LEAST_GROWTH = 1 / 2

/** The kernels of a processor in WebAssembly, compiled once for all threads. */
class ModuleKernels extends HostKernels {
  readonly #order: SetOrder
  readonly #endsAt: number
  /** The place behind all windows: ends that are not kept go there, where no page of them is looked at. */
  readonly #spareAt: number | undefined
  readonly #vertices: number
  readonly #limits: ResidualLimits
  readonly #memory: WebAssembly.Memory
  readonly #exports: ListExports
  readonly #readBytes: number
  readonly #recordsAt: number
  #records: number
  #poolWords: number
  bytes: Uint8Array
  protected counters: Uint32Array

  constructor(
    order: SetOrder,
    host: HostMemory,
    { module, memory: shared }: NonNullable<HostMemory['wasm']>,
    vertices: number,
    limits: ResidualLimits,
    bytes: number,
  ) {
    super(host)
    const { ends, hasWindows } = host
    this.#order = order
    this.#endsAt = ends.byteOffset
    this.#spareAt = hasWindows ? ends.byteOffset + ends.byteLength : undefined
    this.#vertices = vertices
    this.#limits = limits
    this.#readBytes = bytes
    this.#recordsAt = READ_AT + RECORD_BYTES * Math.ceil(bytes / RECORD_BYTES)
    this.#records = Math.min(limits.records, FIRST_RECORDS)
    this.#poolWords = Math.min(limits.poolWords, FIRST_WORDS)
    const own = new WebAssembly.Memory({ initial: pagesOf(this.#poolAt + 4 * this.#poolWords), maximum: MOST_PAGES })
    this.#memory = own
    this.#exports = wasmExports(module, { shared, own })
    new Uint32Array(own.buffer, CODES_AT, order.codes.length).set(order.codes)
    this.bytes = new Uint8Array(own.buffer, READ_AT, bytes)
    this.counters = new Uint32Array(own.buffer, 0, setCounter.COUNT)
  }

  index({ first, end }: Range, { begin, words, before }: EndOffsets): boolean {
    const { order, shift, mean, scaled } = this.#order.params
    const [a, s] = new Float32Array(Uint32Array.of(mean, scaled).buffer)
    const endsAt = this.#spareAt === undefined ? this.#endsAt : this.#spareAt - 4 * first
    this.#exports.index(first, end, READ_AT + 4 * begin, 4 * words, before, order, shift, a!, s!, CODES_AT, endsAt)
    return this.counters[setCounter.DAMAGE] === 0
  }

  visit({ first, end }: Range, origin: number, bytes: number, ends?: Uint32Array): void {
    this.#makeRoom(this.count + end - first, this.words + Math.ceil(bytes / 4))
    const { order, shift } = this.#order.params
    const words = Math.ceil(bytes / 4)
    const residual = [this.#recordsAt, this.#records, this.#poolAt, this.#poolWords]
    const endsAt = ends === undefined ? this.#endsAt : ends.byteOffset - 4 * (first - 1)
    this.#exports.visit(first, end, this.#vertices, endsAt, READ_AT, words, origin, order, shift, ...residual)
  }

  sweep(): void {
    this.#exports.sweep(this.#recordsAt, this.#poolAt)
  }

  residual(): Residual {
    const { buffer } = this.#memory
    return {
      records: new Uint32Array(buffer, this.#recordsAt, RECORD_WORDS * this.count),
      pool: new Uint32Array(buffer, this.#poolAt, this.words),
    }
  }

  get #poolAt(): number {
    return this.#recordsAt + RECORD_BYTES * this.#records
  }

  /** Makes room as far as the limits and the memory allow; the module defers what finds none. */
  #makeRoom(wantedRecords: number, wantedWords: number): void {
    const records = grown(this.#records, wantedRecords, this.#limits.records)
    const words = grown(this.#poolWords, wantedWords, this.#limits.poolWords)
    if (records === this.#records && words === this.#poolWords) return
    const [from, to] = [this.#poolAt, this.#poolAt + 4 * this.words]
    const poolAt = this.#recordsAt + RECORD_BYTES * records
    const missing = pagesOf(poolAt + 4 * words) - this.#memory.buffer.byteLength / PAGE_BYTES
    try {
      if (missing > 0) this.#memory.grow(missing)
    } catch (error) {
      if (error instanceof RangeError) return
      throw error
    }
    const all = new Uint8Array(this.#memory.buffer)
    all.copyWithin(poolAt, from, to)
    this.#records = records
    this.#poolWords = words
    this.bytes = all.subarray(READ_AT, READ_AT + this.#readBytes)
    this.counters = new Uint32Array(all.buffer, 0, setCounter.COUNT)
  }
}

const pagesOf = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES)

function grown(size: number, wanted: number, most: number): number {
  if (wanted <= size || size >= most) return size
  return Math.min(most, Math.max(wanted, Math.ceil((1 + LEAST_GROWTH) * size)))
}

/** The kernels of a processor in JavaScript, for orders and sizes that the module does not know; tests compare the two. */
class TwinKernels extends HostKernels {
  readonly bytes: Uint8Array
  readonly #order: SetOrder
  readonly #memory: HostMemory
  readonly #limits: ResidualLimits
  protected readonly counters = new Uint32Array(setCounter.COUNT)
  readonly #words: Uint32Array
  #records: Uint32Array
  #pool: Uint32Array

  constructor(order: SetOrder, memory: HostMemory, limits: ResidualLimits, bytes: number) {
    super(memory)
    this.#order = order
    this.#memory = memory
    this.#limits = limits
    this.#words = new Uint32Array(Math.ceil(bytes / 4))
    this.bytes = new Uint8Array(this.#words.buffer)
    this.#records = new Uint32Array(RECORD_WORDS * Math.min(limits.records, FIRST_RECORDS))
    this.#pool = new Uint32Array(Math.min(limits.poolWords, FIRST_WORDS))
  }

  /** Keeps all ends. */
  index({ first, end }: Range, offsets: EndOffsets): boolean {
    const { params, codes, column } = this.#order
    const { ends, states } = this.#memory
    const counters = this.counters
    misIndex.twin(
      { first, count: end - first, ...offsets, ...params },
      { raw: this.#words, codes, column, counters, ends, states },
    )
    return counters[setCounter.DAMAGE] === 0
  }

  visit({ first, end }: Range, origin: number, bytes: number): void {
    const limits = this.#limits
    const records = RECORD_WORDS * (this.count + end - first)
    this.#records = enlarged(this.#records, records, RECORD_WORDS * limits.records)
    this.#pool = enlarged(this.#pool, this.words + bytes / 4, limits.poolWords)
    const { params, column } = this.#order
    const { ends, states } = this.#memory
    const targets = this.#words.subarray(0, Math.ceil(bytes / 4))
    visitLists(
      { first, count: end - first, origin, ...params },
      { targets, column, counters: this.counters, ends, states },
      { list: 0, records: this.#records, pool: this.#pool },
    )
  }

  sweep(): void {
    const [records, pool] = [this.#records, this.#pool]
    const states = stateBytes(this.#memory.states)
    let [kept, next] = [0, 0]
    for (let at = 0; at < RECORD_WORDS * this.count; at += RECORD_WORDS) {
      const [v, first, end, degree] = records.subarray(at, at + RECORD_WORDS)
      if (states[v!] === OUT) continue
      const blockers = pool.subarray(first, end).filter((u) => states[u] !== OUT)
      if (blockers.length === 0) states[v!] = IN
      else if (blockers.some((u) => states[u] === IN)) states[v!] = OUT
      else {
        pool.set(blockers, next)
        records.set([v!, next, (next += blockers.length), degree!], RECORD_WORDS * kept++)
      }
    }
    this.counters[0] = kept
    this.counters[setCounter.POOL] = next
  }

  residual(): Residual {
    return { records: this.#records.subarray(0, RECORD_WORDS * this.count), pool: this.#pool.subarray(0, this.words) }
  }
}

function enlarged(words: Uint32Array, wanted: number, most: number): Uint32Array {
  const length = grown(words.length, wanted, most)
  if (length === words.length) return words
  const larger = new Uint32Array(length)
  larger.set(words)
  return larger
}

/** @param bytes of the longest read */
export function hostKernels(
  order: SetOrder,
  vertices: number,
  memory: HostMemory,
  limits: ResidualLimits,
  bytes: number,
): HostKernels {
  if (memory.wasm === undefined) return new TwinKernels(order, memory, limits, bytes)
  return new ModuleKernels(order, memory, memory.wasm, vertices, limits, bytes)
}

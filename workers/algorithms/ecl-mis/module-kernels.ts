import { COUNTERS, DAMAGE } from '../../../kernels/mis/priority-codes.ts'
import { RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import { type EndOffsets, type Residual, type ResidualLimits, HostKernels } from './host-kernels.ts'
import { type HostMemory, type SharedLists, MOST_PAGES, PAGE_BYTES } from './scan-setup.ts'

/** The module of host-lists.wat, which says what the arguments are; places are bytes. */
type Lists = Readonly<Record<'index' | 'visit' | 'sweep', (...places: number[]) => void>>

/** A thread's memory: counters, the table of codes, what was read, records, the pool. */
const CODES_AT = 4 * COUNTERS
const READ_AT = 8192
const RECORD_BYTES = 4 * RECORD_WORDS
const FIRST_RECORDS = 1 << 12
const FIRST_WORDS = 1 << 14
const LEAST_GROWTH = 1 / 2

/** The kernels of a processor in WebAssembly, compiled once for all threads. */
export class ModuleKernels extends HostKernels {
  readonly #order: SetOrder
  readonly #endsAt: number
  /** Behind all windows: ends that are not kept go where no page of them is looked at. */
  readonly #spareAt: number | undefined
  readonly #vertices: number
  readonly #limits: ResidualLimits
  readonly #memory: WebAssembly.Memory
  readonly #lists: Lists
  readonly #readBytes: number
  readonly #recordsAt: number
  #records: number
  #poolWords: number
  #bytes: Uint8Array
  protected counters: Uint32Array

  constructor(
    order: SetOrder,
    { ends, hasWindows }: HostMemory,
    { module, memory: shared }: SharedLists,
    vertices: number,
    limits: ResidualLimits,
    bytes: number,
  ) {
    super()
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
    const { exports } = new WebAssembly.Instance(module, { host: { shared, own } })
    this.#lists = exports as unknown as Lists
    new Uint32Array(own.buffer, CODES_AT, order.codes.length).set(order.codes)
    this.#bytes = new Uint8Array(own.buffer, READ_AT, bytes)
    this.counters = new Uint32Array(own.buffer, 0, COUNTERS)
  }

  get bytes(): Uint8Array {
    return this.#bytes
  }

  index({ first, end }: Range, { at, bytesEach, before }: EndOffsets): boolean {
    const { order, shift, mean, scaled } = this.#order.params
    const [a, s] = new Float32Array(Uint32Array.of(mean, scaled).buffer)
    const endsAt = this.#spareAt === undefined ? this.#endsAt : this.#spareAt - 4 * first
    this.#lists.index(first, end, READ_AT + at, bytesEach, before, order, shift, a!, s!, CODES_AT, endsAt)
    return this.counters[DAMAGE] === 0
  }

  visit({ first, end }: Range, origin: number, bytes: number, ends?: Uint32Array): void {
    this.#makeRoom(this.count + end - first, this.words + Math.ceil(bytes / 4))
    const { order, shift } = this.#order.params
    const words = Math.ceil(bytes / 4)
    const residual = [this.#recordsAt, this.#records, this.#poolAt, this.#poolWords]
    const endsAt = ends === undefined ? this.#endsAt : ends.byteOffset - 4 * (first - 1)
    this.#lists.visit(first, end, this.#vertices, endsAt, READ_AT, words, origin, order, shift, ...residual)
  }

  sweep(): void {
    this.#lists.sweep(this.#recordsAt, this.#poolAt)
  }

  take(): Residual {
    const { buffer } = this.#memory
    return {
      records: new Uint32Array(buffer, this.#recordsAt, RECORD_WORDS * this.count),
      pool: new Uint32Array(buffer, this.#poolAt, this.words),
    }
  }

  get #poolAt(): number {
    return this.#recordsAt + RECORD_BYTES * this.#records
  }

  /** As far as the limits and the memory allow; the module defers what finds no room. */
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
    this.#bytes = all.subarray(READ_AT, READ_AT + this.#readBytes)
    this.counters = new Uint32Array(all.buffer, 0, COUNTERS)
  }
}

const pagesOf = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES)

function grown(size: number, wanted: number, most: number): number {
  if (wanted <= size || size >= most) return size
  return Math.min(most, Math.max(wanted, Math.ceil((1 + LEAST_GROWTH) * size)))
}

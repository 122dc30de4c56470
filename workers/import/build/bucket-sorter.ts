import { BUCKET_SORTER } from './modules.ts'
import { wasmExports } from '../../../kernels/parts/wasm-exports.ts'

/** bucket-sorter.wat and its memory. Addresses are bytes. */
export interface Sorter {
  readonly memory: WebAssembly.Memory
  readonly given: WebAssembly.Global<'i32'>
  readonly loops: WebAssembly.Global<'i32'>
  readonly longest: WebAssembly.Global<'i32'>
  readonly empty: WebAssembly.Global<'i32'>
  readonly degreesEnd: WebAssembly.Global<'i32'>
  widen(
    at: number,
    count: number,
    size: number,
    base: number,
    sourceMask: number,
    wordBits: bigint,
    weighted: number,
    into: number,
  ): void
  count(at: number, end: number, size: number, shift: bigint, mask: bigint, table: number): void
  countSources(at: number, end: number, size: number, base: number, table: number): void
  starts(table: number, end: number, first: number, size: number): void
  spread(at: number, end: number, size: number, shift: bigint, mask: bigint, table: number): void
  spreadSources(at: number, end: number, size: number, base: number, table: number): void
  close(at: number, ends: number, source: number, last: number, into: number, degrees: number, bits: number): number
  rank(at: number, end: number): void
  subtract(at: number, end: number, base: number): void
}

const PAGE_BYTES = 1 << 16
const MOST_PAGES = 1 << 16

/** @param ranks of ids: pairs of u32, bits of 32 ids and how many smaller ones occur */
export function openSorter(ranks = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true })): Sorter {
  const memory = new WebAssembly.Memory({ initial: 16, maximum: MOST_PAGES })
  return { ...wasmExports<Omit<Sorter, 'memory'>>(BUCKET_SORTER, { memory, ranks }), memory }
}

/** null without memory. */
function unlessFull<T>(allocate: () => T): T | null {
  try {
    return allocate()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** @returns null without memory */
export function rankMemory(idLimit: number): WebAssembly.Memory | null {
  const pages = Math.ceil(idLimit / 4 / PAGE_BYTES)
  return unlessFull(() => new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }))
}

export function growTo(memory: WebAssembly.Memory, bytes: number): boolean {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES)
  return missing <= 0 || unlessFull(() => memory.grow(missing)) !== null
}

/** Counters stay in the nearest cache. */
const MOST_DIGIT_BITS = 12
/** Counters, at the start of the sorter's memory. */
export const DIGITS_BYTES = 4 << MOST_DIGIT_BITS

interface Records {
  readonly at: number
  readonly room: number
  readonly count: number
  readonly size: 8 | 12
}

/** Stable radix sort by some bits of the first u64. @returns where the records are */
export function sortBits(sorter: Sorter, { at, room, count, size }: Records, low: number, bits: number): number {
  const digits = Math.ceil(bits / MOST_DIGIT_BITS)
  const digitBits = Math.ceil(bits / digits)
  const tableEnd = 4 << digitBits
  let [from, to] = [at, room]
  for (let done = 0; done < bits; done += digitBits) {
    const shift = BigInt(low + done)
    const mask = BigInt(2 ** Math.min(digitBits, bits - done) - 1)
    const end = from + count * size
    new Uint8Array(sorter.memory.buffer, 0, tableEnd).fill(0)
    sorter.count(from, end, size, shift, mask, 0)
    sorter.starts(0, tableEnd, to, size)
    sorter.spread(from, end, size, shift, mask, 0)
    ;[from, to] = [to, from]
  }
  return from
}

import { BUCKET_SORTER } from './modules.ts'

/** The module of bucket-sorter.wat, and its memory. Addresses are bytes. */
export interface Sorter {
  readonly memory: WebAssembly.Memory
  readonly given: WebAssembly.Global<'i32'>
  readonly loops: WebAssembly.Global<'i32'>
  readonly longest: WebAssembly.Global<'i32'>
  readonly seen: WebAssembly.Global<'i32'>
  readonly empty: WebAssembly.Global<'i32'>
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

/** @param ranks of ids: pairs of u32, the bits of 32 ids that occur and how many that occur are smaller */
export function openSorter(ranks: WebAssembly.Memory): Sorter {
  const memory = new WebAssembly.Memory({ initial: 16, maximum: MOST_PAGES })
  const module = new WebAssembly.Module(Buffer.from(BUCKET_SORTER, 'base64'))
  const { exports } = new WebAssembly.Instance(module, { host: { memory, ranks } })
  return { ...(exports as unknown as Omit<Sorter, 'memory'>), memory }
}

/** Memory of pairs for ids below a limit. @returns null where there is none */
export function rankMemory(idLimit: number): WebAssembly.Memory | null {
  const pages = Math.ceil(idLimit / 4 / PAGE_BYTES)
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Makes sure that a memory has so many bytes. @returns false where it cannot have them */
export function growTo(memory: WebAssembly.Memory, bytes: number): boolean {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES)
  if (missing <= 0) return true
  try {
    memory.grow(missing)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

import { PAGE_BYTES } from '../../kernels/kernel.ts'
import { sharedMemory } from '../base/words.ts'

const compiled = new Map<string, WebAssembly.Module>()

/** The tables of all vertices in memory that threads share, and the code that works on them. */
export interface TableMemory {
  readonly memory: WebAssembly.Memory
  readonly module: WebAssembly.Module
}

/** @param code a module in base64, compiled once @returns undefined where no memory can hold so many bytes */
export function tableMemory(bytes: number, code: string): TableMemory | undefined {
  const memory = sharedMemory(bytes)
  if (memory === undefined) return undefined
  const module = compiled.get(code) ?? new WebAssembly.Module(Buffer.from(code, 'base64'))
  compiled.set(code, module)
  return { memory, module }
}

/** Bytes of the tables of the vertices of a batch, between starts and targets. */
type TableBytes = Readonly<Record<string, number>>

/** The memory of one batch, on which a kernel works: starts, tables of its vertices, targets and more for each arc. */
export class BatchMemory<Tables extends TableBytes> {
  readonly memory: WebAssembly.Memory
  /** The bytes at which tables begin. */
  readonly tables: Readonly<Record<keyof Tables, number>>
  readonly targetsAt: number
  readonly #capacity: number
  readonly #arcBytes: number

  /** @param tables bytes of each for a vertex @param arcBytes bytes for an arc */
  constructor(capacity: number, tables: Tables, arcBytes: number) {
    let end = 4 * (capacity + 1)
    const places = Object.entries(tables).map(([name, bytes]) => {
      const at = aligned(end)
      end = at + bytes * capacity
      return [name, at] as const
    })
    this.tables = Object.fromEntries(places) as Record<keyof Tables, number>
    this.targetsAt = aligned(end)
    this.#capacity = capacity
    this.#arcBytes = arcBytes
    this.memory = new WebAssembly.Memory({ initial: pagesFor(this.targetsAt) })
  }

  get starts(): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.memory.buffer, 0, this.#capacity + 1)
  }

  /** It grows for a long list, and stays so. */
  targets(arcs: number): Uint32Array<ArrayBuffer> {
    const missing = pagesFor(this.targetsAt + this.#arcBytes * arcs) - this.memory.buffer.byteLength / PAGE_BYTES
    if (missing > 0) this.memory.grow(missing)
    return new Uint32Array(this.memory.buffer, this.targetsAt, arcs)
  }
}

/** As vectors are. */
const aligned = (at: number): number => 16 * Math.ceil(at / 16)

/** A vector at the end is loaded whole. */
const pagesFor = (bytes: number): number => Math.ceil((bytes + 16) / PAGE_BYTES)

/** The place of a table that is not there. */
export const ABSENT = -1

/** The part of a kernel that checks lists. */
export interface OrderKernel {
  ordered(lists: number, vertices: number): number
}

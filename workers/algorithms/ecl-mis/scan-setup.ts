import type { GraphFile } from '../../graph/graph-file.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import type { Priority } from '../../contract/jobs.ts'
import { HOST_LISTS } from '../../../kernels/mis/modules.ts'

/** What every worker of a scan is told; all large arrays are in shared memory. */
export interface ScanSetup {
  readonly graph: GraphFile
  /** CRC-32 of each piece of the file; undefined for a file that is checked beside the scan. */
  readonly crcs: Uint32Array | undefined
  readonly order: SetOrder
  /** Units that a piece is cut into; the board counts them. */
  readonly unitsAPiece: number
  /** The words of a {@link ScanBoard}. */
  readonly board: Int32Array
  readonly traced: boolean
}

/** What processors share: by vertex, in memory that every thread of the run sees. */
export interface HostMemory {
  /** Ends of the adjacency lists modulo 2^32. */
  readonly ends: Uint32Array
  /** States, a byte each: 0 out, 255 in, else the code of an undecided vertex (kernels/parts/vertex-order.wgsl). */
  readonly states: Uint32Array
  /** What holds them where WebAssembly visits lists; undefined where JavaScript does. */
  readonly lists: SharedLists | undefined
}

export function shareHostMemory(vertices: number, priority: Priority): HostMemory {
  const stateBytes = 4 * Math.ceil(vertices / 4)
  const lists = priority === 'column' ? undefined : shareLists(stateBytes + 4 * vertices)
  const shared = (at: number, bytes: number): Uint32Array =>
    lists === undefined
      ? new Uint32Array(new SharedArrayBuffer(Math.max(4, bytes)))
      : new Uint32Array(lists.memory.buffer, at, bytes / 4)
  return { states: shared(0, stateBytes), ends: shared(stateBytes, 4 * vertices), lists }
}

/** The module of host-lists.wat, compiled, and the memory that all threads share; both are sent to them. */
export interface SharedLists {
  readonly module: WebAssembly.Module
  readonly memory: WebAssembly.Memory
}

export const PAGE_BYTES = 1 << 16
export const MOST_PAGES = 1 << 16

/** @returns undefined where a memory of WebAssembly cannot have so many bytes */
export function shareLists(bytes: number): SharedLists | undefined {
  const pages = Math.max(1, Math.ceil(bytes / PAGE_BYTES))
  if (pages > MOST_PAGES) return undefined
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
    return { module: new WebAssembly.Module(Buffer.from(HOST_LISTS, 'base64')), memory }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

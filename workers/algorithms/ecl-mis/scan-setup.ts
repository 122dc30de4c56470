import type { Range } from '../../base/ranges.ts'
import type { ScanBoard } from '../../streaming/piece-scan.ts'
import type { GraphFile } from '../../graph/graph-file.ts'
import type { GraphSlice } from '../../graph/graph-pieces.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import type { Priority } from '../../contract/jobs.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import { HOST_LISTS } from '../../../kernels/mis/modules.ts'

/** More deferred vertices than this take another pass; fewer lists are read one by one. */
export const MANY_LEFT = 1 << 14

/** Common to all workers of a scan; large arrays are in shared memory. */
export interface ScanSetup {
  readonly graph: GraphFile
  /** CRC-32 of each piece; undefined where another job checks the file. */
  readonly crcs: Uint32Array | undefined
  readonly order: SetOrder
  readonly unitsAPiece: number
  /** What this rank visits; all where there is only one. */
  readonly own: GraphSlice
  /** Whether units are taken from the back: where hubs come first, others decide them before their lists are read. */
  readonly isBackward: boolean
  /** The words of a {@link ScanBoard}. */
  readonly board: Int32Array
  readonly traced: boolean
}

/** The next units from the board. @returns undefined behind the last */
export function takeUnits(
  board: ScanBoard,
  { own: { units }, isBackward }: Pick<ScanSetup, 'own' | 'isBackward'>,
  count: number,
): Range | undefined {
  const first = board.take('lists', count)
  if (first >= units.end) return undefined
  const end = Math.min(units.end, first + count)
  const mirrored = (unit: number): number => units.first + units.end - unit
  return isBackward ? { first: mirrored(end), end: mirrored(first) } : { first, end }
}

/** Arcs of the first half of a graph to those of the second. */
const HUBS_FIRST = 5 / 4

/** @param degrees of vertices spread over the graph, in its order */
export function hubsComeFirst(degrees: Uint32Array): boolean {
  const half = degrees.length >>> 1
  const sum = (some: Uint32Array): number => some.reduce((all, degree) => all + degree, 0)
  return sum(degrees.subarray(0, half)) > HUBS_FIRST * sum(degrees.subarray(half))
}

/** Shared by processors. */
export interface HostMemory {
  /** Ends of the adjacency lists modulo 2^32, of all vertices or as far as {@link windowOf} says. */
  readonly ends: Uint32Array
  readonly hasWindows: boolean
  /** State bytes (kernels/parts/vertex-order.wgsl). */
  readonly states: Uint32Array
  /** Undefined where JavaScript visits lists. */
  readonly lists: SharedLists | undefined
}

/** @param threads of a rank, which has no ends of others; undefined: all ends are kept */
export function shareHostMemory(vertices: number, priority: Priority, threads?: number): HostMemory {
  const stateBytes = 4 * Math.ceil(vertices / 4)
  // Equal degrees are compared, if not by their codes.
  const hasWindows = threads !== undefined && (priority === 'hash' || priority === 'ecl')
  const ends = hasWindows ? threads * WINDOW_WORDS : vertices
  const lists = priority === 'column' ? undefined : shareLists(stateBytes + 4 * ends + PIECE_BYTES)
  if (lists === undefined && hasWindows) return shareHostMemory(vertices, priority)
  const shared = (at: number, bytes: number): Uint32Array =>
    lists === undefined
      ? new Uint32Array(new SharedArrayBuffer(Math.max(4, bytes)))
      : new Uint32Array(lists.memory.buffer, at, bytes / 4)
  return { states: shared(0, stateBytes), ends: shared(stateBytes, 4 * ends), hasWindows, lists }
}

const WINDOW_WORDS = 1 << 16

/** Where a thread has the ends of the lists that it visits, and the one before them; undefined: all are kept. */
export function windowOf({ ends, hasWindows }: HostMemory, thread: number): Uint32Array | undefined {
  return hasWindows ? ends.subarray(thread * WINDOW_WORDS, (thread + 1) * WINDOW_WORDS) : undefined
}

/** The module of host-lists.wat, and the memory of both arrays; sent to all threads. */
export interface SharedLists {
  readonly module: WebAssembly.Module
  readonly memory: WebAssembly.Memory
}

export const PAGE_BYTES = 1 << 16
export const MOST_PAGES = 1 << 16

/** undefined: a memory of WebAssembly cannot have so many bytes */
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

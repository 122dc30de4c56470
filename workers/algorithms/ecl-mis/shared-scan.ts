/**
 * What the workers of a scan share: the setup, the next units from the board, from the back of the file where hubs come first, the memory of
 * processors with states and ends of lists, and how states are shared: processors have one array of bytes; several GPUs publish two bits each; a
 * rank with one GPU writes those of its slice. compute-set.ts makes all of it, processors.ts and device-task.ts use it; host-states.ts has the
 * states themselves.
 */

import type { Range } from '../../base/ranges.ts'
import { sharedMemory, sharedWords } from '../../base/words.ts'
import { HOST_LISTS } from '../../../kernels/mis/modules.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import type { Priority } from '../../contract/jobs.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import type { ScanBoard, ScanPlace } from '../../streaming/piece-scan.ts'
import { stateWords } from '../../graph/vertex-set.ts'
import { ByteStates, type HostStates, PackedStates } from './host-states.ts'

/** More deferred vertices than this take another pass; fewer lists are read one by one. */
export const MANY_LEFT = 1 << 14

/** Common to all workers of a scan. */
export interface ScanSetup extends ScanPlace {
  readonly order: SetOrder
  /** Whether units are taken from the back: where hubs come first, others decide them before their lists are read. */
  readonly isBackward: boolean
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

let compiledLists: WebAssembly.Module | undefined

/** Compiled once for all runs of a thread. */
const listsModule = (): WebAssembly.Module =>
  (compiledLists ??= new WebAssembly.Module(Buffer.from(HOST_LISTS, 'base64')))

/**
 * @param threads of a rank, which has no ends of others; undefined: all ends are kept
 * @param inModule whether WebAssembly visits lists: it knows no column
 */
export function shareHostMemory(
  vertices: number,
  priority: Priority,
  threads?: number,
  inModule = priority !== 'column',
): HostMemory {
  const stateBytes = 4 * Math.ceil(vertices / 4)
  // Equal degrees are compared, if not by their codes.
  const hasWindows = threads !== undefined && (priority === 'hash' || priority === 'ecl')
  const ends = hasWindows ? threads * WINDOW_WORDS : vertices
  const memory = inModule ? sharedMemory(stateBytes + 4 * ends + PIECE_BYTES) : undefined
  if (memory === undefined && hasWindows) return shareHostMemory(vertices, priority, undefined, inModule)
  const lists = memory && { module: listsModule(), memory }
  const shared = (at: number, bytes: number): Uint32Array =>
    memory === undefined ? sharedWords(Math.max(1, bytes / 4)) : new Uint32Array(memory.buffer, at, bytes / 4)
  return { states: shared(0, stateBytes), ends: shared(stateBytes, 4 * ends), hasWindows, lists }
}

const WINDOW_WORDS = 1 << 16

/** A thread's place for the ends of the lists that it visits, and the one before them; undefined: all are kept. */
export function windowOf({ ends, hasWindows }: HostMemory, thread: number): Uint32Array | undefined {
  return hasWindows ? ends.subarray(thread * WINDOW_WORDS, (thread + 1) * WINDOW_WORDS) : undefined
}

/** The module of host-lists.wat, and the memory of both arrays; sent to all threads. */
export interface SharedLists {
  readonly module: WebAssembly.Module
  readonly memory: WebAssembly.Memory
}

/** States that several workers share, two bits each: what each of several GPUs published last. */
interface PublishedStates {
  readonly kind: 'published'
  readonly ofDevices: readonly Uint32Array[]
}

/** A byte each where processors take part, else two bits each: what all know. `rank`: of a rank with one GPU, which alone writes those of its slice. */
interface KnownStates {
  readonly kind: 'bytes' | 'packed' | 'rank'
  readonly words: Uint32Array
}

export type SharedStates = PublishedStates | KnownStates

/** @param memory of processors @param isRank whether other ranks take part @returns undefined: processors share their own, and a worker that is alone needs none */
export function shareStates(
  vertices: number,
  memory: HostMemory | undefined,
  workers: number,
  hosts: number,
  isRank: boolean,
): SharedStates | undefined {
  if (!isRank && (workers === 1 || workers === hosts)) return undefined
  if (memory !== undefined) return { kind: 'bytes', words: memory.states }
  const words = (): Uint32Array => sharedWords(Math.max(1, stateWords(vertices)))
  if (isRank && workers === 1) return { kind: 'rank', words: new Uint32Array(stateWords(vertices)) }
  if (isRank) return { kind: 'packed', words: words() }
  return { kind: 'published', ofDevices: Array.from({ length: workers }, words) }
}

/** undefined: nothing on the host knows all that the workers published */
export function knownStates(vertices: number, shared: SharedStates | undefined): HostStates | undefined {
  if (shared === undefined || shared.kind === 'published') return undefined
  return shared.kind === 'bytes' ? new ByteStates(vertices, shared.words) : new PackedStates(vertices, shared.words)
}

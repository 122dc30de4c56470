import { LEVEL_COUNTERS } from '../../../kernels/bfs/bfs-top-down.ts'
import { bitWords, sharedWords } from '../../base/words.ts'
import { type Buffers, allocateBuffers, bytesOfBuffers } from '../../device/buffers.ts'
import { type SharedWords, shareWords } from '../../device/shared-space.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import type { RangeWorker } from '../range-task.ts'
import type { SearchGrid } from './search-grid.ts'

export type Direction = 'optimising' | 'top-down' | 'bottom-up'

/** What the workers of a search share: every word is in shared memory. */
export interface SharedSearch {
  /** Of the grid. */
  readonly rows: number
  readonly direction: Direction
  /** Vertices for each sender and owner, of the fold, then of the expand. */
  readonly counts: Uint32Array
  /** A segment for each block: what its owner found. */
  readonly expanded: Uint32Array
  /** Likewise for each worker: what it found for the owners. */
  readonly folded: readonly Uint32Array[]
  /** Of all vertices: the levels, once a search is over. */
  readonly levels: SharedWords
  /** Likewise, where they are asked for. */
  readonly parents: SharedWords | undefined
  /** Segments are lists whatever their length. */
  readonly listsOnly: boolean
}

export interface SearchMessages {
  readonly listsOnly: boolean
  readonly parents: boolean
}

const wordsOf = (grid: SearchGrid, listsOnly: boolean): number => (listsOnly ? grid.vertices : bitWords(grid.vertices))

/** Bytes of shared memory. */
export function sharedSearchBytes(grid: SearchGrid, { listsOnly, parents }: SearchMessages): number {
  const { vertices, workers } = grid
  const boxes = workers === 1 ? 0 : 1 + workers
  return 4 * (vertices * (parents ? 2 : 1) + boxes * wordsOf(grid, listsOnly))
}

export function shareSearch(
  grid: SearchGrid,
  direction: Direction,
  { listsOnly, parents }: SearchMessages,
): SharedSearch {
  const { rows, workers, vertices } = grid
  const words = workers === 1 ? 0 : wordsOf(grid, listsOnly)
  return {
    ...{ rows, direction, listsOnly },
    counts: sharedWords(2 * workers ** 2),
    expanded: sharedWords(words),
    folded: Array.from({ length: workers }, () => sharedWords(words)),
    levels: shareWords(vertices),
    parents: parents ? shareWords(vertices) : undefined,
  }
}

export type SpaceName =
  | 'visited'
  | 'frontier'
  | 'levels'
  | 'degrees'
  | 'queue'
  | 'next'
  | 'remote'
  | 'inbox'
  | 'counters'
  | 'allLevels'
  | 'parents'

/** Words of a worker's buffers beside its arcs. */
function searchSpace(grid: SearchGrid, worker: number, parents: boolean): Readonly<Record<SpaceName, number>> {
  const size = ({ first, end }: Range): number => end - first
  const { vertices, workers, rows } = grid
  const [own, column] = [size(grid.blockOf(worker)), size(grid.columnOf(worker))]
  const bits = bitWords(vertices)
  const remote = workers === 1 ? 0 : rows === 1 ? vertices - own : vertices
  const inbox = workers === 1 ? 0 : Math.max(...grid.bounds.slice(1).map((end, i) => end - grid.bounds[i]!))
  return {
    ...{ visited: bits, frontier: bits, levels: own, degrees: own, queue: column, next: column, remote, inbox },
    ...{ counters: LEVEL_COUNTERS, allLevels: parents ? vertices : 0, parents: parents ? column : 0 },
  }
}

export const searchSpaceBytes = (grid: SearchGrid, worker: number, parents: boolean): number =>
  bytesOfBuffers(searchSpace(grid, worker, parents))

/** A worker's buffers. Processors share levels, and parents found in whole lists. */
export async function openSpace(
  { device, task, low, high }: RangeWorker<SharedSearch>,
  grid: SearchGrid,
): Promise<Buffers<SpaceName>> {
  const { levels: all, parents } = task.shared
  const { levels, allLevels, ...others } = searchSpace(grid, task.worker, parents !== undefined)
  if (!device.sharesMemory || all.memory === undefined) return allocateBuffers(device, { levels, allLevels, ...others })
  const space = {
    ...(await allocateBuffers(device, others)),
    levels: await device.share('levels', all.array.subarray(low, high), all.memory),
    allLevels: await device.share('levels of all', all.array, all.memory),
  }
  if (grid.rows > 1 || parents?.memory === undefined) return space
  device.release(space.parents)
  return { ...space, parents: await device.share('parents', parents.array.subarray(low, high), parents.memory) }
}

/**
 * Workers as a grid over the adjacency matrix (EPJ B 2015, section 3.3): worker w is in row w mod rows and column floor(w / rows), owns block w
 * of the vertices, and holds the arcs from the vertices of its column to those of its row. One row is the 1-D partition: every list is whole.
 * Here are also the shared memory of a search and the buffers of a worker, with their sizes, which the plan asks for. bfs.ts searches with them.
 */

import type { RunArgs } from '../../../contract/jobs.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { type ArcChoice, cutRanges } from '../../arc-store.ts'
import { LEVEL_COUNTERS } from '../../../../kernels/bfs/bfs-top-down.ts'
import { lowerBound, type Range } from '../../../base/ranges.ts'
import { bitWords, sharedWords, type SharedWords, shareWords } from '../../../base/words.ts'
import { type Buffers, allocateBuffers, bytesOfBuffers } from '../../../device/device.ts'
import type { RangeWorker } from '../../range-task.ts'

/** A grid of workers over blocks of the vertices. */
export class SearchGrid {
  readonly rows: number
  /** Worker w owns the vertices [bounds[w], bounds[w + 1]). */
  readonly bounds: readonly number[]

  /** @param rows that divide the workers */
  constructor(rows: number, bounds: readonly number[]) {
    this.rows = rows
    this.bounds = bounds
  }

  get workers(): number {
    return this.bounds.length - 1
  }

  get vertices(): number {
    return this.bounds.at(-1)!
  }

  blockOf(worker: number): Range {
    return { first: this.bounds[worker]!, end: this.bounds[worker + 1]! }
  }

  /** The vertices whose lists a worker holds, whole or in part. */
  columnOf(worker: number): Range {
    const top = worker - (worker % this.rows)
    return { first: this.bounds[top]!, end: this.bounds[top + this.rows]! }
  }

  /** The other workers of a worker's column, or of its row. */
  peers(worker: number, along: 'column' | 'row'): number[] {
    const place = (w: number): number => (along === 'row' ? w % this.rows : Math.floor(w / this.rows))
    const all = Array.from({ length: this.workers }, (_, w) => w)
    return all.filter((w) => w !== worker && place(w) === place(worker))
  }

  ownerOf(v: number): number {
    return lowerBound(1, this.workers, (worker) => this.bounds[worker]! <= v) - 1
  }

  /** The arcs to vertices of a worker's row; undefined: all. */
  arcChoice(worker: number): ArcChoice | undefined {
    if (this.rows === 1) return undefined
    const row = worker % this.rows
    const { bounds } = this
    return (offsets, targets) => {
      const kept = new Uint32Array(offsets.length)
      let count = 0
      for (let i = 0; i + 1 < offsets.length; i++) {
        // Neighbours ascend, and so do their owners.
        let owner = 0
        for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
          const v = targets[at]!
          while (bounds[owner + 1]! <= v) owner++
          if (owner % this.rows === row) targets[count++] = v
        }
        kept[i + 1] = count
      }
      return { offsets: kept, targets: targets.subarray(0, count) }
    }
  }
}

/** Arcs of a mean list that a vertex costs as much as, from below. */
const LISTS_A_VERTEX = 2

/**
 * Cuts the vertices into blocks with about equal work: from the top down it goes by arcs, from below mostly by vertices, of whose lists little is
 * looked at.
 */
export function cutGrid(graph: GaloisGr, rows: number, workers: number, isTopDown: boolean): SearchGrid {
  const { vertices, arcs } = graph
  const perVertex = isTopDown || vertices === 0 ? 0 : (LISTS_A_VERTEX * arcs) / vertices
  return new SearchGrid(rows, cutRanges(graph, workers, perVertex))
}

export type Direction = NonNullable<RunArgs['direction']>

/** What the workers of a search share: every word is in shared memory. */
export interface SharedSearch {
  /** Rows of the grid of workers. */
  readonly rows: number
  readonly direction: Direction
  /** Vertices for each sender and owner, of the fold, then of the expand. */
  readonly counts: Uint32Array
  /** A segment for each block: what its owner found. */
  readonly expanded: Uint32Array
  /** A segment for each worker: what it found for the owners. */
  readonly folded: readonly Uint32Array[]
  /** The levels of all vertices, once a search is over. */
  readonly levels: SharedWords
  /** The parents of all vertices, once a search is over, if they are asked for. */
  readonly parents: SharedWords | undefined
  /** Segments are lists whatever their length. */
  readonly listsOnly: boolean
}

interface SearchMessages {
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

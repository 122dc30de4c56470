import { NONE } from '../../kernels/bfs/bfs-none.ts'
import type { RangeReport } from '../../workers/algorithms/range-task.ts'
import { type FinishedSearch, type NextRoot, searchWorks } from '../../workers/algorithms/others/bfs/bfs.ts'
import { type Direction, shareSearch, SearchGrid, cutGrid } from '../../workers/algorithms/others/bfs/search-space.ts'
import type { Device } from '../../workers/device/device.ts'
import type { GaloisGr } from '../../workers/graph/galois-gr.ts'
import type { SmallGraph } from './graphs.ts'
import { rangesHere } from './range-workers.ts'

export interface SearchCase {
  readonly rows: number
  readonly columns: number
  readonly direction: Direction
  readonly listsOnly?: boolean
  readonly batches?: number
  readonly memoryBytes?: number
  readonly threads?: number
}

export interface Searched {
  readonly levels: Uint32Array
  readonly parents: Uint32Array
  readonly searches: readonly FinishedSearch[]
  readonly reports: readonly RangeReport[]
}

/** A search by workers that take turns on this thread. */
export async function searchHere(
  folder: string,
  next: NextRoot,
  { rows, columns, direction, listsOnly = false, ...way }: SearchCase,
  deviceOf?: (worker: number) => Device | undefined,
): Promise<Searched> {
  const given = {
    ...{ workers: rows * columns, ...way },
    cut: (graph: GaloisGr) => cutGrid(graph, rows, rows * columns, direction === 'top-down').bounds,
    share: (_: GaloisGr, bounds: readonly number[]) =>
      shareSearch(new SearchGrid(rows, bounds), direction, { listsOnly, parents: true }),
  }
  const { shared, outcome, reports } = await rangesHere(folder, given, searchWorks(next), deviceOf)
  return { levels: shared.levels.array, parents: shared.parents!.array, searches: outcome, reports }
}

/** Levels by a queue, written apart from the product. */
export function levelsFrom({ neighbours, vertices }: SmallGraph, root: number): Uint32Array {
  const levels = new Uint32Array(vertices).fill(NONE)
  levels[root] = 0
  const queue = [root]
  for (const v of queue)
    for (const u of neighbours[v]!) {
      if (levels[u] !== NONE) continue
      levels[u] = levels[v]! + 1
      queue.push(u)
    }
  return levels
}

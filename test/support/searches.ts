import { NONE } from '../../kernels/bfs/bfs-none.ts'
import { quietJob } from '../../workers/base/job.ts'
import { type Direction, type FinishedSearch, type NextRoot } from '../../workers/algorithms/bfs/search.ts'
import { type SearchReport, searchOnDevice } from '../../workers/algorithms/bfs/compute-searches.ts'
import { shareSearch } from '../../workers/algorithms/bfs/search-exchange.ts'
import { cutGrid } from '../../workers/algorithms/bfs/search-grid.ts'
import { CpuDevice } from '../../workers/device/cpu-device.ts'
import type { Device } from '../../workers/device/device.ts'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import type { SmallGraph } from './graphs.ts'
import { LocalBarrier } from './local-barrier.ts'

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
  readonly reports: readonly SearchReport[]
}

/** A search by workers that take turns on this thread. */
export async function searchHere(
  folder: string,
  next: NextRoot,
  { rows, columns, direction, listsOnly = false, batches = 1, memoryBytes, threads = 1 }: SearchCase,
  deviceOf: (worker: number) => Device | undefined = () => undefined,
): Promise<Searched> {
  const graph = GaloisGr.inFolder(folder)
  const grid = cutGrid(graph, rows, columns, direction === 'top-down')
  const shared = shareSearch(grid, { listsOnly, parents: true })
  const barrier = new LocalBarrier(grid.workers)
  const task = { graph: graph.handle, grid, shared, direction, batches, memoryBytes, threads, traced: false }
  const own = Array.from({ length: grid.workers }, () => new CpuDevice('cpu:0'))
  const works = own.map((device, worker) =>
    searchOnDevice(
      { ...task, worker, device: 'cpu:0' },
      deviceOf(worker) ?? device,
      barrier,
      quietJob,
      worker === 0 ? { next } : undefined,
    ),
  )
  const done = await Promise.all(works)
  for (const device of own) device.close()
  graph.close()
  return {
    levels: shared.levels,
    parents: shared.parents!,
    searches: done[0]!.searches,
    reports: done.map(({ report }) => report),
  }
}

/** By a queue, written apart from the product. */
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

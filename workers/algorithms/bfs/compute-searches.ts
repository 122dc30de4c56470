import type { JobContext } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import type { Device } from '../../device/device.ts'
import { openDevice } from '../../device/open-device.ts'
import { type GraphHandle, GaloisGr } from '../../graph/galois-gr.ts'
import { type Barrier, SharedBarrier, coordinate, workerJob } from '../../threads/barrier.ts'
import { runInThread } from '../../threads/thread-pool.ts'
import type { Checkpointer } from '../checkpoint.ts'
import { planArcs } from '../plan-arcs.ts'
import type { WorkerReport } from '../worker-report.ts'
import { type Direction, type FinishedSearch, type NextRoot, type SearchSoFar, searchAll } from './search.ts'
import { searchSpaceBytes } from './device-segments.ts'
import { type SharedSearch, SearchExchange } from './search-exchange.ts'
import { SearchGrid } from './search-grid.ts'
import { SearchWorker } from './search-worker.ts'

/** What a worker of a search is given; `worker` is its place in the grid. */
export interface SearchTask {
  readonly device: string
  /** Of a processor. */
  readonly threads: number
  readonly worker: number
  readonly graph: GraphHandle
  readonly grid: Pick<SearchGrid, 'rows' | 'columns' | 'bounds'>
  readonly shared: SharedSearch
  readonly direction: Direction
  readonly batches: number
  readonly memoryBytes: number | undefined
  readonly traced: boolean
  /** What an attempt before found of the first search. */
  readonly before?: SearchSoFar | undefined
}

export interface SearchReport extends Omit<WorkerReport, 'sweeps'> {
  readonly prepareMs: number
  readonly listBytes: number
  readonly bitmapBytes: number
  readonly transfers: number
  readonly batches: number
  readonly deviceBytes: number
}

export interface ComputedSearches {
  readonly searches: readonly FinishedSearch[]
  readonly reports: readonly SearchReport[]
}

/** What the coordinator alone does. */
export interface SearchLead {
  readonly next: NextRoot
  readonly checkpointer?: Checkpointer<SearchSoFar> | undefined
}

/** The first worker here, the others in threads. */
export async function computeSearches(
  tasks: readonly SearchTask[],
  device: Device,
  lead: SearchLead,
  job: JobContext,
): Promise<ComputedSearches> {
  const [first, ...others] = tasks
  if (first === undefined) throw new Error('a search needs a worker')
  const start = (task: SearchTask): Promise<SearchReport> => runInThread('follow-search', task, task.device)
  const { control } = first.shared
  const barrier = new SharedBarrier(control, tasks.length, job.signal)
  const { own, reports } = await coordinate(control, job, others.map(start), () =>
    searchOnDevice(first, device, barrier, job, lead),
  )
  return { searches: own.searches, reports: [own.report, ...reports] }
}

/** A worker in a thread of its own. */
export async function searchTask(task: SearchTask): Promise<SearchReport> {
  const device = await openDevice(task.device)
  try {
    const { control } = task.shared
    const barrier = new SharedBarrier(control, task.grid.rows * task.grid.columns)
    return (await searchOnDevice(task, device, barrier, workerJob(control))).report
  } finally {
    device.close()
  }
}

export async function searchOnDevice(
  task: SearchTask,
  device: Device,
  barrier: Barrier,
  job: JobContext,
  lead?: SearchLead,
): Promise<{ searches: readonly FinishedSearch[]; report: SearchReport }> {
  const { worker: index, shared, direction } = task
  const openedMs = performance.now()
  const graph = GaloisGr.of(task.graph)
  try {
    device.useThreads?.(task.threads)
    const trace = new Trace(task.traced)
    const grid = new SearchGrid(task.grid.rows, task.grid.columns, task.grid.bounds)
    const exchange = new SearchExchange(grid, shared, index, barrier, trace)
    const spaceBytes = searchSpaceBytes(grid, index, shared.parents !== undefined)
    const { batches, arcBytes, deviceBytes } = planArcs(device, graph, grid.columnOf(index), {
      ...{ batches: task.batches, memoryBytes: task.memoryBytes, spaceBytes, oneIn: grid.rows },
    })
    const worker = await SearchWorker.open({ device, graph, exchange, batches, arcBytes, trace })
    const loadedMs = worker.store.readMs
    await device.takeKernelMs()
    await exchange.arrive('for all workers')
    const prepareMs = performance.now() - openedMs
    const place = { worker, exchange, direction, vertices: graph.vertices, arcs: graph.arcs }
    const searches = await searchAll(place, job, lead?.next, lead?.checkpointer, task.before)
    const { listBytes, bitmapBytes, transfers, waitMs } = exchange
    const report = {
      ...{ device: device.facts, ...device.copied, bytesRead: worker.store.bytesRead, prepareMs, waitMs },
      ...{ kernelMs: await device.takeKernelMs(), readMs: worker.store.readMs - loadedMs, spans: trace.spans },
      ...{ exchanged: listBytes + bitmapBytes, listBytes, bitmapBytes, transfers },
      ...{ batches: batches.length, deviceBytes },
    }
    worker.release()
    return { searches, report }
  } finally {
    graph.close()
  }
}

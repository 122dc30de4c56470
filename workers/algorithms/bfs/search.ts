import { NONE } from '../../../kernels/bfs/bfs-none.ts'
import { throwIfCancelled } from '../../base/job.ts'
import type { RangeWork, RangeWorks } from '../range-task.ts'
import { reportRound } from '../worker-report.ts'
import { SearchGrid, type SharedSearch, searchSpaceBytes } from './search-space.ts'
import {
  type SearchLevel,
  type SearchRangeWorker,
  type SearchSoFar,
  SearchWorker,
  searchKernels,
} from './search-worker.ts'

export interface FinishedSearch {
  readonly root: number
  /** The last one may have found nothing. */
  readonly levels: readonly SearchLevel[]
  /** Vertices reached and their arcs, the root's too. */
  readonly reached: number
  readonly arcs: number
  readonly elapsedMs: number
}

/** From below while the frontier has more than 1 / ALPHA of the arcs that are left, until it has less than 1 / BETA of all vertices. */
const ALPHA = 15
const BETA = 18

/** Beamer, Asanovic, Patterson, SC 2012, section V. */
function chooseSide({ task, graph }: SearchRangeWorker, was: boolean, found: number, arcs: number, left: number) {
  const { direction } = task.shared
  if (direction !== 'optimising') return direction === 'bottom-up'
  return was ? found >= graph.vertices / BETA : arcs > left / ALPHA
}

/**
 * A level-synchronous search (EPJ B 2015, section 3.3) by all workers at once; the levels, and the parents where they are asked for, are in shared
 * memory afterwards. They depend on the graph and the root alone.
 */
async function searchFrom(
  worker: SearchRangeWorker,
  steps: SearchWorker,
  root: number,
  before?: SearchSoFar,
): Promise<FinishedSearch> {
  const { graph, job } = worker
  const startMs = performance.now()
  const levels = [...(before?.levels ?? [])]
  if (before !== undefined) await steps.resume(levels.length)
  const rootArcs = before?.rootArcs ?? (await steps.start(root))
  let { found, arcs } = levels.at(-1) ?? { found: 1, arcs: rootArcs }
  let reached = levels.reduce((sum, level) => sum + level.found, 1)
  let scanned = levels.reduce((sum, level) => sum + level.arcs, rootArcs)
  for (let isBottomUp = levels.at(-1)?.isBottomUp ?? false; found > 0;) {
    throwIfCancelled(job.signal)
    isBottomUp = chooseSide(worker, isBottomUp, found, arcs, graph.arcs - scanned)
    const own = await steps.level(levels.length + 1, isBottomUp)
    const total = await worker.sum('for the totals of the level', [own.found, own.arcs, worker.isDue()])
    ;[found, arcs] = total as [number, number]
    levels.push({ found, arcs, isBottomUp })
    reached += found
    scanned += arcs
    reportRound(job, 'round', graph.vertices, graph.vertices - reached, levels.length)
    if (found === 0 || total[2] === 0) continue
    await steps.publishLevels()
    worker.keep({ root, rootArcs, levels })
  }
  await steps.publishLevels()
  await steps.publishParents()
  return { root, levels, reached, arcs: scanned, elapsedMs: performance.now() - startMs }
}

/** Chooses the root of each search by the one before, whose levels are in shared memory, and how many there were; undefined ends them. */
export type NextRoot = (before: FinishedSearch | undefined, done: number) => number | undefined

type Searches = readonly FinishedSearch[]

/** Searches one after another. @param next of the coordinator, which chooses them */
async function searchAll(worker: SearchRangeWorker, next?: NextRoot): Promise<RangeWork<Searches>> {
  const { store, task } = worker
  const steps = await SearchWorker.open(worker)
  // Of the clock of searches.
  store.readMs = 0
  await worker.ready()
  const searches: FinishedSearch[] = []
  for (;;) {
    const chosen = task.worker === 0 ? (next?.(searches.at(-1), searches.length) ?? NONE) : 0
    const [root = NONE] = await worker.sum('for the root', [chosen])
    if (root === NONE) break
    searches.push(await searchFrom(worker, steps, root, searches.length === 0 ? task.before : undefined))
    await worker.arrive('for the end of the search')
  }
  steps.release()
  const { listBytes, bitmapBytes, transfers } = steps.exchange
  const counters = { listBytes, bitmapBytes, transfers }
  return { outcome: searches, exchanged: listBytes + bitmapBytes, counters }
}

export const searchWorks = (next?: NextRoot): RangeWorks<SharedSearch, Searches, SearchSoFar> => ({
  follow: 'follow-search',
  kernels: searchKernels,
  needs: ({ shared, bounds, worker }) => {
    const grid = new SearchGrid(shared.rows, bounds)
    const spaceBytes = searchSpaceBytes(grid, worker, shared.parents !== undefined)
    return { spaceBytes, lists: grid.columnOf(worker), oneIn: grid.rows, choose: grid.arcChoice(worker) }
  },
  compute: (worker) => searchAll(worker, next),
})

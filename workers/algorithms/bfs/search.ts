import { NONE } from '../../../kernels/bfs/bfs-none.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { Checkpointer } from '../checkpoint.ts'
import { ROOT, type SearchExchange } from './search-exchange.ts'
import type { SearchWorker } from './search-worker.ts'

export type Direction = 'optimising' | 'top-down' | 'bottom-up'

/** A level below the root's: vertices found and their arcs, and from which side they were. */
export interface SearchLevel {
  readonly found: number
  readonly arcs: number
  readonly isBottomUp: boolean
}

export interface FinishedSearch {
  readonly root: number
  /** The last one may have found nothing. */
  readonly levels: readonly SearchLevel[]
  /** Vertices reached and their arcs, the root's too. */
  readonly reached: number
  readonly arcs: number
  readonly elapsedMs: number
}

/** A search that was interrupted after some levels; the levels of its vertices are in shared memory. */
export interface SearchSoFar {
  readonly root: number
  readonly rootArcs: number
  readonly levels: readonly SearchLevel[]
}

export interface SearchPlace {
  readonly worker: SearchWorker
  readonly exchange: SearchExchange
  readonly direction: Direction
  /** Of the graph. */
  readonly vertices: number
  readonly arcs: number
}

/** From below while the frontier has more than 1 / ALPHA of the arcs that are left, until it has less than 1 / BETA of all vertices. */
const ALPHA = 15
const BETA = 18

/** Beamer, Asanovic, Patterson, SC 2012, section V. */
function chooseSide(
  { direction, vertices }: SearchPlace,
  was: boolean,
  found: number,
  arcs: number,
  left: number,
): boolean {
  if (direction !== 'optimising') return direction === 'bottom-up'
  return was ? found >= vertices / BETA : arcs > left / ALPHA
}

/**
 * A level-synchronous search (EPJ B 2015, section 3.3) by all workers at once; the levels, and the parents where they are asked for, are in shared
 * memory afterwards. They depend on the graph and the root alone.
 */
export async function searchFrom(
  place: SearchPlace,
  root: number,
  job: JobContext,
  checkpointer?: Checkpointer<SearchSoFar>,
  before?: SearchSoFar,
): Promise<FinishedSearch> {
  const { worker, vertices } = place
  const startMs = performance.now()
  const levels = [...(before?.levels ?? [])]
  if (before !== undefined) await worker.resume(levels.length)
  const rootArcs = before?.rootArcs ?? (await worker.start(root))
  let { found, arcs } = levels.at(-1) ?? { found: 1, arcs: rootArcs }
  let reached = levels.reduce((sum, level) => sum + level.found, 1)
  let scanned = levels.reduce((sum, level) => sum + level.arcs, rootArcs)
  for (let isBottomUp = levels.at(-1)?.isBottomUp ?? false; found > 0;) {
    throwIfCancelled(job.signal)
    isBottomUp = chooseSide(place, isBottomUp, found, arcs, place.arcs - scanned)
    const total = await worker.level(levels.length + 1, isBottomUp, checkpointer?.isDue() === true)
    ;({ found, arcs } = total)
    levels.push({ found, arcs, isBottomUp })
    reached += found
    scanned += arcs
    const [done, round] = [reached, levels.length]
    job.progress({ phase: 'round', done, total: vertices, unit: 'vertices', round, decided: done })
    if (found === 0 || !total.keeps) continue
    await worker.publishLevels()
    checkpointer?.keep({ root, rootArcs, levels })
  }
  await worker.publishLevels()
  await worker.publishParents()
  return { root, levels, reached, arcs: scanned, elapsedMs: performance.now() - startMs }
}

/** Chooses the root of each search by the one before, whose levels are in shared memory, and how many there were; undefined ends them. */
export type NextRoot = (before: FinishedSearch | undefined, done: number) => number | undefined

/** Searches one after another, as the worker with `next` chooses them; the others have none. */
export async function searchAll(
  place: SearchPlace,
  job: JobContext,
  next?: NextRoot,
  checkpointer?: Checkpointer<SearchSoFar>,
  before?: SearchSoFar,
): Promise<FinishedSearch[]> {
  const { control } = place.exchange.shared
  const searches: FinishedSearch[] = []
  for (;;) {
    if (next !== undefined) control[ROOT] = next(searches.at(-1), searches.length) ?? NONE
    await place.exchange.arrive('for the root')
    const root = control[ROOT]! >>> 0
    if (root === NONE) return searches
    const resumed = searches.length === 0 ? before : undefined
    searches.push(await searchFrom(place, root, job, checkpointer, resumed))
    await place.exchange.arrive('for the end of the search')
  }
}

/**
 * Breadth-first search by the workers of a grid (Bernaschi, Bisson, Fatica, EPJ B 2015, section 3.3), from above or from below by the size of
 * the frontier (Beamer, Asanovic, Patterson, SC 2012), and many searches one after another as Graph500 wants. A level costs the arcs of its
 * frontier, or those of unvisited vertices up to the first parent. search-worker.ts has the steps of a level, search-exchange.ts what workers
 * send, search-space.ts the grid.
 */

import { CounterHash } from '../../../generate/random.ts'
import { usageFailure } from '../../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'
import type { PlannedOptions } from '../../../contract/jobs.ts'
import { largestVertex } from '../../../graph/degrees.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { checkLevels, checkParents } from './check-search.ts'
import {
  type Algorithm,
  type Answer,
  type AnswerRecord,
  type Run,
  valuesAnswer,
  valuesVerifier,
} from '../../algorithm.ts'
import { resumeStates } from '../../checkpoint.ts'
import {
  type LevelsSoFar,
  searchKernels,
  type SearchLevel,
  type SearchRangeWorker,
  SearchWorker,
} from './search-worker.ts'
import { type PlanEstimate, type PlanRequest, attempt } from '../../plan-request.ts'
import { estimateArcs } from '../../plan-arcs.ts'
import { type RangesDone, rangeRecord, runRanges } from '../../range-run.ts'
import {
  SearchGrid,
  cutGrid,
  type SharedSearch,
  searchSpaceBytes,
  shareSearch,
  sharedSearchBytes,
} from './search-space.ts'
import { NONE } from '../../../../kernels/bfs/bfs-none.ts'
import type { RangeWork, RangeWorks } from '../../range-task.ts'
import { rootNamed } from '../../run-lists.ts'
import { reportRound } from '../../worker-report.ts'

/** Breadth-first search; its answer are the levels, or the parents. */
const search = (parents: boolean): Algorithm => ({
  requireOptions: requireGrid,
  plan: (request) => planGrid(request, parents),
  severalGpus: 'useful',
  kernels: () => searchKernels,
  compute: (run, job) => compute(run, parents, job),
  verifier: valuesVerifier(
    ({ vertices }) => ({ hostBytes: 8 * vertices + (64 << 20), passes: parents ? 2 : 1 }),
    (values, { graph, labels, options: { root: label } }, job) => {
      const root = typeof label === 'string' ? rootNamed(labels, label) : undefined
      return (parents ? checkParents : checkLevels)(graph, values, root, job)
    },
  ),
})

export const bfs = search(false)
export const bfsTree = search(true)

async function compute(run: Run, parents: boolean, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const { vertices } = graph
  const root = args.root === undefined ? largestVertex(graph) : rootNamed(run.labels(), args.root)
  const roots = [...randomRoots(graph, args, (args.searches ?? 1) - 1), ...(vertices === 0 ? [] : [root])]
  const order = roots.length > 1 ? undefined : `search-${root}`
  const computed = await gridRun(run, parents, job, () => (_, done) => roots[done], order)
  const { shared, outcome: searches } = computed
  const values = (shared.parents ?? shared.levels).array
  const last = searches.at(-1)
  const figures = { reached: last?.reached ?? 0, depth: depthOf(last) }
  const label = vertices === 0 ? null : run.labels().of(root)
  const record = searchRecord(run, computed, { root: label, searches: roots.length })
  return valuesAnswer(run, { values, figures, workers: computed.reports, checkpoint: computed.checkpoint, record })
}

/** The last level that found something. */
export const depthOf = (search: FinishedSearch | undefined): number =>
  search === undefined ? 0 : search.levels.length - (search.levels.at(-1)?.found === 0 ? 1 : 0)

/** Roots as Graph500 draws them: at random, of those that have neighbours. */
function randomRoots(graph: GaloisGr, { seed }: Pick<PlannedOptions, 'seed'>, count: number): number[] {
  if (graph.arcs === 0) return []
  const hash = new CounterHash(seed)
  const roots: number[] = []
  for (let item = 0; roots.length < count; item++) {
    hash.item(item)
    const v = hash.below(graph.vertices, 0)
    const { first, end } = graph.arcsOf(v)
    if (end > first) roots.push(v)
  }
  return roots
}

/** The rows of the grid are looked at with the plan, which knows the workers. */
export function requireGrid({ rows = 1 }: PlannedOptions): void {
  if (Number.isInteger(rows) && rows >= 1) return
  throw usageFailure(undefined, `a grid has no ${rows} rows`, 'Use 1 or more.')
}

/** @throws Failure (usage) where the rows do not divide the workers */
function rowsOf({ rows = 1 }: Pick<PlannedOptions, 'rows'>, workers: number): number {
  if (workers % rows === 0) return rows
  const what = `${workers} workers are no grid of ${rows} rows`
  throw usageFailure(undefined, what, 'Use rows that divide the number of workers.')
}

const messagesOf = ({ messages }: Pick<PlannedOptions, 'messages'>, parents: boolean) => ({
  listsOnly: messages === 'lists',
  parents,
})

export function planGrid(request: PlanRequest, parents: boolean): PlanEstimate {
  const { options, size, devices } = request
  const workers = devices.length
  const { plan: rows = 1, refusal } = attempt(() => rowsOf(options, workers))
  const share = 32 * Math.ceil(size.vertices / workers / 32)
  const bounds = Array.from({ length: workers + 1 }, (_, i) => Math.min(size.vertices, i * share))
  const grid = new SearchGrid(rows, bounds)
  const estimated = devices.map((_, worker) => {
    const { first, end } = grid.columnOf(worker)
    return { vertices: end - first, oneIn: rows, spaceBytes: searchSpaceBytes(grid, worker, parents) }
  })
  const hostBytes = sharedSearchBytes(grid, messagesOf(options, parents))
  const plan = estimateArcs(request, estimated, { hostBytes })
  return refusal === null ? plan : { ...plan, refusal }
}

type Searches = readonly FinishedSearch[]

interface GridComputed extends RangesDone<Searches> {
  readonly shared: SharedSearch
  readonly checkpoint: Answer['checkpoint']
  readonly hostBytes: number
}

/** Searches by the workers of a run. @param next made once memory is shared @param order of a checkpoint of the only search */
export async function gridRun(
  run: Run,
  parents: boolean,
  job: JobContext,
  next: (shared: SharedSearch) => NextRoot,
  order?: string,
): Promise<GridComputed> {
  const { args, graph, devices } = run
  const { direction = 'optimising' } = args
  const grid = cutGrid(graph, rowsOf(args, devices.length), devices.length, direction === 'top-down')
  const messages = messagesOf(args, parents)
  const shared = shareSearch(grid, direction, messages)
  const identity = order === undefined ? undefined : { order, vertices: graph.vertices }
  const kept = identity && resumeStates<LevelsSoFar>(args, identity, true, [shared.levels.array])
  const { bounds } = grid
  const computed = await runRanges(run, job, shared, searchWorks(next(shared)), { ...kept, bounds })
  return { ...computed, shared, checkpoint: kept?.checkpoint, hostBytes: sharedSearchBytes(grid, messages) }
}

/** The record of searches, the last one's levels in charts. */
export function searchRecord(
  run: Run,
  computed: GridComputed,
  options: AnswerRecord['options'],
): Omit<AnswerRecord, 'result'> {
  const { outcome: searches, startMs, endMs } = computed
  const computeMs = searches.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0)
  const prepareMs = Math.max(0, endMs - startMs - computeMs)
  const record = rangeRecord(run, computed, computed)
  const { seed, direction, rows, messages } = run.args
  const levels = searches.at(-1)?.levels ?? []
  let left = run.graph.vertices - 1
  return {
    ...record,
    options: {
      ...{ seed, direction: direction ?? 'optimising', rows: rows ?? 1, messages: messages ?? 'shortest' },
      ...{ ...record.options, ...options },
    },
    rounds: levels.length,
    roundCounts: levels.map(({ found }, i) => ({ round: i + 1, undecided: (left -= found) })),
    counters: {
      edges: searches.reduce((all, search) => all + search.arcs / 2, 0),
      teps: harmonicTeps(searches),
      bottomUpLevels: searches.flatMap((search) => search.levels).filter(({ isBottomUp }) => isBottomUp).length,
      ...record.counters,
    },
    series: [
      { name: 'found', unit: 'vertices', values: levels.map(({ found }) => found) },
      { name: 'arcsOfFound', unit: 'arcs', values: levels.map(({ arcs }) => arcs) },
      ...record.series,
    ],
    time: { ...record.time, prepareMs, computeMs },
  }
}

/** Graph500: the harmonic mean of the TEPS of all searches. */
function harmonicTeps(searches: Searches): number {
  const inverse = searches.reduce(
    (sum, { arcs, elapsedMs }) => sum + (arcs === 0 ? 0 : elapsedMs / 1000 / (arcs / 2)),
    0,
  )
  return inverse === 0 ? 0 : searches.length / inverse
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

/** A search goes from below while the frontier has more than 1 / ALPHA of the arcs that are left, until it has less than 1 / BETA of all vertices. */
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
  before?: LevelsSoFar,
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

export const searchWorks = (next?: NextRoot): RangeWorks<SharedSearch, Searches, LevelsSoFar> => ({
  follow: 'follow-search',
  kernels: searchKernels,
  needs: ({ shared, bounds, worker }) => {
    const grid = new SearchGrid(shared.rows, bounds)
    const spaceBytes = searchSpaceBytes(grid, worker, shared.parents !== undefined)
    return { spaceBytes, lists: grid.columnOf(worker), oneIn: grid.rows, choose: grid.arcChoice(worker) }
  },
  compute: (worker) => searchAll(worker, next),
})

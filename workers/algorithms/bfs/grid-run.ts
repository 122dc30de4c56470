import { usageFailure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { PlannedOptions } from '../../contract/jobs.ts'
import type { AnswerRecord, Run } from '../algorithm.ts'
import type { Kept, Checkpoint } from '../checkpoint.ts'
import { type PlanEstimate, type PlanRequest, attempt } from '../estimate.ts'
import { estimateArcs } from '../plan-arcs.ts'
import { type RangesDone, rangeRecord, runRanges } from '../range-run.ts'
import { type FinishedSearch, type NextRoot, searchWorks } from './search.ts'
import { SearchGrid, cutGrid } from './search-grid.ts'
import { type SharedSearch, searchSpaceBytes, shareSearch, sharedSearchBytes } from './search-space.ts'
import type { SearchSoFar } from './search-worker.ts'

/** The rows of the grid are looked at with the plan, which knows the workers. */
export function requireGrid({ rows = 1 }: PlannedOptions): void {
  if (Number.isInteger(rows) && rows >= 1) return
  throw usageFailure(undefined, `a grid has no ${rows} rows`, 'Use 1 or more.')
}

/** @throws Failure (usage) where the rows do not divide the workers */
function rowsOf({ rows = 1 }: Pick<PlannedOptions, 'rows'>, workers: number): number {
  if (workers % rows === 0) return rows
  throw usageFailure(
    undefined,
    `${workers} workers are no grid of ${rows} rows`,
    'Use rows that divide the number of workers.',
  )
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
  const plan = estimateArcs(request, estimated, sharedSearchBytes(grid, messagesOf(options, parents)))
  return refusal === null ? plan : { ...plan, refusal }
}

type Searches = readonly FinishedSearch[]

export interface GridComputed extends RangesDone<Searches> {
  readonly shared: SharedSearch
  readonly hostBytes: number
}

/** Searches by the workers of a run. @param next made once memory is shared @param kept by the checkpoint of the first search */
export async function gridRun(
  run: Run,
  parents: boolean,
  job: JobContext,
  next: (shared: SharedSearch) => NextRoot,
  checkpoint?: Checkpoint<SearchSoFar>,
  kept?: Kept<SearchSoFar>,
): Promise<GridComputed> {
  const { args, graph, devices } = run
  const { direction = 'optimising' } = args
  const grid = cutGrid(graph, rowsOf(args, devices.length), devices.length, direction === 'top-down')
  const messages = messagesOf(args, parents)
  const shared = shareSearch(grid, direction, messages)
  shared.levels.array.set(kept?.parts[0] ?? [])
  const computed = await runRanges(run, job, shared, searchWorks(next(shared)), {
    ...{ bounds: grid.bounds, before: kept?.notes },
    checkpointer: checkpoint?.checkpointer(true, () => [shared.levels.array]),
  })
  return { ...computed, shared, hostBytes: sharedSearchBytes(grid, messages) }
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

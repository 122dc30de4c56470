import { Failure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { PlannedOptions, RunArgs, ValuesResult } from '../../contract/jobs.ts'
import type { AnswerRecord, Run } from '../algorithm.ts'
import { threadsOf } from '../budgets.ts'
import { type PlanEstimate, type PlanRequest, attempt } from '../estimate.ts'
import { estimateArcs } from '../plan-arcs.ts'
import { isTraced, workerFigures, workerSeries } from '../worker-report.ts'
import { type ComputedSearches, type SearchLead, type SearchTask, computeSearches } from './compute-searches.ts'
import { searchSpaceBytes } from './device-segments.ts'
import { type SharedSearch, shareSearch, sharedSearchBytes } from './search-exchange.ts'
import { SearchGrid, cutGrid } from './search-grid.ts'

/** The rows of the grid are looked at with the plan, which knows the workers. */
export function requireGrid({ rows = 1 }: PlannedOptions): void {
  if (Number.isInteger(rows) && rows >= 1) return
  throw new Failure({ code: 'usage', what: `a grid has no ${rows} rows`, remedy: 'Use 1 or more.' })
}

/** @throws Failure (usage) where the rows do not divide the workers */
function columnsOf({ rows = 1 }: Pick<PlannedOptions, 'rows'>, workers: number): number {
  if (workers % rows === 0) return workers / rows
  throw new Failure({
    code: 'usage',
    what: `${workers} workers are no grid of ${rows} rows`,
    remedy: 'Use rows that divide the number of workers.',
  })
}

const messagesOf = ({ messages }: Pick<PlannedOptions, 'messages'>, parents: boolean) => ({
  listsOnly: messages === 'lists',
  parents,
})

export function planGrid(request: PlanRequest, parents: boolean): PlanEstimate {
  const { options, size, devices } = request
  const workers = devices.length
  const { plan: columns, refusal } = attempt(() => columnsOf(options, workers))
  const rows = columns === undefined ? 1 : workers / columns
  const share = 32 * Math.ceil(size.vertices / workers / 32)
  const bounds = Array.from({ length: workers + 1 }, (_, i) => Math.min(size.vertices, i * share))
  const grid = new SearchGrid(rows, workers / rows, bounds)
  const estimated = devices.map((_, worker) => {
    const { first, end } = grid.columnOf(worker)
    return { vertices: end - first, oneIn: rows, spaceBytes: searchSpaceBytes(grid, worker, parents) }
  })
  const plan = estimateArcs(request, estimated, sharedSearchBytes(grid, messagesOf(options, parents)))
  return refusal === null ? plan : { ...plan, refusal }
}

export interface GridComputed extends ComputedSearches {
  readonly shared: SharedSearch
  readonly prepareMs: number
  readonly computeMs: number
  readonly hostBytes: number
}

/** Searches by the workers of a run. @param lead made once memory is shared */
export async function gridRun(
  run: Run,
  parents: boolean,
  job: JobContext,
  lead: (shared: SharedSearch) => SearchLead & Pick<SearchTask, 'before'>,
): Promise<GridComputed> {
  const { args, graph, device, devices } = run
  const startMs = performance.now()
  const rows = args.rows ?? 1
  const { memoryBytes, direction = 'optimising' } = args
  const grid = cutGrid(graph, rows, columnsOf(args, devices.length), direction === 'top-down')
  const messages = messagesOf(args, parents)
  const shared = shareSearch(grid, messages)
  const common = {
    ...{
      graph: graph.handle,
      grid: { rows: grid.rows, columns: grid.columns, bounds: grid.bounds },
      shared,
      direction,
    },
    ...{ memoryBytes, traced: isTraced(args), batches: Math.ceil((args.batches ?? 1) / devices.length) },
  }
  const { before, ...leading } = lead(shared)
  const threads = threadsOf(graph, devices.filter(({ kind }) => kind === 'cpu').length)
  const tasks = devices.map(({ id }, worker) => ({ ...common, device: id, threads, worker, before }))
  const computed = await computeSearches(tasks, device, leading, job)
  await run.checked()
  const computeMs = computed.searches.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0)
  const prepareMs = Math.max(0, performance.now() - startMs - computeMs)
  return { ...computed, shared, computeMs, prepareMs, hostBytes: sharedSearchBytes(grid, messages) }
}

/** The record of searches, the last one's levels in charts. */
export function searchRecord(
  { args, graph }: Run,
  { searches, reports, prepareMs, computeMs, hostBytes }: GridComputed,
  result: ValuesResult,
  options: AnswerRecord['options'],
): AnswerRecord {
  const { vertices, arcs } = graph
  const { devices, time, bytes } = workerFigures(reports)
  const sum = (figure: (report: (typeof reports)[0]) => number): number =>
    reports.reduce((all, each) => all + figure(each), 0)
  const last = searches.at(-1)
  const levels = last?.levels ?? []
  let left = vertices - 1
  const isBelow = (level: { readonly isBottomUp: boolean }): boolean => level.isBottomUp
  return {
    devices,
    options: { ...chosen(args), ...options },
    result,
    rounds: levels.length,
    roundCounts: levels.map(({ found }, i) => ({ round: i + 1, undecided: (left -= found) })),
    counters: {
      edges: searches.reduce((all, search) => all + search.arcs / 2, 0),
      teps: harmonicTeps(searches),
      bottomUpLevels: searches.reduce((all, search) => all + search.levels.filter(isBelow).length, 0),
      listBytes: sum(({ listBytes }) => listBytes),
      bitmapBytes: sum(({ bitmapBytes }) => bitmapBytes),
      transfers: sum(({ transfers }) => transfers),
    },
    series: [
      { name: 'found', unit: 'vertices', values: levels.map(({ found }) => found) },
      { name: 'arcsOfFound', unit: 'arcs', values: levels.map((level) => level.arcs) },
      ...workerSeries(reports),
    ],
    time: { prepareMs, computeMs, ...time },
    bytes,
    passes: 1,
    plan: {
      ...{ vertices, arcs, hostBytes, batches: sum(({ batches }) => batches) },
      deviceBytes: Math.max(...reports.map(({ deviceBytes }) => deviceBytes)),
    },
  }
}

function chosen({ seed, memoryBytes, direction, rows, messages, batches }: RunArgs): AnswerRecord['options'] {
  return {
    ...{ seed, direction: direction ?? 'optimising', rows: rows ?? 1, messages: messages ?? 'shortest' },
    ...{ batches: batches ?? null, memoryBytes: memoryBytes ?? null },
  }
}

/** Graph500: the harmonic mean of the TEPS of all searches. */
function harmonicTeps(searches: ComputedSearches['searches']): number {
  const inverse = searches.reduce(
    (sum, { arcs, elapsedMs }) => sum + (arcs === 0 ? 0 : elapsedMs / 1000 / (arcs / 2)),
    0,
  )
  return inverse === 0 ? 0 : searches.length / inverse
}

import type { PlanLane } from '../../contract/jobs.ts'
import { requireWeights } from '../../graph/weighed-lists.ts'
import { orderOf } from './edge-order-of-run.ts'
import type { MatchPlan } from './plan-match.ts'
import { planMatch, usefulDevices } from './plan-match.ts'
import { budgetsOf } from '../budgets.ts'
import type { PlanEstimate, PlanRequest } from '../estimate.ts'
import { attempt, boundless, computeStep } from '../estimate.ts'
import { withGraph } from '../graph-size.ts'

/** LD-GPU: what a run takes follows from the size of its graph, so a plan is what the run does. */
export function estimateMatching({ options, size: graph, devices }: PlanRequest): PlanEstimate {
  const { vertices, arcs, exact } = graph
  const size = { vertices, arcs, readsWeights: orderOf(options, graph).weights === 'column' }
  const useful = usefulDevices(size, options, devices)
  const tried = attempt(() => planMatch(size, options, useful))
  // What is refused for its memory would take this much.
  const plan = tried.plan ?? planMatch(size, { batches: options.batches }, useful.map(boundless))
  const budgets = budgetsOf(useful, options.memoryBytes)
  const lanes = plan.workers.map((worker, i) => laneOf({ ...worker, budgetBytes: budgets[i]! }, plan, size))
  const deviceBytes = Math.max(...plan.workers.map((worker) => worker.deviceBytes))
  const batches = Math.max(1, plan.units)
  const { hostBytes, keepsLists } = plan
  const planned = { batches, hostBytes, deviceBytes, lanes, resident: keepsLists }
  const steps = [computeStep(planned, 4 * vertices)]
  const why = useful.length < devices.length ? aloneWords(useful[0]!.id) : undefined
  return { devices: useful, why, steps, batches, lanes, prepared: false, exact, refusal: tried.refusal }
}

const aloneWords = (id: string): string =>
  `uses ${id} alone: it holds the whole graph, and others would only wait for it; --partitions shares the work all the same`

function laneOf(
  { device, deviceBytes, budgetBytes }: MatchPlan['workers'][number],
  { keepsLists }: MatchPlan,
  {
    vertices,
    arcs,
    readsWeights,
  }: { readonly vertices: number; readonly arcs: number; readonly readsWeights: boolean },
): PlanLane {
  const shareBytes = 8 * vertices + (readsWeights ? 8 : 4) * arcs
  const availableBytes = Number.isFinite(budgetBytes) ? budgetBytes : null
  return { device, shareBytes, holds: keepsLists ? 'share' : 'nothing', deviceBytes, availableBytes }
}

/** Why a matching by the weights of a dataset cannot be: it has none. null where it has, or the file is not imported. */
export function weightsRefusal({ options, size }: PlanRequest): PlanEstimate['refusal'] {
  const { dataset, weighted } = size
  if (weighted || orderOf(options, size).weights !== 'column' || dataset === undefined) return null
  return withGraph(dataset, (graph) => attempt(() => requireWeights(graph)).refusal)
}

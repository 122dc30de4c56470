import type { PlanLane } from '../../contract/jobs.ts'
import { planSet } from './plan-set.ts'
import type { SetPlan } from './plan-set.ts'
import type { PlanEstimate, PlanRequest } from '../estimate.ts'
import { attempt, boundless, computeStep } from '../estimate.ts'

/** ECL-MIS, and MG-MIS with replicated states: what a run takes follows from the size of its graph, so a plan is what the run does. */
export function estimateSet({ options, size: graph, devices }: PlanRequest): PlanEstimate {
  const { vertices, arcs, weighted } = graph
  const size = { vertices, arcs, weighted, hasColumn: options.priority === 'column' }
  const tried = attempt(() => planSet(size, options, devices))
  // What is refused for its memory would take this much.
  const plan = tried.plan ?? planSet(size, { batches: options.batches }, devices.map(boundless))
  const lanes = plan.workers.map((worker) => laneOf(worker, size))
  const deviceBytes = Math.max(...plan.workers.map((worker) => worker.deviceBytes))
  const batches = Math.max(1, plan.units)
  const planned = { batches, hostBytes: plan.hostBytes, deviceBytes, lanes, resident: true }
  const steps = [computeStep(planned, Math.ceil(vertices / 8))]
  return { devices, steps, batches, lanes, prepared: false, exact: graph.exact, refusal: tried.refusal }
}

/** Lists pass through every worker. */
function laneOf(
  { device, deviceBytes, budgetBytes }: SetPlan['workers'][number],
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
): PlanLane {
  const shareBytes = 8 * vertices + 4 * arcs
  const availableBytes = Number.isFinite(budgetBytes) ? budgetBytes : null
  return { device, shareBytes, holds: 'nothing', deviceBytes, availableBytes }
}

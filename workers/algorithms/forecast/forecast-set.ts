import type { PlanLane } from '../../contract/jobs.ts'
import { planSet } from '../ecl-mis/plan-set.ts'
import type { SetPlan } from '../ecl-mis/plan-set.ts'
import type { Forecast, Question } from './forecast.ts'
import { attempt, boundless, computeStep } from './forecast.ts'

/** ECL-MIS, and MG-MIS with replicated states: what a run takes follows from the size of its graph, so a plan is what the run does. */
export function forecastSet({ asked, subject, devices }: Question): Forecast {
  const { vertices, arcs, weighted } = subject
  const size = { vertices, arcs, weighted, hasColumn: asked.priority === 'column' }
  const tried = attempt(() => planSet(size, asked, devices))
  // What is refused for its memory would take this much.
  const plan = tried.plan ?? planSet(size, { batches: asked.batches }, devices.map(boundless))
  const lanes = plan.workers.map((worker) => laneOf(worker, size))
  const deviceBytes = Math.max(...plan.workers.map((worker) => worker.deviceBytes))
  const batches = Math.max(1, plan.units)
  const planned = { batches, hostBytes: plan.hostBytes, deviceBytes, lanes, resident: true }
  const steps = [computeStep(planned, Math.ceil(vertices / 8))]
  return { devices, steps, batches, lanes, prepared: false, exact: subject.exact, refusal: tried.refusal }
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

import type { PlanLane } from '../../contract/jobs.ts'
import { orderOf } from '../ld-gpu/edge-order-of-run.ts'
import type { MatchPlan } from '../ld-gpu/plan-match.ts'
import { planMatch, usefulDevices } from '../ld-gpu/plan-match.ts'
import { budgetsOf } from '../plan-run.ts'
import type { Forecast, Question } from './forecast.ts'
import { attempt, boundless, computeStep } from './forecast.ts'

/** LD-GPU: what a run takes follows from the size of its graph, so a plan is what the run does. */
export function forecastMatching({ asked, subject, devices }: Question): Forecast {
  const { vertices, arcs, exact } = subject
  const size = { vertices, arcs, readsWeights: orderOf(asked, subject).weights === 'column' }
  const useful = usefulDevices(size, asked, devices)
  const tried = attempt(() => planMatch(size, asked, useful))
  // What is refused for its memory would take this much.
  const plan = tried.plan ?? planMatch(size, { batches: asked.batches }, useful.map(boundless))
  const budgets = budgetsOf(useful, asked.memoryBytes)
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

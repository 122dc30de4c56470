import type { PlanLane } from '../../../contract/jobs.ts'
import { orderOf } from '../../ld-gpu/edge-order-of-run.ts'
import type { RescanPlan } from './plan-rescan.ts'
import { planRescan, rescanHostBytes } from './plan-rescan.ts'
import { scanDeviceBytes } from './rescan.ts'
import { scanBytes } from './scan-arcs.ts'
import { commonBudget } from '../../budgets.ts'
import type { PlanEstimate, Planned, PlanRequest } from '../../estimate.ts'
import { MOST_EXACT_VERTICES, attempt, computeStep } from '../../estimate.ts'
import { withGraph } from '../../graph-size.ts'

/** LD-GPU by scans of all lists, by the sizes of the graph alone: as if all lists were equally long. Refuses nothing. */
export function estimateRescan(request: PlanRequest): PlanEstimate {
  const { options, size, devices } = request
  const { vertices, arcs } = size
  const workers = devices.length
  const order = orderOf(options, size)
  const budget = budgetOf(request)
  const [count, share] = [Math.ceil(vertices / workers), Math.ceil(arcs / workers)]
  const bytesOf = (parts: number): number => {
    const batch: [number, number] = [Math.ceil(count / parts), Math.ceil(share / parts)]
    return scanDeviceBytes(vertices, order, new Array<[number, number]>(parts).fill(batch))
  }
  let parts = Math.max(1, Math.ceil((options.batches ?? 1) / workers))
  while (bytesOf(parts) > budget && parts < count) parts = Math.ceil(1.5 * parts) + 1
  const deviceBytes = Math.min(bytesOf(parts), budget)
  const batches = parts * workers
  const hostBytes = rescanHostBytes(size, order)
  return estimateOf(request, {
    batches,
    hostBytes,
    deviceBytes,
    lanes: lanesOf(request, deviceBytes),
    resident: true,
  })
}

/** The same by the lists as they are: what the run itself plans. undefined for a file, and where there are very many lists. */
export function planRescanExactly(request: PlanRequest): PlanEstimate | undefined {
  const { options, size, devices } = request
  const { dataset, vertices } = size
  if (dataset === undefined || vertices > MOST_EXACT_VERTICES) return undefined
  const planned = (): RescanPlan =>
    withGraph(dataset, (graph) => planRescan(options, graph, orderOf(options, size), devices))
  const tried = attempt(planned)
  if (tried.refusal !== null) return { ...estimateRescan(request), refusal: tried.refusal }
  const { plan } = tried.plan
  const lanes = lanesOf(request, plan.deviceBytes)
  return { ...estimateOf(request, { ...plan, lanes, resident: true }), exact: true }
}

const budgetOf = ({ options, devices }: PlanRequest): number => commonBudget(devices, options.memoryBytes)

function lanesOf(request: PlanRequest, deviceBytes: number): PlanLane[] {
  const { options, size, devices } = request
  const workers = devices.length
  const shareBytes = scanBytes(
    Math.ceil(size.vertices / workers),
    Math.ceil(size.arcs / workers),
    orderOf(options, size),
  )
  const budget = budgetOf(request)
  const availableBytes = Number.isFinite(budget) ? budget : null
  const holds = shareBytes <= deviceBytes ? 'share' : 'nothing'
  return devices.map(({ id }) => ({ device: id, shareBytes, holds, deviceBytes, availableBytes }))
}

function estimateOf({ size, devices }: PlanRequest, planned: Planned): PlanEstimate {
  const { batches, lanes } = planned
  const steps = [computeStep(planned, 4 * size.vertices)]
  return { devices, steps, batches, lanes, prepared: false, exact: false, refusal: null }
}

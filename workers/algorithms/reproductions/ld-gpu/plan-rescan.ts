import { Failure, MORE_MEMORY } from '../../../base/failure.ts'
import { limitsOf } from '../../../device/device-memory.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import type { EdgeOrder } from '../../../graph/edge-order.ts'
import type { DeviceFacts, PlanLane, RunArgs, RunPlan } from '../../../contract/jobs.ts'
import { sizeInWords } from '../../plan-refusal.ts'
import { commonBudget } from '../../budgets.ts'
import { scanDeviceBytes } from './rescan.ts'
import { equalArcs, tieWords, scanBytes } from './scan-arcs.ts'
import { orderOf } from '../../ld-gpu/match-setup.ts'
import {
  type PlanEstimate,
  type Planned,
  type PlanRequest,
  MOST_EXACT_VERTICES,
  attempt,
  computeStep,
  withGraph,
} from '../../estimate.ts'

export interface RescanPlan {
  readonly plan: RunPlan
  /** Bounds of the batches of each worker; the last of one is the first of the next. */
  readonly shares: readonly (readonly number[])[]
}

/**
 * Cuts the graph into shares of equal arcs, one a worker, and these into batches: as many as were asked for, or more where two of them do
 * not fit the budget.
 * @throws Failure (usage) where not even the smallest batches fit
 */
export function planRescan(
  args: Pick<RunArgs, 'batches' | 'memoryBytes'>,
  graph: GaloisGr,
  order: EdgeOrder,
  devices: readonly DeviceFacts[],
): RescanPlan {
  const { vertices, arcs } = graph
  const budget = commonBudget(devices, args.memoryBytes)
  const { maxBufferBytes } = limitsOf(devices[0]!)
  const ranges = equalArcs(graph, 0, vertices, devices.length)
  const wanted = Math.ceil((args.batches ?? 1) / devices.length)
  const parts = devices.map((_, worker) => {
    const [first, last] = [ranges[worker]!, ranges[worker + 1]!]
    return fittingBatches(graph, order, first, last, wanted, budget, maxBufferBytes)
  })
  const deviceBytes = Math.max(...parts.map((part) => part.bytes))
  const plan: RunPlan = {
    vertices,
    arcs,
    batches: parts.reduce((sum, { bounds }) => sum + bounds.length - 1, 0),
    hostBytes: rescanHostBytes(graph, order),
    deviceBytes,
  }
  return { plan, shares: parts.map(({ bounds }) => bounds) }
}

/** The host holds all arcs, with the words by which they are compared. */
export function rescanHostBytes(
  { vertices, arcs }: { readonly vertices: number; readonly arcs: number },
  order: EdgeOrder,
): number {
  return 4 * arcs * (2 + tieWords(order)) + 8 * vertices
}

function fittingBatches(
  graph: GaloisGr,
  order: EdgeOrder,
  first: number,
  last: number,
  wanted: number,
  budget: number,
  maxBufferBytes: number,
): { bounds: number[]; bytes: number } {
  const offsets = graph.readOffsets(first, last)
  for (let parts = wanted; ; parts = Math.ceil(1.5 * parts) + 1) {
    const bounds = equalArcs(graph, first, last, parts).filter((bound, i, all) => i === 0 || bound > all[i - 1]!)
    const sizes = bounds.slice(1).map((end, i): [count: number, arcs: number] => {
      const start = bounds[i]!
      return [end - start, offsets[end - first]! - offsets[start - first]!]
    })
    const bytes = scanDeviceBytes(graph.vertices, order, sizes)
    const widest = Math.max(0, ...sizes.map(([, arcs]) => 4 * arcs * Math.max(1, tieWords(order))))
    if (bytes <= budget && widest <= maxBufferBytes) return { bounds, bytes }
    if (parts > 2 * (last - first)) throw tooSmall(bytes, budget)
  }
}

function tooSmall(needed: number, budget: number): Failure {
  return new Failure({
    code: 'usage',
    what: `the vertices and two of the smallest batches take ${sizeInWords(needed, budget)} of the device's memory, and ${sizeInWords(budget, needed)} may be used`,
    remedy: 'The other method streams longer lists.',
    fixes: [{ action: 'set', option: 'method', to: 'ordered' }, MORE_MEMORY],
  })
}

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

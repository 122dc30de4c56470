/**
 * Plans of workers that each own a range of vertices and hold its lists on their device: all at once, or in batches of about equal bytes that
 * take turns. Twice: from the sizes of the graph alone, as if all lists were equally long, before anything is read; and from the offsets, as the
 * run itself cuts. Without room for a batch beside the values of the vertices it refuses, with what would help. arc-store.ts holds the batches,
 * plan.ts asks.
 */

import { deviceFailure, type Fix, MORE_MEMORY } from '../base/failure.ts'
import type { PlanLane } from '../contract/jobs.ts'
import { limitsOf, type DeviceLimits } from '../device/device.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { lowerBound, type Range } from '../base/ranges.ts'
import { type ArcBatch, arcBatchBytes } from './arc-store.ts'
import {
  budgetsOf,
  shortOfMemory,
  type PlanEstimate,
  type PlanRequest,
  MOST_EXACT_VERTICES,
  attempt,
  estimateOf,
  knownBytes,
  withGraph,
} from './plan-request.ts'

/** A worker's lists on its device, all at once or in batches that take turns. */
export interface ArcsPlan {
  readonly batches: readonly ArcBatch[]
  /** Bytes on the device for arcs, and in all. */
  readonly arcBytes: number
  readonly deviceBytes: number
}

/** What a worker holds on its device. */
export interface ArcNeeds {
  /** Bytes for all but arcs. */
  readonly spaceBytes: number
  /** It holds about one in so many of the arcs of its vertices. */
  readonly oneIn?: number | undefined
  /** 2 with a value for each arc. */
  readonly wordsAnArc?: number | undefined
  readonly words?: RefusalWords | undefined
}

interface ArcsRequest extends ArcNeeds {
  /** Into which the lists of the worker are cut at least. */
  readonly batches: number
  /** The budget of the worker on its device; Infinity: not known. */
  readonly budgetBytes: number
}

/** What a refusal says beside the sizes. */
interface RefusalWords {
  /** What takes the memory, with its verb. */
  readonly holds: string
  /** Fixes that help, beside more memory. */
  readonly fixes: readonly Fix[]
}

const VALUES: RefusalWords = { holds: 'the values of vertices take', fixes: [] }

interface ArcLimits {
  readonly batches: number
  readonly maxBufferBytes: number
  readonly maxBatchBytes: number
  /** Fixes that help, beside more memory, if the arcs of one vertex are too many. */
  readonly fixes?: readonly Fix[] | undefined
}

/**
 * Cuts a worker's vertices into batches of about equal bytes within the limits.
 * @throws Failure (device) when the arcs of one vertex exceed them
 */
export function planArcBatches(graph: GaloisGr, { first: low, end: high }: Range, limits: ArcLimits): ArcBatch[] {
  const offsetOf = (v: number): number => graph.readOffsets(v, v)[0]!
  const total = arcBatchBytes({ count: high - low, arcs: offsetOf(high) - offsetOf(low) })
  const target = Math.min(limits.maxBatchBytes, Math.ceil(total / Math.max(1, limits.batches)))
  const batches: ArcBatch[] = []
  for (let first = low; first < high;) {
    const firstArc = offsetOf(first)
    const batchTo = (end: number) => ({ count: end - first, arcs: offsetOf(end) - firstArc })
    const fits = (batch: { count: number; arcs: number }): boolean =>
      arcBatchBytes(batch) <= target && 4 * batch.arcs <= limits.maxBufferBytes
    const end = fits(batchTo(high)) ? high : lowerBound(first + 1, high, (last) => fits(batchTo(last + 1)))
    const batch = batchTo(end)
    requireFit(batch, limits)
    batches.push({ index: batches.length, first, firstArc, ...batch })
    first = end
  }
  return batches
}

function requireFit(batch: { count: number; arcs: number }, limits: ArcLimits): void {
  const isTooLarge = batch.count === 1 && arcBatchBytes(batch) > limits.maxBatchBytes
  if (!isTooLarge && 4 * batch.arcs <= limits.maxBufferBytes) return
  const what = `the ${batch.arcs} arcs of one vertex need more memory than a batch may have`
  throw deviceFailure(undefined, what, '', [MORE_MEMORY, ...(limits.fixes ?? [])])
}

/** Room for a batch of one vertex with one arc, and for the next. */
const LEAST_ARC_BYTES = 2 * arcBatchBytes({ count: 1, arcs: 1 })

/** One in so many is a mean: some ranges hold more. */
const slack = (oneIn: number): number => (oneIn === 1 ? 1 : 2)

/** @throws Failure (usage) where there is no room for arcs */
export function planArcs(
  device: DeviceLimits,
  graph: GaloisGr,
  own: Range,
  { batches: wanted, budgetBytes, spaceBytes, oneIn = 1, wordsAnArc = 1, words = VALUES }: ArcsRequest,
): ArcsPlan {
  // The values of a batch are in one buffer.
  const maxBufferBytes = Math.floor(device.maxBufferBytes / Math.max(1, wordsAnArc - 1))
  const cut = (maxBatchBytes: number): ArcBatch[] =>
    planArcBatches(graph, own, { batches: wanted, maxBufferBytes, maxBatchBytes, fixes: words.fixes })
  const whole = cut(Infinity)
  const bytesOf = ({ count, arcs }: ArcBatch): number =>
    arcBatchBytes({ count, arcs: Math.ceil(arcs / oneIn) }, wordsAnArc)
  const allBytes = slack(oneIn) * whole.reduce((sum, batch) => sum + bytesOf(batch), 0)
  const deviceBytes = spaceBytes + allBytes
  if (deviceBytes <= budgetBytes) return { batches: whole, arcBytes: allBytes, deviceBytes }
  const arcBytes = requireRoom(device.facts.id, spaceBytes, budgetBytes, words)
  return { batches: cut(Math.floor(arcBytes / 2 / wordsAnArc)), arcBytes, deviceBytes: budgetBytes }
}

function requireRoom(device: string, spaceBytes: number, budgetBytes: number, { holds, fixes }: RefusalWords): number {
  if (budgetBytes - spaceBytes >= LEAST_ARC_BYTES) return budgetBytes - spaceBytes
  throw shortOfMemory(device, holds, spaceBytes, budgetBytes, '', [MORE_MEMORY, ...fixes])
}

/** What is planned for a worker. */
interface EstimatedPart extends Pick<PlanLane, 'shareBytes' | 'holds' | 'deviceBytes'> {
  readonly batches: number
}

/** What a run takes beside its workers. */
interface HostNeeds {
  /** Shared memory and the result. */
  readonly hostBytes: number
  /** Bytes of the result file: a word for each vertex, unless said otherwise. */
  readonly resultBytes?: number | undefined
}

/**
 * The plan from the sizes of the graph alone, as if all lists were equally long. @param workers with the number of vertices whose lists each
 * holds
 */
export function estimateArcs(
  request: PlanRequest,
  workers: readonly (ArcNeeds & { readonly vertices: number })[],
  host: HostNeeds,
): PlanEstimate {
  const { options, size, devices } = request
  const budgets = budgetsOf(devices, options.memoryBytes)
  const wanted = Math.ceil((options.batches ?? 1) / workers.length)
  const tried = workers.map(({ vertices, oneIn = 1, spaceBytes, wordsAnArc = 1, words = VALUES }, worker) =>
    attempt((): EstimatedPart => {
      const [facts, budget] = [devices[worker]!, budgets[worker]!]
      const arcs = Math.ceil((size.arcs * vertices) / Math.max(1, size.vertices) / oneIn)
      const shareBytes = arcBatchBytes({ count: vertices, arcs }, wordsAnArc)
      const allBytes = spaceBytes + slack(oneIn) * shareBytes
      const fits = allBytes <= budget
      const room = fits ? Infinity : Math.floor(requireRoom(facts.id, spaceBytes, budget, words) / 2)
      const batches = Math.max(wanted, Math.ceil(shareBytes / Math.min(limitsOf(facts).maxBufferBytes, room)))
      return { shareBytes, holds: fits ? 'share' : 'nothing', deviceBytes: fits ? allBytes : budget, batches }
    }),
  )
  const refusal = tried.find((part) => part.refusal !== null)?.refusal ?? null
  const parts = tried.map(({ plan }) => plan)
  return { ...estimateOfParts(request, budgets, parts, host, refusal), exact: false }
}

/** The plans of workers that each own a range, as their run makes them. @throws Failure (usage) where there is no room for arcs */
export function planRangeArcs(
  graph: GaloisGr,
  bounds: readonly number[],
  devices: readonly DeviceLimits[],
  budgets: readonly number[],
  needsOf: (worker: number) => Omit<ArcsRequest, 'budgetBytes'>,
): ArcsPlan[] {
  return devices.map((device, worker) => {
    const own = { first: bounds[worker]!, end: bounds[worker + 1]! }
    return planArcs(device, graph, own, { ...needsOf(worker), budgetBytes: budgets[worker]! })
  })
}

interface ExactPlan extends HostNeeds {
  readonly parts: readonly ArcsPlan[]
  readonly wordsAnArc?: number
}

/**
 * The plan from the lists, as the run makes it; undefined for a file, and for very many lists. @param estimated from the sizes alone
 * @param plan the workers' own plans
 */
export function planArcsExactly(
  request: PlanRequest,
  estimated: PlanEstimate,
  plan: (graph: GaloisGr, budgets: readonly number[]) => ExactPlan,
): PlanEstimate | undefined {
  const { options, size, devices } = request
  const { dataset, vertices } = size
  if (dataset === undefined || vertices > MOST_EXACT_VERTICES) return undefined
  const budgets = budgetsOf(devices, options.memoryBytes)
  const tried = attempt(() => withGraph(dataset, (graph) => plan(graph, budgets)))
  if (tried.refusal !== null) return { ...estimated, refusal: tried.refusal }
  const { parts, wordsAnArc = 1, ...host } = tried.plan
  const known = parts.map(({ batches, arcBytes, deviceBytes }): EstimatedPart => {
    const shareBytes = batches.reduce((sum, batch) => sum + arcBatchBytes(batch, wordsAnArc), 0)
    return { shareBytes, holds: shareBytes <= arcBytes ? 'share' : 'nothing', deviceBytes, batches: batches.length }
  })
  return { ...estimateOfParts(request, budgets, known, host, null), exact: true }
}

/** @param parts of the workers; undefined for one that is refused */
function estimateOfParts(
  request: PlanRequest,
  budgets: readonly number[],
  parts: readonly (EstimatedPart | undefined)[],
  { hostBytes, resultBytes = 4 * request.size.vertices }: HostNeeds,
  refusal: PlanEstimate['refusal'],
): PlanEstimate {
  const lanes = parts.flatMap((part, worker): PlanLane[] => {
    if (part === undefined) return []
    const { batches: _, ...lane } = part
    return [{ device: request.devices[worker]!.id, ...lane, availableBytes: knownBytes(budgets[worker]!) }]
  })
  const batches = parts.reduce((sum, part) => sum + (part?.batches ?? 0), 0)
  const resident = lanes.every(({ holds }) => holds === 'share')
  return estimateOf(request, { batches, hostBytes, lanes, resident }, resultBytes, refusal)
}

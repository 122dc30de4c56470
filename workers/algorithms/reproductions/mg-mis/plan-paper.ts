import { Failure, MORE_MEMORY } from '../../../base/failure.ts'
import type { DeviceLimits } from '../../../device/device.ts'
import { defaultBufferWords } from './message-buffers.ts'
import { EqualRanges } from './paper-ranges.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import type { PlanLane, RunArgs } from '../../../contract/jobs.ts'
import { sizeInWords } from '../../plan-refusal.ts'
import { deviceBudget, runHostBytes } from '../../budgets.ts'
import { type ArcBatch, arcBatchBytes, planArcBatches } from './arc-store.ts'
import { paperWorkspaceBytes, requireKernelsSee } from './paper-workspace.ts'
import { limitsOf } from '../../../device/device-memory.ts'
import {
  type PlanEstimate,
  type Planned,
  type PlanRequest,
  MOST_EXACT_VERTICES,
  attempt,
  availableOn,
  computeStep,
  withGraph,
} from '../../estimate.ts'

/** Send and receive buffers take at most this share of a device's memory by default. */
const BUFFER_SHARE = 1 / 4
/** A question is two words. */
const LEAST_BUFFER_WORDS = 2

/** Words of a buffer: as asked for, else what suits the graph and the memory. @throws Failure (usage) when less than 2 */
export function bufferWordsOf(
  asked: number | undefined,
  vertices: number,
  workers: number,
  budgetBytes: number,
): number {
  if (asked === undefined) {
    const room = Math.floor((BUFFER_SHARE * budgetBytes) / (4 * 2 * workers))
    return Math.max(LEAST_BUFFER_WORDS, Math.min(defaultBufferWords(vertices, workers), room))
  }
  if (asked >= LEAST_BUFFER_WORDS && workers ** 2 * asked < 2 ** 30) return asked
  throw new Failure({
    code: 'usage',
    what: `${workers ** 2} buffers of ${asked} words cannot be used`,
    remedy: `Use ${LEAST_BUFFER_WORDS} words or more, and ${2 ** 30} in all at most.`,
  })
}

export interface PaperPartPlan {
  readonly batches: readonly ArcBatch[]
  /** Bytes on the device for arcs, and in all. */
  readonly arcBytes: number
  readonly deviceBytes: number
}

/** @throws Failure (usage) when what a worker keeps on its device leaves no room for arcs */
export function planPaperPart(
  device: DeviceLimits,
  graph: GaloisGr,
  { workers, bufferWords }: { readonly workers: number; readonly bufferWords: number },
  worker: number,
  { batches: wanted, memoryBytes, ranked }: { batches: number; memoryBytes: number | undefined; ranked: boolean },
): PaperPartPlan {
  const { vertices } = graph
  const own = new EqualRanges(vertices, workers).of(worker)
  requireKernelsSee(device, own.places, workers * bufferWords)
  const budget = deviceBudget(device.facts, memoryBytes)
  const { maxBufferBytes } = device
  const whole = planArcBatches(graph, own, { batches: wanted, maxBufferBytes, maxBatchBytes: Infinity })
  const needs = (batches: readonly ArcBatch[]): number =>
    paperWorkspaceBytes({ places: own.places, workers, bufferWords, ranked, vertices, batches: batches.length })
  const allBytes = whole.reduce((sum, batch) => sum + arcBatchBytes(batch), 0)
  if (needs(whole) + allBytes <= budget)
    return { batches: whole, arcBytes: allBytes, deviceBytes: needs(whole) + allBytes }
  // Counters grow with the batches; half of the room for each batch leaves more than enough for them.
  const room = budget - needs(whole)
  if (room < LEAST_ARC_BYTES) throw noRoomForArcs(device, needs(whole), budget)
  const batches = planArcBatches(graph, own, { batches: wanted, maxBufferBytes, maxBatchBytes: Math.floor(room / 2) })
  return { batches, arcBytes: room, deviceBytes: budget }
}

/** A batch of one vertex with one arc. */
export const LEAST_ARC_BYTES = arcBatchBytes({ count: 1, arcs: 1 })

export function noRoomForArcs({ facts }: DeviceLimits, neededBytes: number, budgetBytes: number): Failure {
  return new Failure({
    code: 'usage',
    where: facts.id,
    what: `states, priorities and buffers take ${sizeInWords(neededBytes, budgetBytes)} of the device's memory, and ${sizeInWords(budgetBytes, neededBytes)} may be used`,
    remedy: '',
    fixes: [
      MORE_MEMORY,
      { action: 'lower', option: 'bufferWords' },
      { action: 'set', option: 'exchange', to: 'replicated' },
    ],
  })
}

/** What is asked of a run under the paper's exchange, as far as it changes what it takes. */
export type PaperAsked = Pick<RunArgs, 'batches' | 'bufferWords' | 'memoryBytes' | 'priority'>

/** Batches that each worker's range is cut into at least. */
export const batchesEach = (asked: number | undefined, workers: number): number => Math.ceil((asked ?? 1) / workers)

/** Priorities that are no hash of the id lie on every device (section 3.1). */
export const isRanked = ({ priority }: Pick<RunArgs, 'priority'>): boolean => priority !== 'hash'

export interface PaperPlan {
  readonly bufferWords: number
  readonly parts: readonly PaperPartPlan[]
}

/** The plans of all workers, in their order. @param devices of each worker; the leading one first */
export function planPaper(asked: PaperAsked, graph: GaloisGr, devices: readonly DeviceLimits[]): PaperPlan {
  const workers = devices.length
  const budget = Math.min(...devices.map(({ facts }) => deviceBudget(facts, asked.memoryBytes)))
  const bufferWords = bufferWordsOf(asked.bufferWords, graph.vertices, workers, budget)
  const options = {
    batches: batchesEach(asked.batches, workers),
    memoryBytes: asked.memoryBytes,
    ranked: isRanked(asked),
  }
  const parts = devices.map((device, worker) => planPaperPart(device, graph, { workers, bufferWords }, worker, options))
  return { bufferWords, parts }
}

/** What the host keeps: the result, and a buffer for each two workers. */
export const paperHostBytes = (vertices: number, workers: number, bufferWords: number): number =>
  runHostBytes(vertices) + 4 * bufferWords * workers ** 2

/** MG-MIS under the exchange of the paper, by the sizes of the graph alone: as if all lists were equally long. */
export function estimatePaper(request: PlanRequest): PlanEstimate {
  const { options, size, devices } = request
  const { vertices } = size
  const workers = devices.length
  const least = Math.min(...devices.map((facts) => deviceBudget(facts, options.memoryBytes)))
  const words = attempt(() => bufferWordsOf(options.bufferWords, vertices, workers, least))
  const bufferWords = words.plan ?? bufferWordsOf(undefined, vertices, workers, least)
  const parts = devices.map((_, worker) => attempt(() => equalPart(request, bufferWords, worker)))
  const refusal = words.refusal ?? parts.find((part) => part.refusal !== null)?.refusal ?? null
  const known = parts.flatMap(({ plan }) => (plan === undefined ? [] : [plan]))
  const planned: Planned = {
    batches: known.reduce((sum, { batches }) => sum + batches, 0),
    hostBytes: paperHostBytes(vertices, workers, bufferWords),
    deviceBytes: Math.max(0, ...known.map(({ lane }) => lane.deviceBytes)),
    lanes: known.map(({ lane }) => lane),
    resident: known.every(({ lane }) => lane.holds === 'share'),
  }
  return estimateOf(request, planned, refusal)
}

/** The same by the lists as they are: what the run itself plans. undefined for a file, and where there are very many lists. */
export function planPaperExactly(request: PlanRequest): PlanEstimate | undefined {
  const { options, size, devices } = request
  const { dataset, vertices } = size
  if (dataset === undefined || vertices > MOST_EXACT_VERTICES) return undefined
  const tried = withGraph(dataset, (graph) => attempt(() => planPaper(options, graph, devices.map(limitsOf))))
  if (tried.refusal !== null) return { ...estimatePaper(request), refusal: tried.refusal }
  const { bufferWords, parts } = tried.plan
  const lanes = parts.map(({ batches, arcBytes, deviceBytes }, worker): PlanLane => {
    const shareBytes = batches.reduce((sum, batch) => sum + arcBatchBytes(batch), 0)
    const holds = shareBytes <= arcBytes ? 'share' : 'nothing'
    const { id } = devices[worker]!
    return {
      device: id,
      shareBytes,
      holds,
      deviceBytes,
      availableBytes: availableOn(devices[worker]!, options.memoryBytes),
    }
  })
  const planned: Planned = {
    batches: parts.reduce((sum, { batches }) => sum + batches.length, 0),
    hostBytes: paperHostBytes(vertices, devices.length, bufferWords),
    deviceBytes: Math.max(...parts.map(({ deviceBytes }) => deviceBytes)),
    lanes,
    resident: lanes.every(({ holds }) => holds === 'share'),
  }
  return { ...estimateOf(request, planned, null), exact: true }
}

function estimateOf({ size, devices }: PlanRequest, planned: Planned, refusal: PlanEstimate['refusal']): PlanEstimate {
  const { batches, lanes } = planned
  const steps = [computeStep(planned, Math.ceil(size.vertices / 8))]
  return { devices, steps, batches, lanes, prepared: false, exact: false, refusal }
}

/** A worker's part if all lists were equally long. @throws Failure (usage), (device) where the lists make no difference */
function equalPart(
  { options, size: { vertices, arcs }, devices }: PlanRequest,
  bufferWords: number,
  worker: number,
): { batches: number; lane: PlanLane } {
  const workers = devices.length
  const device = limitsOf(devices[worker]!)
  const { low, high, places } = new EqualRanges(vertices, workers).of(worker)
  requireKernelsSee(device, places, workers * bufferWords)
  const wanted = Math.min(batchesEach(options.batches, workers), high - low)
  const sizes = { places, workers, bufferWords, ranked: isRanked(options), vertices }
  const needed = paperWorkspaceBytes({ ...sizes, batches: wanted })
  const budget = deviceBudget(device.facts, options.memoryBytes)
  const shareBytes = high === low ? 0 : arcBatchBytes({ count: high - low, arcs: Math.ceil(arcs / workers) })
  const availableBytes = availableOn(device.facts, options.memoryBytes)
  const lane = { device: device.facts.id, shareBytes, availableBytes }
  if (needed + shareBytes <= budget)
    return { batches: wanted, lane: { ...lane, holds: 'share', deviceBytes: needed + shareBytes } }
  const room = budget - needed
  if (room < LEAST_ARC_BYTES) throw noRoomForArcs(device, needed, budget)
  const batches = Math.max(wanted, Math.ceil(shareBytes / Math.max(LEAST_ARC_BYTES, Math.floor(room / 2))))
  return { batches, lane: { ...lane, holds: 'nothing', deviceBytes: budget } }
}

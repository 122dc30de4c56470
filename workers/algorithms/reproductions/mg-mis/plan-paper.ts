import { Failure, type Fix, MORE_MEMORY } from '../../../base/failure.ts'
import type { PlanLane, RunArgs } from '../../../contract/jobs.ts'
import { limitsOf } from '../../../device/device-memory.ts'
import type { DeviceLimits } from '../../../device/device.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { deviceBudget, runHostBytes } from '../../budgets.ts'
import {
  MOST_EXACT_VERTICES,
  type PlanEstimate,
  type PlanRequest,
  attempt,
  availableOn,
  estimateOf,
  withGraph,
} from '../../estimate.ts'
import { shortOfMemory } from '../../plan-refusal.ts'
import { type ArcBatch, arcBatchBytes, planArcBatches } from '../../arc-store.ts'
import { defaultBufferWords } from './message-buffers.ts'
import { EqualRanges } from './paper-ranges.ts'
import { paperWorkspaceBytes, requireKernelsSee } from './paper-workspace.ts'

/** Of a device's memory, for send and receive buffers by default. */
const BUFFER_SHARE = 1 / 4
/** A query is two words. */
const LEAST_BUFFER_WORDS = 2

/** Words of a buffer: as asked for, else what suits the graph and the memory. @throws Failure (usage) when less than 2 */
function bufferWordsOf(asked: number | undefined, vertices: number, workers: number, budgetBytes: number): number {
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

interface PaperPartPlan {
  readonly batches: readonly ArcBatch[]
  /** Bytes on the device for arcs, and in all. */
  readonly arcBytes: number
  readonly deviceBytes: number
}

/** The plan of one worker. @throws Failure (usage) where there is no room for arcs */
export function planPaperPart(
  device: DeviceLimits,
  graph: GaloisGr,
  { workers, bufferWords }: { readonly workers: number; readonly bufferWords: number },
  worker: number,
  { batches: wanted, memoryBytes, ranked }: { batches: number; memoryBytes: number | undefined; ranked: boolean },
): PaperPartPlan {
  const { vertices } = graph
  const own = new EqualRanges(vertices, workers).of(worker)
  const { places } = own
  requireKernelsSee(device, places, workers * bufferWords)
  const budget = deviceBudget(device.facts, memoryBytes)
  const { maxBufferBytes } = device
  const whole = planArcBatches(graph, own, { batches: wanted, maxBufferBytes, maxBatchBytes: Infinity, fixes })
  const needed = paperWorkspaceBytes({ places, workers, bufferWords, ranked, vertices, batches: whole.length })
  const allBytes = whole.reduce((sum, batch) => sum + arcBatchBytes(batch), 0)
  if (needed + allBytes <= budget) return { batches: whole, arcBytes: allBytes, deviceBytes: needed + allBytes }
  const room = budget - needed
  if (room < LEAST_ARC_BYTES) throw noRoomForArcs(device, needed, budget)
  // Counters grow with the batches: half of the room for each batch leaves enough for them.
  const maxBatchBytes = Math.floor(room / 2)
  const batches = planArcBatches(graph, own, { batches: wanted, maxBufferBytes, maxBatchBytes, fixes })
  return { batches, arcBytes: room, deviceBytes: budget }
}

const fixes: readonly Fix[] = [{ action: 'set', option: 'exchange', to: 'replicated' }]

/** A batch of one vertex with one arc. */
const LEAST_ARC_BYTES = arcBatchBytes({ count: 1, arcs: 1 })

const noRoomForArcs = ({ facts }: DeviceLimits, neededBytes: number, budgetBytes: number): Failure =>
  shortOfMemory(facts.id, 'states, priorities and buffers take', neededBytes, budgetBytes, '', [
    MORE_MEMORY,
    { action: 'lower', option: 'bufferWords' },
    { action: 'set', option: 'exchange', to: 'replicated' },
  ])

/** Batches that each worker's range is cut into at least. */
export const batchesEach = (asked: number | undefined, workers: number): number => Math.ceil((asked ?? 1) / workers)

/** Priorities that are no hash of the id are stored on every device (section 3.1). */
export const isRanked = ({ priority }: Pick<RunArgs, 'priority'>): boolean => priority !== 'hash'

interface PaperPlan {
  readonly bufferWords: number
  readonly parts: readonly PaperPartPlan[]
}

/** The plans of all workers, in their order. */
export function planPaper(
  asked: Pick<RunArgs, 'batches' | 'bufferWords' | 'memoryBytes' | 'priority'>,
  graph: GaloisGr,
  devices: readonly DeviceLimits[],
): PaperPlan {
  const { memoryBytes } = asked
  const workers = devices.length
  const budget = Math.min(...devices.map(({ facts }) => deviceBudget(facts, memoryBytes)))
  const bufferWords = bufferWordsOf(asked.bufferWords, graph.vertices, workers, budget)
  const options = { batches: batchesEach(asked.batches, workers), memoryBytes, ranked: isRanked(asked) }
  const parts = devices.map((device, worker) => planPaperPart(device, graph, { workers, bufferWords }, worker, options))
  return { bufferWords, parts }
}

/** The result, and a buffer for each two workers. */
export const paperHostBytes = (vertices: number, workers: number, bufferWords: number): number =>
  runHostBytes(vertices) + 4 * bufferWords * workers ** 2

/** From the sizes of the graph alone, as if all lists were equally long. */
export function estimatePaper(request: PlanRequest): PlanEstimate {
  const { options, size, devices } = request
  const workers = devices.length
  const least = Math.min(...devices.map((facts) => deviceBudget(facts, options.memoryBytes)))
  const words = attempt(() => bufferWordsOf(options.bufferWords, size.vertices, workers, least))
  const bufferWords = words.plan ?? bufferWordsOf(undefined, size.vertices, workers, least)
  const parts = devices.map((_, worker) => attempt(() => equalPart(request, bufferWords, worker)))
  const refusal = words.refusal ?? parts.find((part) => part.refusal !== null)?.refusal ?? null
  const known = parts.flatMap(({ plan }) => (plan === undefined ? [] : [plan]))
  return estimateOfParts(request, bufferWords, known, refusal)
}

/** From the lists, as the run plans; undefined for a file, and for very many lists. */
export function planPaperExactly(request: PlanRequest): PlanEstimate | undefined {
  const { options, size, devices } = request
  const { dataset, vertices } = size
  if (dataset === undefined || vertices > MOST_EXACT_VERTICES) return undefined
  const tried = withGraph(dataset, (graph) => attempt(() => planPaper(options, graph, devices.map(limitsOf))))
  if (tried.refusal !== null) return { ...estimatePaper(request), refusal: tried.refusal }
  const parts = tried.plan.parts.map(({ batches, arcBytes, deviceBytes }, worker) => {
    const shareBytes = batches.reduce((sum, batch) => sum + arcBatchBytes(batch), 0)
    const lane = laneOf(request, worker, shareBytes, shareBytes <= arcBytes, deviceBytes)
    return { batches: batches.length, lane }
  })
  return { ...estimateOfParts(request, tried.plan.bufferWords, parts, null), exact: true }
}

interface EstimatedPart {
  readonly batches: number
  readonly lane: PlanLane
}

function estimateOfParts(
  request: PlanRequest,
  bufferWords: number,
  parts: readonly EstimatedPart[],
  refusal: PlanEstimate['refusal'],
): PlanEstimate {
  const { vertices } = request.size
  const lanes = parts.map(({ lane }) => lane)
  const planned = {
    batches: parts.reduce((sum, { batches }) => sum + batches, 0),
    hostBytes: paperHostBytes(vertices, request.devices.length, bufferWords),
    deviceBytes: Math.max(0, ...lanes.map(({ deviceBytes }) => deviceBytes)),
    lanes,
    resident: lanes.every(({ holds }) => holds === 'share'),
  }
  return { ...estimateOf(request, planned, Math.ceil(vertices / 8), refusal), exact: false }
}

function laneOf(
  { options, devices }: PlanRequest,
  worker: number,
  shareBytes: number,
  isResident: boolean,
  deviceBytes: number,
): PlanLane {
  const facts = devices[worker]!
  const availableBytes = availableOn(facts, options.memoryBytes)
  return { device: facts.id, shareBytes, holds: isResident ? 'share' : 'nothing', deviceBytes, availableBytes }
}

/** @throws Failure (usage), (device) where the lists make no difference */
function equalPart(request: PlanRequest, bufferWords: number, worker: number): EstimatedPart {
  const { options, size, devices } = request
  const { vertices, arcs } = size
  const workers = devices.length
  const device = limitsOf(devices[worker]!)
  const { low, high, places } = new EqualRanges(vertices, workers).of(worker)
  requireKernelsSee(device, places, workers * bufferWords)
  const wanted = Math.min(batchesEach(options.batches, workers), high - low)
  const sizes = { places, workers, bufferWords, ranked: isRanked(options), vertices }
  const needed = paperWorkspaceBytes({ ...sizes, batches: wanted })
  const budget = deviceBudget(device.facts, options.memoryBytes)
  const shareBytes = high === low ? 0 : arcBatchBytes({ count: high - low, arcs: Math.ceil(arcs / workers) })
  if (needed + shareBytes <= budget)
    return { batches: wanted, lane: laneOf(request, worker, shareBytes, true, needed + shareBytes) }
  const room = budget - needed
  if (room < LEAST_ARC_BYTES) throw noRoomForArcs(device, needed, budget)
  const batches = Math.max(wanted, Math.ceil(shareBytes / Math.max(LEAST_ARC_BYTES, Math.floor(room / 2))))
  return { batches, lane: laneOf(request, worker, shareBytes, false, budget) }
}

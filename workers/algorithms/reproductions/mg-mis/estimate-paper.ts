import { limitsOf } from '../../../device/device-memory.ts'
import { EqualRanges } from './paper-ranges.ts'
import type { PlanLane } from '../../../contract/jobs.ts'
import { arcBatchBytes } from './arc-batches.ts'
import {
  LEAST_ARC_BYTES,
  batchesEach,
  bufferWordsOf,
  isRanked,
  noRoomForArcs,
  paperHostBytes,
  planPaper,
} from './paper-plan.ts'
import { paperWorkspaceBytes, requireKernelsSee } from './paper-workspace.ts'
import { deviceBudget } from '../../budgets.ts'
import type { PlanEstimate, Planned, PlanRequest } from '../../estimate.ts'
import { MOST_EXACT_VERTICES, attempt, availableOn, computeStep } from '../../estimate.ts'
import { withGraph } from '../../graph-size.ts'

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

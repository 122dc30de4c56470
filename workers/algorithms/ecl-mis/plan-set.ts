import { availableParallelism } from 'node:os'
import { RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import { PIECE_BYTES, piecesOf } from '../../base/sums.ts'
import { cpuFacts } from '../../device/cpu-device.ts'
import { Failure, MORE_MEMORY, ON_PROCESSOR } from '../../base/failure.ts'
import { grLayout } from '../../graph/graph-file.ts'
import { stateWords } from '../../graph/vertex-states.ts'
import type { DeviceFacts, PlanLane } from '../../contract/jobs.ts'
import { sizeInWords } from '../plan-refusal.ts'
import { budgetsOf, runHostBytes } from '../budgets.ts'
import { type DeviceLayout, LONGER } from './device-scan.ts'
import type { ResidualLimits } from './host-kernels.ts'
import { type PlanEstimate, type PlanRequest, attempt, boundless, computeStep } from '../estimate.ts'

/** What a plan has to know of a graph. */
export interface SetSize {
  readonly vertices: number
  readonly arcs: number
  /** Whether weights stand behind the lists; they are read where they share a piece with these. */
  readonly weighted: boolean
  /** Whether every vertex has a value of a column. */
  readonly hasColumn: boolean
}

export interface SetPlan {
  /** Stretches of the file that are visited one after another, and how many a piece is cut into. */
  readonly units: number
  readonly unitsAPiece: number
  readonly workers: readonly WorkerPlan[]
  /** The processors of another pass, where the first leaves too much. */
  readonly again: WorkerPlan
  readonly hostBytes: number
}

/** One worker: a GPU, or a share of the processors. */
export interface WorkerPlan {
  readonly device: string
  /** Of a GPU; undefined for processors. */
  readonly layout: DeviceLayout | undefined
  /** Threads that processors of this worker have, and what each of them may keep. */
  readonly threads: number
  readonly limits: ResidualLimits
  readonly deviceBytes: number
  /** That it may use; Infinity where it is not known. */
  readonly budgetBytes: number
}

/** A thread takes longer to start than one that is there takes to go through so many arcs. */
const ARCS_A_THREAD = 1 << 19
const MOST_THREADS = 64
/** Pieces that a GPU is given at a time where it has the memory: more of them gain nothing, and each is waited for. */
const BATCH_PIECES = 64
/** A list may reach so far behind its piece; longer ones are read by the host. */
const MOST_TAIL_BYTES = 8 << 20
const LEAST_TAIL_BYTES = 64 << 10
const RECORD_BYTES = 4 * RECORD_WORDS
/** Of what a residual graph may take, two lists of records and the entries, by measurement (docs/results.md). */
const RECORDS_SHARE = 1 / 2
const LEAST_RESIDUAL_BYTES = 1 << 10
/** Entries that a residual graph is given where there is memory, for each vertex or of the arcs: on real graphs it needs less of one of them. */
const MOST_ENTRIES_A_VERTEX = 4
const MOST_ENTRIES_OF_ARCS = 1 / 8

/**
 * What a set takes, from the size of the graph alone.
 * @param devices of each worker
 * @throws Failure (usage) where the states of the vertices leave no room for lists
 */
export function planSet(
  size: SetSize,
  { batches, memoryBytes }: { readonly batches?: number | undefined; readonly memoryBytes?: number | undefined },
  devices: readonly DeviceFacts[],
): SetPlan {
  const { vertices, arcs } = size
  const { targetsAt } = grLayout(vertices, arcs, false)
  const pieces = arcs === 0 ? 0 : piecesOf(targetsAt + 4 * arcs) - Math.floor(targetsAt / PIECE_BYTES)
  const wanted = Math.min(batches ?? 1, Math.max(1, arcs))
  const unitsAPiece = Math.max(1, Math.ceil(wanted / Math.max(1, pieces)))
  const budgets = budgetsOf(devices, memoryBytes)
  const shares = devices.filter(({ kind }) => kind === 'cpu').length
  const workers = devices.map((facts, worker) => {
    const budgetBytes = budgets[worker]!
    if (facts.kind === 'cpu') return planProcessors(size, facts, threadsOf(size, shares), budgetBytes)
    const most = Math.max(1, Math.min(BATCH_PIECES, Math.floor(pieces / wanted)))
    return planDevice(size, facts, unitsAPiece > 1 ? 1 : most, budgetBytes)
  })
  const isAlone = devices.length === 1
  const again =
    workers.find(({ layout }) => layout === undefined) ??
    planProcessors(size, cpuFacts('cpu:0'), threadsOf(size, 1), Infinity)
  const hostBytes = runHostBytes(vertices) + (isAlone ? 0 : vertices)
  return { units: pieces * unitsAPiece, unitsAPiece, workers, again, hostBytes }
}

function threadsOf({ arcs }: SetSize, shares: number): number {
  const most = Math.max(1, Math.floor(availableParallelism() / shares))
  return Math.max(1, Math.min(MOST_THREADS, most, Math.ceil(arcs / ARCS_A_THREAD)))
}

/** Ends, states and the keys of a column; in the host's memory once for all processors. */
const tableBytes = ({ vertices, hasColumn }: SetSize): number => (hasColumn ? 13 : 5) * vertices

const tailBytes = ({ vertices }: SetSize): number => Math.min(MOST_TAIL_BYTES, 4 * vertices)

const fileBytes = ({ vertices, arcs, weighted }: SetSize): number => grLayout(vertices, arcs, weighted).fileBytes

function planProcessors(size: SetSize, { id }: DeviceFacts, most: number, budgetBytes: number): WorkerPlan {
  const bufferBytes = Math.min(fileBytes(size), PIECE_BYTES + tailBytes(size))
  const fixed = (threads: number): number => tableBytes(size) + threads * bufferBytes
  let threads = most
  while (threads > 1 && fixed(threads) + threads * LEAST_RESIDUAL_BYTES > budgetBytes) threads--
  const room = budgetBytes - fixed(threads)
  if (room < LEAST_RESIDUAL_BYTES) throw noRoom(id, size, fixed(1) + LEAST_RESIDUAL_BYTES, budgetBytes)
  const limits = residualLimits(size, room / threads, 1)
  const deviceBytes = fixed(threads) + threads * residualBytes(limits, 1)
  return {
    device: id,
    layout: undefined,
    threads,
    limits,
    deviceBytes: Math.min(deviceBytes, budgetBytes),
    budgetBytes,
  }
}

function planDevice(
  size: SetSize,
  { id, maxBindingBytes, maxBufferBytes }: DeviceFacts,
  mostPieces: number,
  budgetBytes: number,
): WorkerPlan {
  const { vertices } = size
  const largest = Math.min(maxBindingBytes ?? Infinity, maxBufferBytes ?? Infinity)
  if (4 * vertices > largest)
    throw new Failure({
      code: 'usage',
      where: id,
      what: `a kernel sees ${sizeInWords(largest, 4 * vertices)} at a time, and one word for each of ${vertices} vertices takes ${sizeInWords(4 * vertices, largest)}`,
      remedy: '',
      fixes: [ON_PROCESSOR],
    })
  const fixed = tableBytes(size) + 4 * stateWords(vertices) + piecesOf(fileBytes(size)) * 4 + FIXED_BYTES
  const bytesOf = (pieces: number, buffers: number, tail: number): number =>
    buffers * bufferBytes(size, pieces, tail) + 4 * longLists(size, pieces)
  const most = Math.min(largest, budgetBytes)
  let [pieces, buffers, tail] = [mostPieces, 3, tailBytes(size)]
  const isTooLarge = (): boolean =>
    bufferBytes(size, pieces, tail) > most || fixed + 2 * bytesOf(pieces, buffers, tail) > budgetBytes
  while (pieces > 1 && isTooLarge()) pieces = Math.ceil(pieces / 2)
  if (isTooLarge()) buffers = 2
  while (tail > LEAST_TAIL_BYTES && isTooLarge()) tail = Math.max(LEAST_TAIL_BYTES, Math.floor(tail / 2))
  const base = fixed + bytesOf(pieces, buffers, tail)
  const room = budgetBytes - base
  if (room < LEAST_RESIDUAL_BYTES) throw noRoom(id, size, base + LEAST_RESIDUAL_BYTES, budgetBytes)
  const limits = residualLimits(size, Math.min(room, 2 * largest), 2)
  const layout = { ...limits, batchPieces: pieces, batchWords: Math.ceil(bufferBytes(size, pieces, tail) / 4), buffers }
  return { device: id, layout, threads: 0, limits, deviceBytes: base + residualBytes(limits, 2), budgetBytes }
}

/** Codes, tables and counters. */
const FIXED_BYTES = 16 << 10

const bufferBytes = (size: SetSize, pieces: number, tail: number): number =>
  Math.min(fileBytes(size), pieces * PIECE_BYTES + tail)

/** Of one batch. */
const longLists = ({ vertices }: SetSize, pieces: number): number =>
  Math.min(vertices, Math.ceil((pieces * PIECE_BYTES) / 4 / LONGER) + 1)

/** What fits `bytes`, and no more than there can be. @param lists of records */
function residualLimits({ vertices, arcs }: SetSize, bytes: number, lists: number): ResidualLimits {
  const records = Math.min(vertices, Math.floor((RECORDS_SHARE * bytes) / (lists * RECORD_BYTES)))
  const left = bytes - records * lists * RECORD_BYTES
  const most = Math.max(MOST_ENTRIES_A_VERTEX * vertices, Math.ceil(MOST_ENTRIES_OF_ARCS * arcs))
  return { records, poolWords: Math.min(arcs, most, Math.floor(left / 4)) }
}

const residualBytes = ({ records, poolWords }: ResidualLimits, lists: number): number =>
  records * lists * RECORD_BYTES + 4 * poolWords

function noRoom(device: string, { vertices }: SetSize, neededBytes: number, budgetBytes: number): Failure {
  return new Failure({
    code: 'usage',
    where: device,
    what: `the states of ${vertices} vertices and a piece of their lists take ${sizeInWords(neededBytes, budgetBytes)} of the device's memory, and ${sizeInWords(budgetBytes, neededBytes)} may be used`,
    remedy: 'Use another device.',
    fixes: [MORE_MEMORY],
  })
}

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

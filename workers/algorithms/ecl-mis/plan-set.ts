/**
 * The plan of a set, from the sizes of the graph and the facts of the devices alone: batches of 64 pieces, halved until they fit; residual
 * graphs with what is left; refusals with what would help. The run asks the same function before it allocates, so that plan and use agree.
 * Nothing is read and no device is opened. plan-match.ts is the same for matchings; plan-arcs.ts for algorithms whose workers own ranges.
 */

import { RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import { MOST_SHORT } from '../../../kernels/parts/short-list.ts'
import { Failure, ON_PROCESSOR } from '../../base/failure.ts'
import { PIECE_BYTES, piecesOf } from '../../base/sums.ts'
import type { DeviceFacts } from '../../contract/jobs.ts'
import { limitsOf } from '../../device/device.ts'
import { grLayout } from '../../graph/graph-file.ts'
import { stateWords } from '../../graph/vertex-set.ts'
import {
  budgetsOf,
  runHostBytes,
  shortOfMemory,
  sizeInWords,
  threadsOf,
  type PlanEstimate,
  type PlanRequest,
  estimateByUnits,
  unitsOfFile,
} from '../plan-request.ts'
import type { StreamLayout } from '../../streaming/device-stream.ts'

interface SetSize {
  readonly vertices: number
  readonly arcs: number
  /** Weights are stored behind the lists, and read where they share a piece. */
  readonly weighted: boolean
  /** Values stand behind the weights, and are read where they share a piece. */
  readonly values?: { readonly fileBytes: number } | undefined
  readonly hasColumn: boolean
}

export interface SetPlan {
  readonly units: number
  /** Units that a piece of the file is cut into. */
  readonly unitsAPiece: number
  readonly workers: readonly WorkerPlan[]
  readonly hostBytes: number
}

/** A GPU, or some processors. */
export interface WorkerPlan {
  readonly device: string
  /** The layout of a GPU; undefined for processors. */
  readonly layout: DeviceLayout | undefined
  /** Threads of processors, 0 of a GPU, and what each may keep. */
  readonly threads: number
  readonly limits: ResidualLimits
  readonly deviceBytes: number
  /** Infinity where it is not known. */
  readonly budgetBytes: number
}

/** Sizes of the residual graph of a worker. */
export interface ResidualLimits {
  readonly records: number
  readonly poolWords: number
  /** How far a list may reach behind its piece on a processor; absent: as far as the plan counts. */
  readonly reachBytes?: number | undefined
}

export interface DeviceLayout extends ResidualLimits, StreamLayout {
  /** Pieces copied together; a buffer holds them with the rest of their last list. */
  readonly batchPieces: number
}

/** Pieces of a batch: more gain nothing, and each is waited for. */
const BATCH_PIECES = 64
/** How far a list may reach behind its piece; the host reads longer ones. */
export const MOST_TAIL_BYTES = 8 << 20
const LEAST_TAIL_BYTES = 64 << 10
const RECORD_BYTES = 4 * RECORD_WORDS
/** The records' share of the residual graph's memory, by measurement (docs/results.md). */
const RECORDS_SHARE = 1 / 2
const LEAST_RESIDUAL_BYTES = 1 << 10
/** Records a vertex: an eighth of the vertices waits at the most, and allocating takes 60 ms a GB. */
const RECORDS_OF_A_GPU = 1 / 4
/** Neighbours in a residual graph: real graphs need less than one of these. */
const MOST_ENTRIES_A_VERTEX = 4
const MOST_ENTRIES_OF_ARCS = 1 / 8

/**
 * The plan of a set, from the size of the graph alone.
 * @param devices of each worker
 * @throws Failure (usage) where the states leave no room for lists
 */
export function planSet(
  size: SetSize,
  { batches, memoryBytes }: { readonly batches?: number | undefined; readonly memoryBytes?: number | undefined },
  devices: readonly DeviceFacts[],
): SetPlan {
  const { vertices } = size
  const { units, unitsAPiece } = unitsOfFile(size, batches)
  const budgets = budgetsOf(devices, memoryBytes)
  const shares = devices.filter(({ kind }) => kind === 'cpu').length
  const workers = devices.map((facts, worker) => {
    const budgetBytes = budgets[worker]!
    if (facts.kind === 'cpu') return planProcessors(size, facts, threadsOf(size, shares), budgetBytes)
    const most = Math.max(1, Math.min(BATCH_PIECES, Math.floor(units / (batches ?? 1))))
    return planDevice(size, facts, unitsAPiece > 1 ? 1 : most, budgetBytes)
  })
  const isAlone = devices.length === 1
  const hostBytes = runHostBytes(vertices) + (isAlone ? 0 : vertices)
  return { units, unitsAPiece, workers, hostBytes }
}

/** Ends, states and column keys; once for all processors. */
const tableBytes = ({ vertices, hasColumn }: SetSize): number => (hasColumn ? 13 : 5) * vertices

const tailBytes = ({ vertices }: SetSize): number => Math.min(MOST_TAIL_BYTES, 4 * vertices)

const fileBytes = ({ vertices, arcs, weighted, values }: SetSize): number =>
  values?.fileBytes ?? grLayout(vertices, arcs, weighted).fileBytes

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

function planDevice(size: SetSize, facts: DeviceFacts, mostPieces: number, budgetBytes: number): WorkerPlan {
  const { vertices } = size
  const { id } = facts
  const largest = limitsOf(facts).maxBufferBytes
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
  const limits = residualLimits(size, room, 2, { recordsAVertex: RECORDS_OF_A_GPU, largest })
  const layout = { ...limits, batchPieces: pieces, batchWords: Math.ceil(bufferBytes(size, pieces, tail) / 4), buffers }
  return { device: id, layout, threads: 0, limits, deviceBytes: base + residualBytes(limits, 2), budgetBytes }
}

/** Codes, tables and counters. */
const FIXED_BYTES = 16 << 10

const bufferBytes = (size: SetSize, pieces: number, tail: number): number =>
  Math.min(fileBytes(size), pieces * PIECE_BYTES + tail)

/** The most lists of one batch that are longer than MOST_SHORT. */
const longLists = ({ vertices }: SetSize, pieces: number): number =>
  Math.min(vertices, Math.ceil((pieces * PIECE_BYTES) / 4 / MOST_SHORT) + 1)

/** What fits `bytes`. @param lists of records @param largest bytes of one of them, and of the pool */
function residualLimits(
  { vertices, arcs }: SetSize,
  bytes: number,
  lists: number,
  { recordsAVertex = 1, largest = Infinity } = {},
): ResidualLimits {
  const fitting = Math.floor(Math.min(largest, (RECORDS_SHARE * bytes) / lists) / RECORD_BYTES)
  const records = Math.min(Math.ceil(recordsAVertex * vertices), fitting)
  const left = Math.min(largest, bytes - records * lists * RECORD_BYTES)
  const entries = Math.max(MOST_ENTRIES_A_VERTEX * vertices, Math.ceil(MOST_ENTRIES_OF_ARCS * arcs))
  return { records, poolWords: Math.min(arcs, entries, Math.floor(left / 4)) }
}

const residualBytes = ({ records, poolWords }: ResidualLimits, lists: number): number =>
  records * lists * RECORD_BYTES + 4 * poolWords

const noRoom = (device: string, { vertices }: SetSize, neededBytes: number, budgetBytes: number): Failure =>
  shortOfMemory(device, `the states of ${vertices} vertices and a piece of their lists take`, neededBytes, budgetBytes)

/** ECL-MIS, and MG-MIS with replicated states: the plan of a run follows from the size of its graph. */
export function estimateSet(request: PlanRequest): PlanEstimate {
  const { options, size: graph } = request
  const { vertices, arcs, weighted, values } = graph
  const size = { vertices, arcs, weighted, values, hasColumn: options.priority === 'column' }
  const shown = { shareBytes: 8 * vertices + 4 * arcs, resultBytes: Math.ceil(vertices / 8) }
  return estimateByUnits(request, (wishes, on) => planSet(size, wishes, on), shown)
}

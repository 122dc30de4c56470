/**
 * The plan of a set, from the sizes of the graph and the facts of the devices alone: batches of 64 pieces, halved until they fit; residual
 * graphs with what is left; refusals with what would help. The run asks the same function before it allocates, so that plan and use agree.
 * Nothing is read and no device is opened. plan-match.ts is the same for matchings; plan-arcs.ts for algorithms whose workers own ranges.
 */

import type { ResidualLimits } from '../../../kernels/mis/host-kernels.ts'
import { CODED_DEGREES, setCounter } from '../../../kernels/mis/priority-codes.ts'
import { RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'
import { MOST_SHORT } from '../../../kernels/parts/short-list.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import type { DeviceFacts } from '../../contract/jobs.ts'
import { stateWords } from '../../graph/vertex-set.ts'
import { bytesOfBuffers } from '../../device/device.ts'
import { DeviceStream, type StreamLayout } from '../../streaming/device-stream.ts'
import type { OnePass, SetSize } from '../one-pass-set.ts'
import {
  budgetsOf,
  fileBytesOf,
  requireWords,
  runHostBytes,
  shortOfMemory,
  threadsOf,
  unitsOfFile,
} from '../plan-request.ts'

export interface SetPlan {
  /** Units of the file, which workers take from the board; `batches` in the record. */
  readonly units: number
  /** Units that a piece of the file is cut into. */
  readonly unitsAPiece: number
  readonly workers: readonly WorkerPlan[]
  readonly hostBytes: number
}

/** A GPU, or some processors. */
export interface WorkerPlan {
  readonly device: string
  readonly facts: DeviceFacts
  /** The layout of a GPU; undefined for processors. */
  readonly layout: DeviceLayout | undefined
  /** Threads of processors, 0 of a GPU, and what each may keep. */
  readonly threads: number
  readonly limits: HostLimits
  readonly deviceBytes: number
  /** Infinity where it is not known. */
  readonly budgetBytes: number
}

/** What a thread of a processor may keep. */
export interface HostLimits extends ResidualLimits {
  /** How far a list may reach behind its piece; absent: as far as the plan counts. */
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
export const planSet: OnePass<SetPlan>['plan'] = (size, { batches, memoryBytes }, devices) => {
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

const fileBytes = (size: SetSize): number => fileBytesOf(size, size.weighted)

function planProcessors(size: SetSize, facts: DeviceFacts, most: number, budgetBytes: number): WorkerPlan {
  const { id } = facts
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
    facts,
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
  const largest = requireWords(facts, vertices)
  const none = { records: 0, poolWords: 0, packedWords: 0 }
  const bytesOf = (pieces: number, buffers: number, tail: number): number =>
    deviceBytesOf(size, { ...none, batchWords: batchWords(size, pieces, tail), buffers })
  const fixed = deviceBytesOf(size, { ...none, batchWords: 0, buffers: 0 })
  const most = Math.min(largest, budgetBytes)
  let [pieces, buffers, tail] = [mostPieces, 3, tailBytes(size)]
  // Batches take half of what the states of the vertices leave, at most.
  const isTooLarge = (): boolean =>
    4 * batchWords(size, pieces, tail) > most || 2 * bytesOf(pieces, buffers, tail) - fixed > budgetBytes
  while (pieces > 1 && isTooLarge()) pieces = Math.ceil(pieces / 2)
  if (isTooLarge()) buffers = 2
  while (tail > LEAST_TAIL_BYTES && isTooLarge()) tail = Math.max(LEAST_TAIL_BYTES, Math.floor(tail / 2))
  const base = bytesOf(pieces, buffers, tail)
  const room = budgetBytes - base
  if (room < LEAST_RESIDUAL_BYTES) throw noRoom(id, size, base + LEAST_RESIDUAL_BYTES, budgetBytes)
  const { packedWords, packedBytes } = DeviceStream.roomForBlocks(
    DeviceStream.BLOCK_SHARE * room,
    size.isPacked,
    fileBytes(size),
  )
  const limits = residualLimits(size, room - packedBytes, 2, { recordsAVertex: RECORDS_OF_A_GPU, largest })
  const layout = { ...limits, batchPieces: pieces, batchWords: batchWords(size, pieces, tail), buffers, packedWords }
  return { device: id, facts, layout, threads: 0, limits, deviceBytes: deviceBytesOf(size, layout), budgetBytes }
}

/** Whole groups of a packed graph, as a GPU unpacks them. */
function batchWords(size: SetSize, pieces: number, tail: number): number {
  const tailBytes = LEAST_TAIL_BYTES * Math.ceil(tail / LEAST_TAIL_BYTES)
  return Math.ceil(Math.min(fileBytes(size), pieces * PIECE_BYTES + tailBytes) / 4)
}

/** Words of the buffers of a GPU beside its batches: the run allocates these, and the plan adds them up. */
export const scanSpace = (
  { vertices, hasColumn }: Pick<SetSize, 'vertices' | 'hasColumn'>,
  { records, poolWords, batchWords }: Pick<DeviceLayout, 'records' | 'poolWords' | 'batchWords'>,
) => ({
  ends: vertices,
  states: Math.ceil(vertices / 4),
  packed: stateWords(vertices),
  codes: CODED_DEGREES,
  column: hasColumn ? 2 * vertices : 2,
  waiting0: RECORD_WORDS * records,
  waiting1: RECORD_WORDS * records,
  pool: poolWords,
  /** The most lists of one batch that are longer than MOST_SHORT. */
  longs: Math.min(vertices, Math.ceil(batchWords / MOST_SHORT) + 1),
  counters: setCounter.COUNT,
})

const deviceBytesOf = (size: SetSize, layout: Omit<DeviceLayout, 'batchPieces'>): number =>
  bytesOfBuffers({ ...scanSpace(size, layout), ...DeviceStream.space(layout, fileBytes(size)) })

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

const noRoom = (device: string, { vertices }: SetSize, neededBytes: number, budgetBytes: number): Error =>
  shortOfMemory(device, `the states of ${vertices} vertices and a piece of their lists take`, neededBytes, budgetBytes)
